// The test chat: overrides for one answer, and the arguments of its functions.
import * as z from 'zod/mini'
import { agentSettingsPatch } from '#shared/agents/agent-settings.ts'
import { CHANNEL_NAMES } from '#shared/channels/manifests.ts'
import type { Id } from '#shared/ids.ts'
import { MESSAGE_TEXT_MAX } from '#shared/limits.ts'
import { id, paginationOpts } from '#shared/schema.ts'
import { type AttachmentKind, uploadTickets } from './attachments.ts'
import type { Conversation, MessageAuthor } from './conversations.ts'

const SPACES_MAX = 100
const LAST_MOMENT = 8_640_000_000_000_000

/** Which knowledge an answer may use. */
const knowledge = z.strictObject({
  isOn: z.boolean(),
  /** Null: the agent's own spaces. */
  spaceIds: z.nullable(z.array(id('knowledgeSpaces')).check(z.maxLength(SPACES_MAX))),
})

/** A situation in which the agent is tried. */
const simulate = z.strictObject({
  /** The answer is cut, offers choices and shows as it would by this channel. */
  channel: z.optional(z.enum(CHANNEL_NAMES)),
  /** Milliseconds since the epoch: the moment that the agent takes for now, its hours included. */
  at: z.optional(z.number().check(z.int(), z.minimum(0), z.maximum(LAST_MOMENT))),
  contact: z.optional(
    z.strictObject({
      name: z.optional(z.string().check(z.trim(), z.maxLength(200))),
      /** Language of the customer's messenger, as a tag. */
      language: z.optional(z.string().check(z.regex(/^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/))),
    }),
  ),
})

/** Tools that come with knowledge spaces. False: the agent does without it; otherwise it has those of its spaces. */
const tools = z.strictObject({ webSearch: z.optional(z.boolean()), tables: z.optional(z.boolean()) })

/** Overrides for one answer. They are never saved to the agent. */
export const testOverrides = z.strictObject({
  ...agentSettingsPatch,
  knowledge: z.optional(knowledge),
  tools: z.optional(tools),
  simulate: z.optional(simulate),
  /** The hours and daily limits of customers hold for the tester too. */
  applyRules: z.optional(z.boolean()),
})
export type TestOverrides = z.infer<typeof testOverrides>

/** One person can have two test chats with one agent side by side. */
export const TEST_VARIANTS = ['a', 'b'] as const
export type TestVariant = (typeof TEST_VARIANTS)[number]

const agentId = id('agents')
const variant = z._default(z.enum(TEST_VARIANTS), 'a')
const words = z.string().check(z.trim(), z.maxLength(MESSAGE_TEXT_MAX))
const text = words.check(z.minLength(1))
const overrides = z.optional(testOverrides)

export const testChatInput = z.strictObject({ agentId, variant })
export const testChatShareInput = z.strictObject({ agentId })
export const testChatHistoryInput = z.strictObject({ agentId, variant, paginationOpts })
/** `attachments`: tickets of uploads, in the order of the message. The text may be empty if there are any. */
export const testChatSendInput = z.strictObject({
  agentId,
  variant,
  text: words,
  attachments: uploadTickets,
  overrides,
})
/** The tester writes as a person of the team. */
export const testChatReplyInput = z.strictObject({ agentId, variant, text })
/** Also applies to messages that resume the agent. */
export const testChatRegenerateInput = z.strictObject({ agentId, variant, overrides })
/** `messageId`: the tester's own message to rewrite. Its attachments stay; its text may be empty then. */
export const testChatEditInput = z.strictObject({ agentId, variant, messageId: id('messages'), text: words, overrides })

/** Whether the agent speaks in a test chat, and why not. */
export type TestChatState = Pick<
  Conversation,
  'status' | 'pauseReason' | 'resumeAt' | 'needsPerson' | 'handoffNote'
> & {
  /** Answers of the chat on its last day of the organization's calendar, `YYYY-MM-DD`; null before the first. */
  answers: { day: string; count: number } | null
}

/** One message of a shared chat. `at`: milliseconds since the epoch. */
export type SharedMessage = {
  _id: Id<'messages'>
  author: Exclude<MessageAuthor, 'system'>
  text: string
  at: number
  attachments: { _id: Id<'attachments'>; kind: AttachmentKind; name: string | null }[]
  /** The answer options that the agent has offered. */
  choices: string[]
}
/** Test chats of one person with one agent as shown to people without an account. Instants in milliseconds since the epoch. */
export type SharedChat = {
  agentName: string
  chats: { variant: TestVariant; messages: SharedMessage[] }[]
  sharedAt: number
  expiresAt: number
}
