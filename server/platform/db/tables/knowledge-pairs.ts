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
  /** Of both texts; unique in the space. The same texts are the same pair wherever they stand. */
  key: string
  first_chunk_id: Id<'chunks'>
  second_chunk_id: Id<'chunks'>
  first: Json<PairSide>
  second: Json<PairSide>
  /** In which one of the two was found, of those that are logged. */
  conversations: number
  /** Somebody has said that it is none. */
  is_dismissed: Generated<boolean>
  created_at: Timestamp
}
