// The web as a source of knowledge: what spaces allow to search, and the searches of a day.
import type { Id } from '#shared/ids.ts'
import type { WebSearchProvider } from '#shared/web-search.ts'
import type { Json, Timestamp } from './columns.ts'

/** A space without a row is as nobody has changed it: its agents do not search the web. */
export interface WebSearchSettingsTable {
  knowledge_space_id: Id<'knowledgeSpaces'>
  organization_id: Id<'organizations'>
  is_enabled: boolean
  /** In ASCII and lower case; empty: the whole web. */
  domains: Json<string[]>
  daily_limit: number
  updated_at: Timestamp
}

/** One search that was asked for, kept as long as a limit counts it. What was asked is not kept. */
export interface WebSearchesTable {
  id: string
  organization_id: Id<'organizations'>
  knowledge_space_id: Id<'knowledgeSpaces'>
  provider: WebSearchProvider
  created_at: Timestamp
}
