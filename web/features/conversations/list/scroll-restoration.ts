// The scroll position in a list of conversations: the visible rows, and their place after others have been inserted above.
import { type InboxQuery, withQuery } from '../filters/use-inbox-filters.ts'

/** A visible row, and its index in the list. */
export type SeenRow = { id: string; index: number }
export type ListScroll = {
  /** Scroll offset, CSS pixels. */
  offset: number
  seen: SeenRow[]
  /** The first row at the time when the reader scrolled away from the top. */
  firstId: string | null
  /** Number of loaded rows. */
  loaded: number
  /** The conversation that was opened from the list, or reached from it by next and previous. */
  openedId: string | null
  /** It was opened elsewhere since, so it may be outside the visible part of the list. */
  isToReveal: boolean
}

/** A smaller offset counts as the top, CSS pixels. */
export const TOP_SLACK_PX = 24
const STORAGE_KEY = 'parley-list-places'
/** Number of lists whose position is kept. */
const LISTS_MAX = 20

/**
 * The number of rows by which the visible rows have moved down. The majority decides, so that a row that has moved elsewhere or to the top
 * does not move the reader along with it.
 */
export function shiftOf(seen: readonly SeenRow[], ids: readonly string[]): number {
  const counts = new Map<number, number>()
  for (const { id, index } of seen) {
    const now = ids.indexOf(id)
    if (now >= 0) counts.set(now - index, (counts.get(now - index) ?? 0) + 1)
  }
  let [shift, most] = [0, 0]
  for (const [each, count] of counts) if (count > most) [shift, most] = [each, count]
  return shift
}

/** The key of a list: its filters, order and search words. */
export function listKey(query: InboxQuery): string {
  return withQuery('', { ...query, conversation: null, message: null })
}

/** Undefined for a list that was not shown in this tab, or was evicted since. */
export function readScroll(key: string): ListScroll | undefined {
  return readScrolls().find(([each]) => each === key)?.[1]
}

export function keepScroll(key: string, place: ListScroll): void {
  const others = readScrolls().filter(([each]) => each !== key)
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify([[key, place], ...others].slice(0, LISTS_MAX)))
  } catch {
    // Without storage the list starts at its top.
  }
}

/** Records that the reader went on to another conversation of the list on its own page. */
export function keepOpened(key: string, openedId: string): void {
  const place = readScroll(key) ?? { offset: 0, seen: [], firstId: null, loaded: 0 }
  keepScroll(key, { ...place, openedId, isToReveal: true })
}

/** The row to scroll to when the list is shown: one that was opened elsewhere. Null when the reader has scrolled away from it. */
export function revealedId(left: ListScroll | undefined, selectedId: string | null): string | null {
  if (selectedId !== null && selectedId !== left?.openedId) return selectedId
  return left?.isToReveal ? left.openedId : null
}

function readScrolls(): [string, ListScroll][] {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]') as [string, ListScroll][]
  } catch {
    return []
  }
}
