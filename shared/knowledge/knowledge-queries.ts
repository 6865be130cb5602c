// What agents have looked up in the organization's knowledge while they answered, and what they did not find.
import * as z from 'zod/mini'
import type { Channel } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import { KNOWLEDGE_GAPS_MAX } from '#shared/limits.ts'
import { id, paginationOpts } from '#shared/schema.ts'

/** One search that an agent has made for one answer. */
export type KnowledgeQuery = {
  turnId: Id<'turns'>
  /** From 0; 0 is what the customer has written, later ones are the model's own words. */
  position: number
  conversationId: Id<'conversations'>
  channel: Channel
  query: string
  isWeak: boolean
  /** Best first; at most FOUND_KEPT. */
  found: FoundSource[]
  askedAt: number
}

export type FoundSource = {
  chunkId: Id<'chunks'>
  documentId: string
  source: string
  page: number | null
  score: number
}

/** Questions that say the same in other forms of the same words, and for which little was found. */
export type KnowledgeGap = {
  /** What the questions have in common. */
  gist: string
  /** The newest wording. */
  query: string
  /** Different wordings, newest first; at most WORDINGS_KEPT. */
  wordings: string[]
  count: number
  /** Conversations in which it was asked. */
  conversations: number
  lastAskedAt: number
}

const knowledgeSpaceId = z.optional(id('knowledgeSpaces'))

/** Without a space: of all of them. */
export const knowledgeQueriesInput = z.strictObject({ knowledgeSpaceId, paginationOpts })
/** `limit`: gaps at most; 50 by default. */
export const knowledgeGapsInput = z.strictObject({
  knowledgeSpaceId,
  limit: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(KNOWLEDGE_GAPS_MAX))),
})
export const settleGapInput = z.strictObject({ knowledgeSpaceId, gist: z.string().check(z.maxLength(1000)) })
