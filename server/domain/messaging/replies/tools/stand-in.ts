// What stands in for knowledge, services and the web where an agent is tried and nothing may leave the server.
import type { SearchResponse } from '#shared/knowledge/knowledge.ts'
import type { BoundSource } from '#shared/tools/tools.ts'
import type { WebAccess } from './web-search.ts'

export type StandIn = {
  /** Who writes, as the server knows them. */
  customer: Record<BoundSource, string>
  search(query: string): Promise<SearchResponse>
  /** What any service of this kind answers. */
  service(kind: 'http' | 'mcp'): string
  web: WebAccess
}

/** A call that was answered in place of the service. */
export function standInResult(standIn: StandIn, kind: 'http' | 'mcp') {
  return { failure: null, status: 200, result: standIn.service(kind), durationMs: 0 }
}
