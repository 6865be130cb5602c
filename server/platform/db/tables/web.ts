// The web as a source of knowledge: what spaces allow to search, the searches of a day, and sites whose pages become documents.
import type { Generated } from 'kysely'
import type { WebSearchProvider } from '#shared/agents/web-search.ts'
import type { Id } from '#shared/ids.ts'
import type {
  PageReason,
  SiteErrorReason,
  SiteEveryHours,
  SiteMode,
  SitePageStatus,
  SiteStatus,
} from '#shared/knowledge/sites.ts'
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

/** A site whose pages become documents of a space. */
export interface SitesTable {
  id: Id<'sites'>
  organization_id: Id<'organizations'>
  knowledge_space_id: Id<'knowledgeSpaces'>
  url: string
  mode: SiteMode
  max_pages: number
  max_depth: number
  /** Null: only by hand. */
  every_hours: SiteEveryHours | null
  status: SiteStatus
  /** Null unless single pages are read again: the state to which the site goes back then. */
  status_before: Extract<SiteStatus, 'ready' | 'stopped' | 'error'> | null
  error_reason: SiteErrorReason | null
  /** Grows with every pass over all pages. */
  round: Generated<number>
  /** The last round for which it was found out where to begin: only such a one can tell which pages are gone. */
  seeded_round: Generated<number>
  /** Grows with every attempt and every stop; a worker of an older attempt may not write. */
  attempt: Generated<number>
  /** Last sign of life of the worker that reads or removes it; null unless there is one. */
  heartbeat_at: Timestamp | null
  last_synced_at: Timestamp | null
  next_sync_at: Timestamp | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface SitePagesTable {
  id: Id<'sitePages'>
  organization_id: Id<'organizations'>
  site_id: Id<'sites'>
  url: string
  title: Generated<string>
  /** Links between the site's address and the page. */
  depth: number
  /** The last round of the site that has found the page. */
  round: number
  status: SitePageStatus
  /** Somebody has asked for it to be read again, by itself. */
  is_retry: Generated<boolean>
  reason: PageReason | null
  /** What was known of it before that; null unless it is asked for. */
  status_before: SitePageStatus | null
  reason_before: PageReason | null
  /** Of what a reader saw when its document was last made; null: none is. */
  content_hash: string | null
  /** Null although there is a hash: a person has deleted the document. */
  document_id: Id<'documents'> | null
  fetched_at: Timestamp | null
}
