// The contract of retrieval: ONE search for tester, test chat and channels, and keeping the index in step with the chunks.
import type { OrgStoreContext } from '#server/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { SearchResponse } from '#shared/knowledge.ts'

export type SearchRequest = {
  spaceIds: Id<'knowledgeSpaces'>[]
  query: string
  /** Hits at most. */
  limit: number
  /** Stop adding hits when their texts exceed this many tokens. */
  tokenBudget?: number
}

export interface Retrieval {
  /** Best chunks of some spaces of one organization. Final hits are checked against the database: a deleted chunk is never returned. */
  search(ctx: OrgStoreContext, request: SearchRequest): Promise<SearchResponse>
}
