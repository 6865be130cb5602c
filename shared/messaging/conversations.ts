// Conversations and messages.
import * as z from 'zod/mini'
import { factsFilter } from '#shared/analytics/facts.ts'
import type { Channel } from '#shared/channels/channels.ts'
import { CHANNEL_NAMES } from '#shared/channels/manifests.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { ChunkPlace } from '#shared/knowledge/chunks.ts'
import type { UsedRows } from '#shared/knowledge/tables.ts'
import {
  AUTO_RESUME_MAX_MS,
  BULK_MAX,
  LIST_SEARCH_MAX,
  MESSAGE_TEXT_MAX,
  SEARCH_SHOWN_MAX,
  TAG_MAX,
  UNDO_TICKET_MAX,
} from '#shared/limits.ts'
import type { Member } from '#shared/organizations/organizations.ts'
import { id, paginationOpts } from '#shared/schema.ts'
import { type Attachment, uploadTickets } from './attachments.ts'

/**
 * active ◄──► paused      pause: the agent is silent · resume: by hand, or by itself at `resumeAt`
 *    │           │
 *    └──► ended ◄┘        a new customer message makes it active again
 */
export type ConversationStatus = 'active' | 'paused' | 'ended'
/** Deleted ones are removed permanently after DELETED_DAYS. A message of the customer brings either back. */
const CONVERSATION_FOLDERS = ['inbox', 'archived', 'deleted'] as const
export type ConversationFolder = (typeof CONVERSATION_FOLDERS)[number]
/** `waiting`: only those in which the customer waits, the longest wait first. */
export const CONVERSATION_SORTS = ['newest', 'waiting', 'oldest'] as const
export type ConversationSort = (typeof CONVERSATION_SORTS)[number]
export type MessageAuthor = 'customer' | 'agent' | 'operator' | 'system'

/** Why an agent is paused in a conversation: a person took it, the customer asked for one, or a rule called one. */
export const PAUSE_REASONS = [
  /** Paused by hand. */
  'operator',
  'operator_reply',
  /** A person answered from the phone or another client of the channel. */
  'operator_elsewhere',
  'operator_phrase',
  'customer_request',
  /** The customer has paused the agent by a command. */
  'customer_stop',
  'missing_knowledge',
  'tool_failure',
  'policy',
  /** The agent promised that a person would take care of it. */
  'promise',
  /** The agent was to leave the matter alone. */
  'guard',
  'model_failure',
  'availability',
  'limit',
  /** The messages are sent by a machine, such as an auto-reply. */
  'machine_talk',
] as const
export type PauseReason = (typeof PAUSE_REASONS)[number]

/** streaming → complete | stopped | failed. Only replies of an agent are ever in another state than complete. */
export type MessageStatus = 'streaming' | 'complete' | 'stopped' | 'failed'

/**
 * queued ─► claimed ─► sending ─► sent
 *    ▲         │          ├─────► failed     refused for good
 *    └─────────┘          └─────► unknown    the bytes may have left, no answer was recorded
 */
export type DeliveryStatus = 'queued' | 'claimed' | 'sending' | 'sent' | 'failed' | 'unknown'
/** What a channel reports about a message after accepting it. */
export type ReceiptState = 'delivered' | 'read' | 'failed'
/** A part as people see it: one that was sent may be known to have arrived, and to have been read. */
export type PartState = DeliveryStatus | 'delivered' | 'read'

/**
 * Delivery state of a part. `waitsUntil`: the earliest time at which a part held back by a cap of its connection, named in `error` (see
 * `CapReason`), is sent, milliseconds; null: it is not held back.
 */
export type PartDelivery = {
  _id: Id<'outbox'>
  status: PartState
  error: string | null
  waitsUntil: number | null
  /** What it waits for before it can be sent; missing: nothing, or it was sent. */
  waitsFor?: PartWait
}

/**
 * Why a connection cannot send a part: its token is rejected, its account may not send, or the provider requires payment. `detail`: the
 * channel's own words; null: none.
 */
export type PartWait = {
  why: 'refused' | 'frozen' | 'unpaid'
  detail: string | null
  connection: { _id: Id<'channelConnections'>; channel: Exclude<Channel, 'test'> }
}

const conversationId = id('conversations')
const words = z.string().check(z.trim(), z.maxLength(MESSAGE_TEXT_MAX))

const tag = z.string().check(z.trim(), z.minLength(1), z.maxLength(TAG_MAX))

/** Filters and order of the inbox. */
export const conversationFilter = {
  /** Defaults to `inbox`; `kept`: the inbox and what was archived. */
  folder: z.optional(z.enum([...CONVERSATION_FOLDERS, 'kept'])),
  status: z.optional(z.enum(['active', 'paused', 'ended'])),
  agentId: z.optional(id('agents')),
  channel: z.optional(z.enum(CHANNEL_NAMES)),
  tag: z.optional(tag),
  /** Null: unassigned. */
  assigneeId: z.optional(z.nullable(id('users'))),
  /** The last message is not older, and older, than this: milliseconds since the epoch. */
  since: z.optional(z.number()),
  until: z.optional(z.number()),
  isUnread: z.optional(z.literal(true)),
  /** Something that was to be sent has not arrived, or it is not known whether it has. */
  hasProblem: z.optional(z.literal(true)),
  /** Only conversations to which a person was called and none has come. */
  needsPerson: z.optional(z.literal(true)),
  /** What is measured of conversations: the rows behind a number of analytics (see shared/analytics/links.ts). */
  facts: z.optional(factsFilter),
  /** Defaults to `newest`. */
  sort: z.optional(z.enum(CONVERSATION_SORTS)),
}
export const listConversationsInput = z.strictObject({ paginationOpts, ...conversationFilter })
export type ConversationFilter = Omit<z.infer<typeof listConversationsInput>, 'paginationOpts'>
export const matchingInput = z.strictObject(conversationFilter)
/** How many conversations match a filter: exact, each counted for itself. */
export type ConversationCount = { count: number }
/** All that match a filter, in its order, up to the limit of a bulk action; `isMore`: there are others after them. */
export type Matching = { conversationIds: Id<'conversations'>[]; isMore: boolean }
/** Of those that pass the filter; its order is that of `foundConversationsInput`. `cursor`: of the page before; null: none. */
export const searchConversationsInput = z.strictObject({
  query: z.string().check(z.trim(), z.minLength(1), z.maxLength(LIST_SEARCH_MAX)),
  cursor: z.optional(z.nullable(z.string())),
  ...conversationFilter,
})
export const foundConversationsInput = z.strictObject({
  conversationIds: z.array(conversationId).check(z.maxLength(SEARCH_SHOWN_MAX)),
  ...conversationFilter,
})
/** `excerpt`: the message that was found, cut around the words, which are marked. Both null: the customer's name was found. */
export type ConversationHit = {
  conversationId: Id<'conversations'>
  messageId: Id<'messages'> | null
  excerpt: { text: string; isMatch: boolean }[] | null
}
/** Unread conversations of the inbox. `isMore`: there are more than were counted. */
export type UnreadCount = { count: number; isMore: boolean }
/**
 * Most recent activity first. `continueCursor`: continues the search after these; null: no more. `isPartial`: hits may be missing in
 * between: of long conversations only the latest messages were searched, because these held enough hits.
 */
export type ConversationHits = { hits: ConversationHit[]; isPartial: boolean; continueCursor: string | null }
export const conversationInput = z.strictObject({ conversationId })
/** From one message on: `upTo` it, newest first, or `after` it, oldest first. A missing message falls back to the newest. */
const around = z.strictObject({ messageId: id('messages'), side: z.enum(['upTo', 'after']) })
export type Around = z.infer<typeof around>
/** Defaults to newest first. */
export const conversationMessagesInput = z.strictObject({ conversationId, paginationOpts, around: z.optional(around) })
export const neighboursInput = z.strictObject({
  conversationId,
  ...conversationFilter,
  sort: z.optional(z.enum(CONVERSATION_SORTS)),
})
/** Previous and next conversation in a list; null: none. */
export type Neighbours = { previous: Id<'conversations'> | null; next: Id<'conversations'> | null }
/** `attachments`: tickets of uploads, in the order of the message. The text may be empty if there are any. */
export const replyInput = z.strictObject({ conversationId, text: words, attachments: uploadTickets })
const resumeAfterMs = z.optional(z.number().check(z.int(), z.minimum(1000), z.maximum(AUTO_RESUME_MAX_MS)))
export const pauseConversationInput = z.strictObject({
  conversationId,
  resumeAfterMs,
})
/** Some conversations, up to the limit of a bulk action. */
export const conversationIds = z.array(conversationId).check(z.minLength(1), z.maxLength(BULK_MAX))
export const bulkFolderInput = z.strictObject({ conversationIds, folder: z.enum(CONVERSATION_FOLDERS) })
export const bulkStatusInput = z.strictObject({
  conversationIds,
  status: z.enum(['active', 'paused', 'ended']),
  /** Of a pause. */
  resumeAfterMs,
})
/** Null: unassigns. */
export const bulkAssignInput = z.strictObject({ conversationIds, assigneeId: z.nullable(id('users')) })
export const bulkTagInput = z.strictObject({ conversationIds, tag, isOn: z.boolean() })
/** Of one customer. */
export const mergeConversationsInput = z.strictObject({ conversationIds })
/** `count`: how many are shown as one now; `refused`: those that were named and are not among them. */
export type Merged = { threadId: Id<'threads'>; count: number; refused: Refused[] }
export type Refused = { conversationId: Id<'conversations'>; error: ErrorCode }
export const separateConversationsInput = z.strictObject({ threadId: id('threads') })
/** Of each conversation, in the order of the call: why it was not changed, or null, and what it was before; null: it is not there. */
export type Bulk<Before> = { conversationId: Id<'conversations'>; error: ErrorCode | null; before: Before | null }[]
/** `ticket`: lets the one who made the change undo it; null: nothing was changed. */
type Before<Step> = Step & { ticket: string | null }
export type FolderBefore = Before<{ folder: ConversationFolder }>
export type StatusBefore = Before<{ status: ConversationStatus }>
/** Null: was unassigned. */
export type AssigneeBefore = Before<{ assigneeId: Id<'users'> | null }>
export type TagBefore = Before<{ isOn: boolean }>
/** `wasAsked`: the undone step has asked the customer for a rating, or is asking, and they can still answer. */
export type TakenBack = { wasAsked: boolean }
/** Undo tickets, of any kind of step. */
export const bulkUndoInput = z.strictObject({
  tickets: z.array(z.string().check(z.maxLength(UNDO_TICKET_MAX))).check(z.minLength(1), z.maxLength(BULK_MAX)),
})
/** A turn, as `Message.turnId` names it. */
export const turnInput = z.strictObject({ turnId: id('turns') })
export const resendInput = z.strictObject({ outboxId: id('outbox') })

/** A customer's rating: from 1 (bad) to 5 (good). */
export type ConversationRating = { score: number; comment: string | null; at: number }

/** One of the conversations that are shown as one. */
export type ThreadPart = {
  _id: Id<'conversations'>
  channel: Channel
  agentName: string
  status: ConversationStatus
  /** Customer messages since an operator last opened any of them. */
  unreadCount: number
}

export type Conversation = {
  _id: Id<'conversations'>
  agentId: Id<'agents'>
  agentName: string
  channel: Channel
  status: ConversationStatus
  /** When a paused conversation resumes automatically; null: only manually. */
  resumeAt: number | null
  /** Reason of the pause; null unless paused. */
  pauseReason: PauseReason | null
  /** A rule, the customer or the agent has called a person, and none has come yet; stays true when the agent resumes meanwhile. */
  needsPerson: boolean
  /** Why a person was called; null while none is awaited. */
  calledFor: PauseReason | null
  /** The agent's note for the person who takes over; null unless paused. */
  handoffNote: string | null
  /** `contactId`: the contact that represents them where several are merged. */
  customer: { _id: Id<'customers'>; contactId: Id<'customers'>; name: string; username: string | null } | null
  /** A reply is being generated right now. */
  isReplying: boolean
  messageCount: number
  /** Customer messages since an operator last opened the conversation. */
  unreadCount: number
  lastMessage: { author: MessageAuthor; text: string; at: number } | null
  folder: ConversationFolder
  /** When it was put there; null: it has always been in the inbox. */
  movedAt: number | null
  /** In alphabetical order. */
  tags: string[]
  /** The operator it is assigned to. */
  assignee: Member | null
  /** Since when it waits for a person to be found who is free; null: not at all. */
  queuedAt: number | null
  /** Since when the customer waits for an answer or for a person; null: not at all. */
  waitingSince: number | null
  /**
   * The conversations with which it is shown as one, itself included; null: none. The first is the one in which the customer wrote last,
   * through which answers are sent. Lists include only the first few; `count` is all.
   */
  thread: { _id: Id<'threads'>; count: number; parts: ThreadPart[] } | null
  createdAt: number
}

/** A conversation as it is shown when it is open, with what lists leave out. */
export type OpenConversation = Conversation & {
  /** The customer's last rating; null: none. */
  rating: ConversationRating | null
  /** When the customer was last typing; null: never, or not reported by the channel. */
  customerTypingAt: number | null
}

/** Names a page of the web within one message. */
export type WebSourceId = `web:${number}`

/** A passage that an answer used, and where it is; older messages have the page alone. */
export type MessageSource = Partial<Omit<ChunkPlace, 'page'>> & {
  /** Of a table from which the answer was computed: the id of the table. */
  chunkId: Id<'chunks'> | Id<'tables'> | WebSourceId
  /** Of a page of the web: its address. */
  documentId: string
  /** Name of the document, fragment or table; title of the page. */
  source: string
  page: number | null
  /** 0 to 1 within the search that found it. */
  score: number
  excerpt: string
  /** Rows of a table from which the answer was computed, by question to the table. */
  rows?: UsedRows[]
  /** Of a page of the web: where it is. */
  url?: string
}

export type Message = {
  _id: Id<'messages'>
  conversationId: Id<'conversations'>
  author: MessageAuthor
  /** Name of the operator or customer, where known; in a group, of the member who wrote. */
  authorName: string | null
  /** How colleagues see the operator who wrote it; null for what others wrote, and when the account is gone. */
  operator: Member | null
  text: string
  /** An excerpt of what the customer replies to; null: not a reply. */
  quoted: string | null
  /**
   * Whose message the customer forwards, with its attachments; `from` null: not reported by the messenger. `text`: the end of the message's
   * text, which their own words precede. Null: nothing is forwarded.
   */
  forwarded: { from: string | null; text: string } | null
  /** When the customer last changed it; null: never. */
  editedAt: number | null
  status: MessageStatus
  /** Why a reply failed or was withheld; a code of the error catalogue or of the turn outcomes. */
  reason: string | null
  /** The turn that led to it, whose record says why; null for what people wrote. */
  turnId: Id<'turns'> | null
  /** Number of the agent's version that wrote it. */
  agentVersion: number | null
  createdAt: number
  sources: MessageSource[]
  /** Facts of the model call; null for anything but an agent's reply. Cost in micro-USD, null when the price is unknown. */
  generation: {
    model: string
    inputTokens: number | null
    outputTokens: number | null
    costMicroUsd: number | null
    latencyMs: number
    firstTokenMs: number | null
  } | null
  /** In the order of the message. */
  attachments: Attachment[]
  /** The texts that a channel would send one after another, where the test chat imitates one; else empty. */
  parts: string[]
  /** The channel as which an answer shows, where the test chat imitates one; else missing. */
  shownAs?: Exclude<Channel, 'test'>
  /** The answer options shown below it. */
  choices: string[]
  /** Sentences of an answer that state figures, dates or names which the agent was not given; none for agents without knowledge. */
  unfounded: string[]
  /** State of each part sent to the channel, in order; empty when nothing was to be sent. */
  deliveries: PartDelivery[]
}
