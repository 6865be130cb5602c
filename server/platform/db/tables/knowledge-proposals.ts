// Notes that are proposed from the replies of people.
import type { Id } from '#shared/ids.ts'
import type { Fragment } from '#shared/knowledge/knowledge.ts'
import type { AlikeSource } from '#shared/knowledge/proposals.ts'
import type { Json, Timestamp } from './columns.ts'

/**
 * waiting ─► approved     and back again
 *    └─────► rejected     and back again
 * `known`: the space, or an earlier proposal, says it already. `nothing`: there was nothing to learn.
 */
export type ProposalState = 'waiting' | 'approved' | 'rejected' | 'known' | 'nothing'

/** What an approval has done, so that it can be undone. */
export type ProposalUndo =
  | { kind: 'added'; fragmentId: Id<'fragments'> }
  | { kind: 'changed'; fragmentId: Id<'fragments'>; before: Pick<Fragment, 'name' | 'content' | 'alsoAskedAs'> }
  | { kind: 'hidden'; fragmentId: Id<'fragments'>; chunkId: Id<'chunks'> }

/** One for each stretch of replies that was looked at, so that none is looked at twice and nothing rejected comes back. */
export interface KnowledgeProposalsTable {
  id: Id<'knowledgeProposals'>
  organization_id: Id<'organizations'>
  knowledge_space_id: Id<'knowledgeSpaces'>
  conversation_id: Id<'conversations'>
  /** The first message of the stretch. */
  message_id: Id<'messages'>
  state: ProposalState
  /** Of `known`: the proposal that says the same; null where the space does. */
  same_as: Id<'knowledgeProposals'> | null
  /** Empty where there was nothing to learn. */
  question: string
  answer: string
  alike: Json<AlikeSource> | null
  undo: Json<ProposalUndo> | null
  created_at: Timestamp
  decided_at: Timestamp | null
}
