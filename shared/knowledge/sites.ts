// Sites of the web whose pages become documents of a space.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { SITE_DEPTH_MAX, SITE_PAGES_MAX } from '#shared/limits.ts'
import { id, paginationOpts } from '#shared/schema.ts'
import type { DocumentStatus } from './knowledge.ts'

/** How pages are found: by the links of pages, from the address on; or as the sitemap at the address lists them. */
export const SITE_MODES = ['crawl', 'sitemap'] as const
export type SiteMode = (typeof SITE_MODES)[number]

/** Intervals after which a site is read again automatically, hours. */
export const SITE_EVERY_HOURS = [24, 168, 720] as const
export type SiteEveryHours = (typeof SITE_EVERY_HOURS)[number]

/**
 * syncing ─► ready
 *   │  ▲  └─► error     nothing of the site could be read; what was there stays
 *   │  └───────┴── sync, by hand or when its time has come, from any other state
 *   └──► stopped        by hand; what was read stays
 *
 * While single pages are read again a site is syncing as well, and goes back to where it was.
 * From any state to removing: its documents go bit by bit, then the site.
 */
export type SiteStatus = 'syncing' | 'ready' | 'stopped' | 'error' | 'removing'

/** pending ─► done | skipped (it is not wanted) | failed (it was unavailable; its document stays) */
export type SitePageStatus = 'pending' | 'done' | 'skipped' | 'failed'

/** Why a page cannot be used. */
export type PageFailure = 'unreachable' | 'gone' | 'refused' | 'elsewhere' | 'not_a_page' | 'empty' | 'unreadable'
/**
 * Further reasons to skip a page: it or robots.txt forbids it, it is another address of another page, a person has deleted its document.
 */
export type PageReason = PageFailure | 'robots' | 'redirect' | 'deleted'
/** Why a whole site could not be read. */
export type SiteErrorReason = PageReason | 'not_a_sitemap' | 'no_pages'

const siteId = id('sites')
const everyHours = z.nullable(z.union(SITE_EVERY_HOURS.map((hours) => z.literal(hours))))
const maxPages = z.number().check(z.int(), z.minimum(1), z.maximum(SITE_PAGES_MAX))
const maxDepth = z.number().check(z.int(), z.minimum(0), z.maximum(SITE_DEPTH_MAX))

export const sitesInput = z.strictObject({ knowledgeSpaceId: id('knowledgeSpaces') })
export const createSiteInput = z.strictObject({
  knowledgeSpaceId: id('knowledgeSpaces'),
  url: z.string().check(z.trim(), z.minLength(1), z.maxLength(2000)),
  mode: z.enum(SITE_MODES),
  maxPages: z.optional(maxPages),
  maxDepth: z.optional(maxDepth),
  everyHours: z.optional(everyHours),
})
export const siteInput = z.strictObject({ siteId })
export const updateSiteInput = z.strictObject({
  siteId,
  patch: z.strictObject({
    maxPages: z.optional(maxPages),
    maxDepth: z.optional(maxDepth),
    everyHours: z.optional(everyHours),
  }),
})
export const sitePagesInput = z.strictObject({ siteId, paginationOpts })
export const sitePageInput = z.strictObject({ sitePageId: id('sitePages') })

export type Site = {
  _id: Id<'sites'>
  knowledgeSpaceId: Id<'knowledgeSpaces'>
  /** Where reading begins. */
  url: string
  mode: SiteMode
  maxPages: number
  /** Links between the address and a page at most. */
  maxDepth: number
  /** Null: only by hand. */
  everyHours: SiteEveryHours | null
  status: SiteStatus
  errorReason: SiteErrorReason | null
  /** How many pages are in which state. */
  pages: Record<SitePageStatus, number>
  lastSyncedAt: number | null
  nextSyncAt: number | null
}

/** A site in the list of work, which spans all spaces. */
export type SiteWorkItem = Pick<Site, '_id' | 'url' | 'status' | 'errorReason'> & {
  /** How many are in which state, while the site is being read or removed. */
  pages: Site['pages']
  spaceSlug: string
}
/** What is being done with sites, the newest of it, and the ones that came to an end last. `unlisted`: how much more is being done. */
export type SiteWork = { unfinished: SiteWorkItem[]; unlisted: number; ended: SiteWorkItem[] }

export type SitePage = {
  _id: Id<'sitePages'>
  url: string
  /** Empty until the page was read. */
  title: string
  status: SitePageStatus
  reason: PageReason | null
  /** Its document; null where there is none. */
  document: { _id: Id<'documents'>; status: DocumentStatus } | null
  fetchedAt: number | null
}
