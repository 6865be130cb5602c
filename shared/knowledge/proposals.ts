// Notes that a model proposes from what people have answered in conversations, and what people make of them.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { id } from '#shared/schema.ts'
import { createFragmentInput } from './knowledge.ts'

/** Something in the space that answers such a question already, perhaps otherwise. */
export type AlikeSource = {
  kind: 'fragment' | 'document'
  chunkId: Id<'chunks'>
  /** Of the document or note. */
  documentId: string
  name: string
  content: string
}

export type Proposal = {
  _id: Id<'knowledgeProposals'>
  knowledgeSpaceId: Id<'knowledgeSpaces'>
  /** Where a person has given the answer. */
  conversationId: Id<'conversations'>
  question: string
  answer: string
  alike: AlikeSource | null
  /** Conversations in which people have answered this. */
  conversations: number
  createdAt: number
}

/** Whether a space learns from replies. `hasAuthor` false: no agent that uses it has a model that could write. */
export type Learning = { isOn: boolean; hasAuthor: boolean }

/** A space in which proposals wait. */
export type WaitingProposals = { knowledgeSpaceId: Id<'knowledgeSpaces'>; slug: string; name: string; waiting: number }

const proposalId = id('knowledgeProposals')
const knowledgeSpaceId = id('knowledgeSpaces')
export const proposalsInput = z.strictObject({ knowledgeSpaceId })
export const proposalInput = z.strictObject({ proposalId })
export const setLearningInput = z.strictObject({ knowledgeSpaceId, isOn: z.boolean() })
/** `replaces`: the note takes the place of what is alike; without it, it is added. */
export const approveProposalInput = z.strictObject({
  proposalId,
  question: createFragmentInput.shape.name,
  answer: createFragmentInput.shape.content,
  replaces: z.boolean(),
})
