// Remembers for five minutes which id, slug and name belong together, so that a link by id need not wait for the server.
import { SLUG_CACHE_MS } from '#shared/limits.ts'

export type EntityKind = 'agent' | 'knowledgeSpace'
export type EntityNames = { _id: string; slug: string; name: string }

const VERSION = 2
type Entry = EntityNames & { at: number }

/** Remembers one agent or space of an organization. */
export function rememberEntity(kind: EntityKind, organizationId: string, { _id, slug, name }: EntityNames): void {
  const now = Date.now()
  const others = readEntries(kind, organizationId).filter((entry) => entry._id !== _id && isFresh(entry, now))
  try {
    sessionStorage.setItem(storageKey(kind, organizationId), JSON.stringify([...others, { _id, slug, name, at: now }]))
  } catch {
    // Without storage every lookup asks the server.
  }
}

/** What is remembered under an id or slug; undefined when nothing is, or for too long. */
export function recallEntity(kind: EntityKind, organizationId: string, identifier: string): EntityNames | undefined {
  const now = Date.now()
  return readEntries(kind, organizationId).find(
    (entry) => (entry._id === identifier || entry.slug === identifier) && isFresh(entry, now),
  )
}

/** Forgets everything, at sign-out. */
export function forgetEntities(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  } catch {
    // nothing was stored either
  }
}

const PREFIX = `parley-slugs-v${VERSION}`

function storageKey(kind: EntityKind, organizationId: string): string {
  return `${PREFIX}:${kind}:${organizationId}`
}

function isFresh(entry: Entry, now: number): boolean {
  return now - entry.at < SLUG_CACHE_MS
}

function readEntries(kind: EntityKind, organizationId: string): Entry[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey(kind, organizationId)) ?? '[]')
    return Array.isArray(stored) ? (stored as Entry[]) : []
  } catch {
    return []
  }
}
