// What a space should be looked through for: passages that say the same, or the same with other figures, and answers without grounds.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { id } from '#shared/schema.ts'

/** `contradiction`: the same sentence with other figures. */
export type PairKind = 'duplicate' | 'contradiction'

/** One of two passages. */
export type PairSide = {
  chunkId: Id<'chunks'>
  kind: 'document' | 'fragment'
  /** Of the document or note, with its name. */
  documentId: string
  name: string
  /** Of a contradiction the sentence, of a duplicate how the passage begins. */
  text: string
}

export type KnowledgePair = {
  _id: Id<'knowledgePairs'>
  kind: PairKind
  first: PairSide
  second: PairSide
  /** Conversations in which agents have found one of the two. */
  conversations: number
}

/** An answer that stated what its agent was not given. */
export type UnfoundedAnswer = {
  messageId: Id<'messages'>
  conversationId: Id<'conversations'>
  agentName: string
  sentences: string[]
  answeredAt: number
}
/** How many there are, or `isMore` than are counted, and the newest of them. */
export type UnfoundedAnswers = { count: number; isMore: boolean; newest: UnfoundedAnswer[] }

export const reviewInput = z.strictObject({ knowledgeSpaceId: id('knowledgeSpaces') })
export const dismissPairInput = z.strictObject({ pairId: id('knowledgePairs'), isDismissed: z.boolean() })
