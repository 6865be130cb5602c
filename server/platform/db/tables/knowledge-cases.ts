// Test sets of spaces.
import type { Id } from '#shared/ids.ts'
import type { ExpectedPassage } from '#shared/knowledge/knowledge-cases.ts'
import type { Json, Timestamp } from './columns.ts'

/** One question; unique in its space. */
export interface KnowledgeCasesTable {
  id: Id<'knowledgeCases'>
  organization_id: Id<'organizations'>
  knowledge_space_id: Id<'knowledgeSpaces'>
  question: string
  /** Never empty. */
  expected: Json<ExpectedPassage[]>
  created_at: Timestamp
}
