// The web as a source of knowledge: search settings of spaces, recent searches, and sites whose pages become documents.
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

/** A space without a row has the defaults: its agents do not search the web. */
export interface WebSearchSettingsTable {
  knowledge_space_id: Id<'knowledgeSpaces'>
  organization_id: Id<'organizations'>
  is_enabled: boolean
  /** In ASCII and lower case; empty: the whole web. */
  domains: Json<string[]>
  daily_limit: number
  updated_at: Timestamp
}

/** One search, kept as long as a limit counts it. The query is not stored. */
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
  /** Null: only manually. */
  every_hours: SiteEveryHours | null
  status: SiteStatus
  /** Null unless single pages are being read again: the status that the site returns to. */
  status_before: Extract<SiteStatus, 'ready' | 'stopped' | 'error'> | null
  error_reason: SiteErrorReason | null
  /** Grows with every crawl of all pages. */
  round: Generated<number>
  /** The last round whose start pages were determined: only such a round can detect pages that are gone. */
  seeded_round: Generated<number>
  /** Grows with every attempt and every stop; a worker of an older attempt may not write. */
  attempt: Generated<number>
  /** Last heartbeat of the worker that reads or removes it; null unless there is one. */
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
  /** Number of links between the site's address and the page. */
  depth: number
  /** The last round of the site that found the page. */
  round: number
  status: SitePageStatus
  /** A user has requested to read this page again. */
  is_retry: Generated<boolean>
  reason: PageReason | null
  /** Its status before that request; null unless requested. */
  status_before: SitePageStatus | null
  reason_before: PageReason | null
  /** Hash of the content that its document was last made from; null: no document. */
  content_hash: string | null
  /** Null although there is a hash: a person has deleted the document. */
  document_id: Id<'documents'> | null
  fetched_at: Timestamp | null
}
