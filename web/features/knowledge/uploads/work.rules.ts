// Work on documents, tables and sites as the single list of the panel. Pure.
import type { Id } from '#shared/ids.ts'
import type { DocumentWork } from '#shared/knowledge/knowledge.ts'
import type { SiteWork } from '#shared/knowledge/sites.ts'
import type { TableWork } from '#shared/knowledge/tables.ts'
import { mayRetryHelp } from '../documents/document.rules.ts'

export type WorkEntry = {
  /** Unique among all kinds. */
  key: string
  name: string
  spaceSlug: string
  subject: { documentId: Id<'documents'> } | { tableId: Id<'tables'> } | { siteId: Id<'sites'> }
  step: 'uploading' | 'processing' | 'analyzing' | 'importing' | 'reading' | 'removing'
  /** 0 to 1; null while unknown. */
  progress: number | null
  canCancel: boolean
  /** For failures: whether a retry may succeed. */
  canRetry: boolean
  /** Null while it runs; `ended` is not reported: a user has cancelled it. */
  outcome: 'ready' | 'failed' | 'ended' | null
}
export type Work = { unfinished: WorkEntry[]; ended: WorkEntry[] }

type Listed<AllWork> = Omit<AllWork, 'unlisted'>

/** In the order documents, tables, sites. */
export function allWork(documents: Listed<DocumentWork>, tables: Listed<TableWork>, sites: Listed<SiteWork>): Work {
  const list = (part: keyof Work) => [
    ...documents[part].map(ofDocument),
    ...tables[part].map(ofTable),
    ...sites[part].map(ofSite),
  ]
  return { unfinished: list('unfinished'), ended: list('ended') }
}

function ofDocument(item: DocumentWork['ended'][number]): WorkEntry {
  return {
    key: item._id,
    name: item.name,
    spaceSlug: item.spaceSlug,
    subject: { documentId: item._id },
    step: item.status === 'uploading' ? 'uploading' : 'processing',
    progress: item.progress,
    canCancel: item.status === 'processing',
    canRetry: mayRetryHelp(item.errorReason),
    outcome: outcomeOf(item.status, item.errorReason),
  }
}

function ofTable({ chunks, ...item }: TableWork['ended'][number]): WorkEntry {
  const isImport = item.status === 'importing'
  return {
    key: item._id,
    name: item.name,
    spaceSlug: item.spaceSlug,
    subject: { tableId: item._id },
    step: isImport ? 'importing' : 'analyzing',
    progress: chunks.total ? (chunks.ready + chunks.failed) / chunks.total : null,
    canCancel: true,
    canRetry: true,
    outcome: outcomeOf(item.status, item.errorReason),
  }
}

function ofSite({ pages, ...item }: SiteWork['ended'][number]): WorkEntry {
  const read = pages.done + pages.failed + pages.skipped
  const isRead = item.status !== 'removing'
  return {
    key: item._id,
    name: item.url.replace(/^https?:\/\//, '').replace(/\/$/, ''),
    spaceSlug: item.spaceSlug,
    subject: { siteId: item._id },
    step: isRead ? 'reading' : 'removing',
    progress: isRead && read > 0 ? read / (read + pages.pending) : null,
    canCancel: isRead,
    canRetry: true,
    outcome: outcomeOf(item.status, item.errorReason),
  }
}

function outcomeOf(status: string, errorReason: string | null): WorkEntry['outcome'] {
  if (status === 'ready') return 'ready'
  if (status === 'error') return errorReason === 'cancelled' ? 'ended' : 'failed'
  return status === 'stopped' ? 'ended' : null
}
