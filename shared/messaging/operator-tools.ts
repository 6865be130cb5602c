// What operators work with in a conversation: team notes, mentions, canned replies, and presence.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { CANNED_NAME_MAX, CANNED_TEXT_MAX, HELPER_DRAFT_MAX, NOTE_MENTIONS_MAX, NOTE_TEXT_MAX } from '#shared/limits.ts'
import type { Member } from '#shared/organizations/organizations.ts'
import { id } from '#shared/schema.ts'
import type { MessageSource } from './conversations.ts'

const conversationId = id('conversations')
const cannedReplyId = id('cannedReplies')
const text = z.string().check(z.trim(), z.maxLength(CANNED_TEXT_MAX))

/** `mentions`: members whose attention the note calls for. */
export const addNoteInput = z.strictObject({
  conversationId,
  text: z.string().check(z.trim(), z.minLength(1), z.maxLength(NOTE_TEXT_MAX)),
  mentions: z._default(z.array(id('users')).check(z.maxLength(NOTE_MENTIONS_MAX)), []),
})
export const noteInput = z.strictObject({ noteId: id('conversationNotes') })

const cannedReply = z
  .strictObject({
    name: z.string().check(z.trim(), z.minLength(1), z.maxLength(CANNED_NAME_MAX)),
    texts: z.strictObject({ ru: text, en: text }),
  })
  .check(z.refine(({ texts }) => texts.ru !== '' || texts.en !== '', { path: ['texts'] }))
export const createCannedReplyInput = cannedReply
export const updateCannedReplyInput = z.strictObject({ cannedReplyId, reply: cannedReply })
export const cannedReplyInput = z.strictObject({ cannedReplyId })

/** Presence of a member in a conversation; `gone` ends it. */
export const announceInput = z.strictObject({ conversationId, state: z.enum(['looking', 'typing', 'gone']) })

export const REWRITE_MANNERS = ['shorter', 'kinder', 'correct'] as const
export type RewriteManner = (typeof REWRITE_MANNERS)[number]
export const TRANSLATION_LANGUAGES = ['ru', 'en'] as const
export type TranslationLanguage = (typeof TRANSLATION_LANGUAGES)[number]

const draft = z.string().check(z.trim(), z.minLength(1), z.maxLength(HELPER_DRAFT_MAX))
export const rewriteInput = z.strictObject({ conversationId, draft, manner: z.enum(REWRITE_MANNERS) })
export const translateInput = z.strictObject({ conversationId, draft, language: z.enum(TRANSLATION_LANGUAGES) })
/** A message of a customer. */
export const translateMessageInput = z.strictObject({
  messageId: id('messages'),
  language: z.enum(TRANSLATION_LANGUAGES),
})

/** An answer suggested by a model, and the knowledge it is based on. Nothing of it is sent. */
export type SuggestedReply = { text: string; sources: MessageSource[] }

/** A note of the team on a conversation. */
export type Note = {
  _id: Id<'conversationNotes'>
  /** Null when the account is gone. */
  author: Member | null
  text: string
  mentions: Member[]
  createdAt: number
}

/** A note that calls for the reader's attention and was not seen by them. */
export type Mention = {
  noteId: Id<'conversationNotes'>
  conversationId: Id<'conversations'>
  customerName: string | null
  /** Null when the account is gone. */
  author: Member | null
  /** The beginning of the note. */
  text: string
  at: number
}

/** A reply that is kept ready, in one language or both. */
export type CannedReply = {
  _id: Id<'cannedReplies'>
  name: string
  /** Empty: no text in this language. */
  texts: { ru: string; en: string }
}

/** A member who has a conversation open. Valid for PRESENCE_…_MS after `at`. */
export type Presence = { user: Member; state: 'looking' | 'typing'; at: number }

/** An answer that an agent is writing: not sent, and perhaps it never will be. */
export type AnswerDraft = { turnId: Id<'turns'>; conversationId: Id<'conversations'>; text: string }

/** The text of a reply with the names of this conversation in the place of `{customer}` and `{agent}`. */
export function fillIn(reply: string, names: { customer: string; agent: string }): string {
  return reply.replace(/\{(customer|agent)\}/g, (_, name: 'customer' | 'agent') => names[name])
}
