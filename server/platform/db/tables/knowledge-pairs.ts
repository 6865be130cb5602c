// Passages of one space that say the same, or the same with other figures.
import type { Generated } from 'kysely'
import type { Id } from '#shared/ids.ts'
import type { PairKind, PairSide } from '#shared/knowledge/review.ts'
import type { Json, Timestamp } from './columns.ts'

export interface KnowledgePairsTable {
  id: Id<'knowledgePairs'>
  organization_id: Id<'organizations'>
  knowledge_space_id: Id<'knowledgeSpaces'>
  kind: PairKind
  /** Hash of both texts; unique in the space. The same texts are the same pair wherever they stand. */
  key: string
  first_chunk_id: Id<'chunks'>
  second_chunk_id: Id<'chunks'>
  first: Json<PairSide>
  second: Json<PairSide>
  /** Logged conversations in which one of the two was found. */
  conversations: number
  /** A user has marked it as not a duplicate. */
  is_dismissed: Generated<boolean>
  created_at: Timestamp
}
