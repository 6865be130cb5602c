// One page of a site: fetched, compared with the stored one, and turned into a document, new content of one, or nothing.
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { PageReason } from '#shared/knowledge/sites.ts'
import { DOCUMENT_NAME_MAX } from '#shared/limits.ts'
import { addDocument, removeDocument, replaceDocument } from '../documents/documents.write.ts'
import { keepFile } from '../documents/files/files.keep.ts'
import type { WriteContext } from '../spaces/writes.ts'
import { isOfSite, siteAddress } from './site-addresses.rules.ts'
import * as store from './sites.sync.store.ts'
import type { Work } from './sites.work.ts'
import { type FetchedPage, fetchPage, PageError } from './web-page.fetch.ts'

/** Bytes of a stored page; more is never fetched. */
const FILE_MAX_BYTES = 10 * 1024 * 1024

/** Reasons that remove a page and its document; and those that only reject a new page. */
const GONE = new Set<PageReason>(['gone', 'not_a_page'])
const NOT_NEW = new Set<PageReason>(['elsewhere', 'empty'])

/** Visits a page and records the outcome. @throws the signal's reason when aborted */
export async function visitPage(work: Work, page: store.PendingPage): Promise<void> {
  if (!work.robots.mayRead(page.url)) return drop(work, page, 'robots')
  const visited = await look(work, page)
  if ('reason' in visited) {
    const { reason } = visited
    const isNone = GONE.has(reason) || (NOT_NEW.has(reason) && page.documentId === null)
    return isNone ? drop(work, page, reason) : miss(work, page, reason)
  }
  const address = siteAddress(visited.url) ?? page.url
  if (address !== page.url) return drop(work, page, 'redirect', { urls: [address], depth: page.depth })
  const found = { urls: linksOf(work, page, visited), depth: page.depth + 1 }
  if (!visited.mayIndex) return drop(work, page, 'robots', found)
  return take(work, page, visited, found)
}

/** Only another text than before makes a new content; a document that a person has deleted does not come back. */
async function take(work: Work, page: store.PendingPage, visited: FetchedPage, found: Links): Promise<void> {
  const { title, contentHash } = visited
  const isDeleted = page.contentHash !== null && page.documentId === null && !page.isAskedFor
  if (isDeleted || (page.documentId && page.contentHash === contentHash)) {
    const outcome = isDeleted ? ({ status: 'skipped', reason: 'deleted' } as const) : DONE
    return work.write(async (ctx) => {
      await store.addPages(ctx, work.claimed, found.urls, found.depth)
      await store.recordPage(ctx, page.id, { ...outcome, title })
    })
  }
  await keep(work, visited, async (ctx, content) => {
    await store.addPages(ctx, work.claimed, found.urls, found.depth)
    const documentId = page.documentId ?? content.id
    if (page.documentId) await replaceDocument(ctx, page.documentId, content)
    else await addDocument(ctx, work.claimed.knowledgeSpaceId, content)
    await store.recordPage(ctx, page.id, { ...DONE, title, contentHash, documentId })
  })
}

const DONE = { status: 'done', reason: null } as const

/** The page, or why there is none. An error of one page does not stop the others. */
async function look({ services, claimed, signal }: Work, page: store.PendingPage) {
  const isWanted = (url: URL) => isOfSite(url.href, claimed.url, claimed.mode)
  try {
    return await fetchPage(services, page.url, isWanted, signal)
  } catch (error) {
    signal.throwIfAborted()
    return { reason: error instanceof PageError ? error.reason : ('unreadable' as const) }
  }
}

/** Where to go from a page: nowhere from those of a sitemap, which lists all there is. */
function linksOf({ claimed }: Work, page: store.PendingPage, { links, mayFollow }: FetchedPage): string[] {
  if (!mayFollow || claimed.mode === 'sitemap' || page.depth >= claimed.maxDepth) return []
  const addresses = links.flatMap((link) => siteAddress(link) ?? [])
  return [...new Set(addresses)].filter((address) => isOfSite(address, claimed.url, claimed.mode))
}

/** The page is unavailable for now: its document stays. */
function miss({ write }: Work, page: store.PendingPage, reason: PageReason): Promise<void> {
  return write((ctx) => store.recordPage(ctx, page.id, { status: 'failed', reason }))
}

/** The page is not one, or not wanted: its document is removed. */
function drop(
  { claimed, write }: Work,
  page: store.PendingPage,
  reason: PageReason,
  found: Links = { urls: [], depth: 0 },
): Promise<void> {
  return write(async (ctx) => {
    await store.addPages(ctx, claimed, found.urls, found.depth)
    await store.recordPage(ctx, page.id, { status: 'skipped', reason, contentHash: null, documentId: null })
    if (page.documentId) await removeDocument(ctx, page.documentId)
  })
}

/** Pages that a page has led to. */
type Links = { urls: string[]; depth: number }
type Content = { id: Id<'documents'>; name: string; format: 'html'; fileKey: string; sizeBytes: number }

/** Stores the file and records it; deletes the file if it is no longer wanted. */
async function keep(
  { services, write }: Work,
  { title, url, bytes }: FetchedPage,
  record: (ctx: WriteContext, content: Content) => Promise<void>,
): Promise<void> {
  const id = newId('documents')
  const name = (title || decodeURI(new URL(url).pathname)).slice(0, DOCUMENT_NAME_MAX)
  const body = new Blob([new Uint8Array(bytes)]).stream()
  await keepFile(services.files, { key: id, body, maxBytes: FILE_MAX_BYTES }, async (sizeBytes) => {
    await write((ctx) => record(ctx, { id, name, format: 'html', fileKey: id, sizeBytes }))
    return { result: undefined, isNamed: true }
  })
}
