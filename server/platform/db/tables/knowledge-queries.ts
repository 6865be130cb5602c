// The log of what agents have looked up.
import type { Generated } from 'kysely'
import type { Channel } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import type { FoundSource } from '#shared/knowledge/knowledge-queries.ts'
import type { Json, Timestamp } from './columns.ts'

/** One search for one answer; goes with its conversation. */
export interface KnowledgeQueriesTable {
  organization_id: Id<'organizations'>
  turn_id: Id<'turns'>
  /** From 0, in the order of the searches of the turn. */
  position: number
  conversation_id: Id<'conversations'>
  channel: Channel
  /** Spaces that were searched. */
  space_ids: Json<Id<'knowledgeSpaces'>[]>
  query: string
  /** The same for questions that differ in word forms, order and stop words only. */
  gist: string
  is_weak: boolean
  found: Json<FoundSource[]>
  /** What the customer has asked, and no search for the answer found enough. */
  has_found_little: boolean
  /** Whether it was marked as settled. */
  is_settled: Generated<boolean>
  asked_at: Timestamp
}
