// Where the reader stands in a list of conversations: the rows before their eyes, and where these are when others have come before them.
import { type InboxQuery, withQuery } from '../filters/use-inbox-filters.ts'

/** A row that is seen, and its number in the list. */
export type SeenRow = { id: string; index: number }
export type ListScroll = {
  /** How far the list is scrolled, CSS pixels. */
  offset: number
  seen: SeenRow[]
  /** The first of the list when its top was left. */
  firstId: string | null
  /** How many rows were loaded. */
  loaded: number
  /** The conversation that was opened from the list, or that was reached from it step by step. */
  openedId: string | null
  /** It was opened elsewhere since, so that it may stand where the list does not show it. */
  isToReveal: boolean
}

/** Scrolled less than this counts as being at the top, CSS pixels. */
export const TOP_SLACK_PX = 24
const STORAGE_KEY = 'parley-list-places'
/** Lists of which the place is kept. */
const LISTS_MAX = 20

/**
 * By how many rows what was seen stands further down now: as most of it does, so that a row that has left for another place, or for the top,
 * takes nobody along.
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

/** Names a list: what it is filtered by, its order, and the words that are searched for. */
export function listKey(query: InboxQuery): string {
  return withQuery('', { ...query, conversation: null, message: null })
}

/** Undefined for a list that was not seen in this tab, or too long ago. */
export function readScroll(key: string): ListScroll | undefined {
  return readScrolls().find(([each]) => each === key)?.[1]
}

export function keepScroll(key: string, place: ListScroll): void {
  const others = readScrolls().filter(([each]) => each !== key)
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify([[key, place], ...others].slice(0, LISTS_MAX)))
  } catch {
    // Without storage the list begins at its top.
  }
}

/** The reader has gone on to another conversation of the list on a page of its own. */
export function keepOpened(key: string, openedId: string): void {
  const place = readScroll(key) ?? { offset: 0, seen: [], firstId: null, loaded: 0 }
  keepScroll(key, { ...place, openedId, isToReveal: true })
}

/** What the list is to bring before the eyes when it is shown: what was opened elsewhere. Who has scrolled away from it is left there. */
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
