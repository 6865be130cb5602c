// Reads a site page by page: claim, find the start pages, visit pending pages, remove missing ones. Pages are rows, so a worker that dies,
// stops or runs out of time leaves only pending pages behind. Runs at least once, fenced by attempts as documents are.
import { OutboundError } from '#server/integrations/http/outbound.ts'
import type { Db, OrgStoreContext } from '#server/platform/db/database.ts'
import { defineJob, type JobSender } from '#server/platform/jobs/jobs.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { SiteErrorReason } from '#shared/knowledge/sites.ts'
import { SITE_PAGES_MAX } from '#shared/limits.ts'
import { STUCK_AFTER_MS, Superseded } from '../documents/attempts.ts'
import { removeDocuments } from '../documents/documents.write.ts'
import type { WriteContext } from '../spaces/writes.ts'
import { NO_ROBOTS, type Robots, readRobots } from './robots.rules.ts'
import { isOfSite, siteAddress } from './site-addresses.rules.ts'
import { readSitemap, type Sitemap } from './sitemap.rules.ts'
import { visitPage } from './sites.pages.ts'
import { removeSiteLater } from './sites.removal.ts'
import * as retries from './sites.retry.store.ts'
import * as store from './sites.sync.store.ts'
import type { SyncServices, Work } from './sites.work.ts'

export type SyncData = { organizationId: Id<'organizations'>; siteId: Id<'sites'> }

/** The whole site is unreadable. */
class SiteError extends Error {
  readonly reason: SiteErrorReason
  constructor(reason: SiteErrorReason, message: string) {
    super(message)
    this.name = 'SiteError'
    this.reason = reason
  }
}

/** Duration of one run of the job; the next one continues. */
const RUN_MS = 4 * 60_000
/** Between two pages, unless the site asks for more. */
const PAUSE_MS = 100
const ROBOTS_MAX_BYTES = 512 * 1024
const SITEMAP_MAX_BYTES = 10 * 1024 * 1024
const SITEMAPS_MAX = 50
const FORGET_AT_ONCE = 50

export const syncSiteJob = defineJob<SyncData, SyncServices>({
  name: 'knowledge.sync-site',
  limitSeconds: 600,
  concurrency: 2,
  isLocal: true,
  run: (services, data, signal) => syncSite(services, data, signal),
})

/** Starts due rounds, and resumes those that hang. */
export const dueSitesJob = defineJob<object, SyncServices>({
  name: 'knowledge.due-sites',
  limitSeconds: 60,
  concurrency: 1,
  schedule: '* * * * *',
  isBrief: true,
  run: (services) => startDueSites(services, new Date()),
})

/** Queues the reading of a site that is in state syncing. */
export function syncLater(ctx: OrgStoreContext & { jobs: JobSender<Db> }, siteId: Id<'sites'>): Promise<void> {
  return ctx.jobs.send(ctx.db, syncSiteJob, { organizationId: ctx.organizationId, siteId })
}

/** Safe to repeat. */
export async function startDueSites({ database, jobs }: SyncServices, now: Date): Promise<void> {
  const stuckSince = new Date(now.getTime() - STUCK_AFTER_MS)
  const due = await database.system('knowledge: due sites', (db) => store.listDue({ db }, now, stuckSince), {
    readOnly: true,
  })
  for (const { organizationId, siteId, isDueFor } of due) {
    await database.organization(organizationId, async (db) => {
      const ctx = { db, organizationId, jobs }
      if (isDueFor === 'removal') await removeSiteLater(ctx, siteId)
      else if (isDueFor === 'reader' || (await store.startRound(ctx, siteId, now))) await syncLater(ctx, siteId)
    })
  }
}

/** Safe to repeat and to run twice at the same time. @throws the signal's reason when the process stops */
export async function syncSite(services: SyncServices, data: SyncData, signal: AbortSignal): Promise<void> {
  const { organizationId, siteId } = data
  const inOrganization = <T>(run: (ctx: WriteContext) => Promise<T>) =>
    services.database.organization(
      organizationId,
      (db) => run({ db, organizationId, now: new Date(), jobs: services.jobs }),
      { isolation: 'read committed' },
    )
  const claimed = await inOrganization((ctx) => store.claimSite(ctx, siteId))
  if (!claimed) return
  const write: Work['write'] = (run) =>
    inOrganization(async (ctx) => {
      if (!(await store.touchSite(ctx, claimed))) throw new Superseded()
      return run(ctx)
    })
  try {
    const robots = await fetchRobots(services, claimed.url, signal)
    await readPages({ services, claimed, robots, signal, write })
  } catch (error) {
    if (error instanceof Superseded || error instanceof AppError) return // or its space was removed
    if (!(error instanceof SiteError)) throw error
    await inOrganization((ctx) => giveUp(ctx, claimed, error.reason))
  }
}

/** The site is unreadable: its documents stay. */
async function giveUp(ctx: WriteContext, claimed: store.Claimed, reason: SiteErrorReason): Promise<void> {
  if (!claimed.isRetry) return void (await store.finishRound(ctx, claimed, reason))
  await retries.missRetries(ctx, claimed)
  await retries.endRetries(ctx, claimed)
}

async function readPages(work: Work): Promise<void> {
  const { claimed, robots, signal, write } = work
  const endsAt = Date.now() + RUN_MS
  if (!claimed.isSeeded && !claimed.isRetry) {
    const seeds = await findSeeds(work)
    await write((ctx) => store.addSeeds(ctx, claimed, seeds))
  }
  for (;;) {
    const page = await write((ctx) => store.findPending(ctx, claimed))
    if (!page && (await isOver(work))) return
    if (!page) continue
    if (Date.now() > endsAt) return write((ctx) => syncLater(ctx, claimed.siteId))
    await visitPage(work, page)
    await pause(Math.max(PAUSE_MS, robots.delayMs), signal)
  }
}

/** A site without robots.txt allows everything; one that cannot say what it allows is left alone. */
async function fetchRobots({ outbound }: SyncServices, url: string, signal: AbortSignal): Promise<Robots> {
  try {
    const address = new URL('/robots.txt', url).href
    const { body } = await outbound.fetch(address, { maxBytes: ROBOTS_MAX_BYTES, signal })
    return readRobots(Buffer.from(body).toString('utf8'))
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.status !== null && error.status >= 400 && error.status < 500) return NO_ROBOTS
    throw new SiteError('unreachable', error.message)
  }
}

async function findSeeds(work: Work): Promise<string[]> {
  const { claimed, robots } = work
  if (claimed.mode === 'crawl') {
    if (!robots.mayRead(claimed.url)) throw new SiteError('robots', 'robots.txt does not allow the address')
    return [claimed.url]
  }
  const listed = await readSitemaps(work)
  const pages = listed.flatMap((url) => siteAddress(url) ?? []).filter((url) => isOfSite(url, claimed.url, 'sitemap'))
  if (pages.length === 0) throw new SiteError('no_pages', 'the sitemap lists no page of the site')
  return [...new Set(pages)].slice(0, claimed.maxPages)
}

/** The entries of the sitemap, and of the sitemaps that it lists. */
async function readSitemaps({ services, claimed, signal, write }: Work): Promise<string[]> {
  const pages: string[] = []
  const queue = [claimed.url]
  for (let number = 0; number < SITEMAPS_MAX && queue.length > 0 && pages.length < SITE_PAGES_MAX; number++) {
    const url = queue.shift() ?? ''
    if (number > 0) await write(async () => undefined) // a sign of life, and whether this is still wanted
    const sitemap = await fetchSitemap(services, url, signal).catch((error: unknown) => {
      if (number > 0 && error instanceof SiteError && error.reason === 'gone') return NO_SITEMAP
      throw error // without it, pages that it lists would seem gone
    })
    pages.push(...sitemap.pages)
    queue.push(...sitemap.sitemaps.filter((next) => URL.parse(next)?.host === new URL(claimed.url).host))
  }
  return pages
}

const NO_SITEMAP: Sitemap = { pages: [], sitemaps: [] }

async function fetchSitemap({ outbound }: SyncServices, url: string, signal: AbortSignal) {
  try {
    const { body } = await outbound.fetch(url, { maxBytes: SITEMAP_MAX_BYTES, signal })
    const sitemap = await readSitemap(body)
    if (!sitemap) throw new SiteError('not_a_sitemap', url)
    return sitemap
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw new SiteError(error.status === 404 || error.status === 410 ? 'gone' : 'unreachable', error.message)
  }
}

/** Ends the work when no page is pending. @returns whether it has ended */
async function isOver(work: Work): Promise<boolean> {
  const { claimed } = work
  if (claimed.isRetry) return endUnlessPending(work, (ctx) => retries.endRetries(ctx, claimed))
  return (await isRoundOver(work)) && finish(work)
}

/** The write locks the site: no page can be requested between the check and the end. */
function endUnlessPending({ claimed, write }: Work, end: (ctx: WriteContext) => Promise<unknown>): Promise<boolean> {
  return write(async (ctx) => {
    if (await store.findPending(ctx, claimed)) return false
    await end(ctx)
    return true
  })
}

/** Where pages were unavailable, those that they link to may only seem gone: they are visited separately, in the same round. */
function isRoundOver({ claimed, write }: Work): Promise<boolean> {
  return write(async (ctx) => {
    const { done, failed } = await store.sumUpRound(ctx, claimed)
    return done === 0 || failed === 0 || (await store.adoptUnseen(ctx, claimed)) === 0
  })
}

/**
 * Pages that the round has not found are removed, unless it has found nothing at all. @returns false when a page was requested meanwhile
 */
async function finish(work: Work): Promise<boolean> {
  const { claimed, write } = work
  const { done, firstReason } = await write((ctx) => store.sumUpRound(ctx, claimed))
  if (done === 0) throw new SiteError(firstReason ?? 'no_pages', 'no page of the site could be read')
  let isMore = true
  while (isMore) {
    isMore = await write(async (ctx) => {
      const documents = await store.forgetUnseen(ctx, claimed, FORGET_AT_ONCE)
      await removeDocuments(ctx, documents ?? [])
      return documents !== undefined
    })
  }
  return endUnlessPending(work, (ctx) => store.finishRound(ctx, claimed, null))
}

/** @throws the signal's reason when aborted */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
