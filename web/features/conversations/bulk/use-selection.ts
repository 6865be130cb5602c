// The selection of conversations in the list, for bulk changes.

import { useEffect, useMemo, useRef, useState } from 'react'
import { BULK_MAX, SEARCH_SHOWN_MAX } from '#shared/limits.ts'
import type { Conversation, ConversationFilter, Matching } from '#shared/messaging/conversations.ts'
import { api } from '#web/api.ts'
import { useShortcut } from '#web/lib/browser/shortcuts.ts'
import { useAction, useQuery } from '#web/lib/server/convex.ts'
import { useMay } from '#web/lib/sign-in/permissions.tsx'
import { askedConversation } from '../filters/use-inbox-filters.ts'
import { findAll } from '../list/find-all.ts'
import { useBulkWork } from './bulk-work.ts'

type ConversationId = Conversation['_id']
/** Attribute of a row with the id of its conversation. */
export const ROW_ATTRIBUTE = 'data-conversation'
/**
 * Reach of the selection. `some`: not all loaded rows; `loaded`: all loaded rows while the list holds more, `count` being what selecting the
 * rest would select; `all`: including rows that are not loaded. `isCut`: the list holds more than can be changed at once.
 */
export type Reach = { name: 'some' | 'loaded' | 'all'; count: number; isCut: boolean }
export type Selection = {
  /** In the order of the list. */
  ids: ConversationId[]
  has: (id: ConversationId) => boolean
  /** Null when the list holds no more than is selected. */
  reach: Reach | null
  /** `isRange`: including everything between it and the last selected one. */
  toggle: (id: ConversationId, isRange: boolean) => void
  /** Selects all loaded rows; when they are already selected, the whole list. */
  chooseAll: () => void
  clear: () => void
}
/** `filter`, and the `words` of a search, with which rows that are not loaded are requested; without them only loaded rows exist. */
type Rest = { filter?: ConversationFilter | undefined; words?: string | undefined; canLoadMore: boolean }

/**
 * X selects the conversation of the focused row, otherwise the open one; Mod+A selects all loaded rows and, pressed again, the whole list;
 * Escape clears the selection. Conversations that leave the list are deselected.
 */
export function useSelection(conversations: Conversation[], openId: string | null, rest: Rest): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isAsked, setAsked] = useState(false)
  const [isBeyond, setBeyond] = useState(false)
  const anchor = useRef<ConversationId | null>(null)
  const loaded = useMemo(() => conversations.map(({ _id }) => _id), [conversations])
  // After Mod+A the rest stays on offer even while new conversations come in above.
  const isWhole = chosen.size > 0 && (isAsked || loaded.slice(0, BULK_MAX).every((id) => chosen.has(id)))
  const matching = useMatching(isBeyond || isWhole, rest)
  const all = isBeyond ? (matching?.conversationIds ?? loaded) : loaded
  const ids = useMemo(
    () => (chosen.size === 0 ? [] : all.filter((id) => chosen.has(id)).slice(0, BULK_MAX)),
    [all, chosen],
  )
  const shown = useMemo(() => new Set(ids), [ids])
  const choose = (these: Iterable<string>, as: { isAsked: boolean; isBeyond: boolean }) => {
    setChosen(new Set(these))
    setAsked(as.isAsked)
    setBeyond(as.isBeyond)
  }
  const clear = () => choose([], { isAsked: false, isBeyond: false })
  const toggle = (id: ConversationId, isRange: boolean) => {
    const from = isRange && anchor.current !== null ? loaded.indexOf(anchor.current) : -1
    const to = loaded.indexOf(id)
    anchor.current = id
    const next = new Set<string>(ids)
    if (from >= 0) for (const each of loaded.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(each)
    else if (!next.delete(id)) next.add(id)
    choose(next, { isAsked: false, isBeyond })
  }
  const chooseAll = () => {
    const hasMore = (isWhole || isBeyond) && matching !== undefined && matching.conversationIds.length > ids.length
    choose(hasMore ? matching.conversationIds : loaded, { isAsked: true, isBeyond: hasMore })
  }
  const chooseOne = () => {
    const id =
      loaded.find((each) => each === focusedRow()) ?? loaded.find((each) => each === (askedConversation() ?? openId))
    if (id) toggle(id, false)
  }
  const mayWrite = useMay('inbox.write')
  useShortcut('select', chooseOne, { isEnabled: mayWrite && loaded.length > 0 })
  useShortcut('selectAll', chooseAll, { isEnabled: mayWrite && loaded.length > 0 })
  useShortcut('clearSelection', clear, { isEnabled: ids.length > 0 })
  const reach = ids.length === 0 ? null : reachOf({ isBeyond, isWhole, ids, loaded, matching })
  return { ids, has: (id) => shown.has(id), reach, toggle, chooseAll, clear }
}

/** All matches in the list, of which only a part is loaded; undefined while unknown, or not wanted. */
function useMatching(isWanted: boolean, { filter, words, canLoadMore }: Rest): Matching | undefined {
  // Keeps the query after the rest is loaded too: scrolling must not change a selection of the whole list.
  const [wasCut, setCut] = useState(false)
  const isAsked = isWanted && filter !== undefined && (canLoadMore || wasCut)
  if (isAsked !== wasCut) setCut(isAsked)
  const listed: Matching | undefined = useQuery(
    api.conversations.matching,
    isAsked && words === undefined ? filter : 'skip',
  )
  const found = useAllFound(isAsked, words, filter)
  return words === undefined ? listed : found
}

/** Searches on demand, and again when a selected result has been changed. */
function useAllFound(
  isAsked: boolean,
  words: string | undefined,
  filter: ConversationFilter | undefined,
): Matching | undefined {
  const search = useAction(api.conversations.search)
  const { progress } = useBulkWork()
  const isRunning = progress !== null
  const [found, setFound] = useState<Matching>()
  useEffect(() => {
    if (!isAsked || isRunning || words === undefined) return
    let isLeft = false
    const show = (conversationIds: ConversationId[]) => {
      if (!isLeft) setFound({ conversationIds, isMore: conversationIds.length >= SEARCH_SHOWN_MAX })
    }
    findAll((cursor) => search({ query: words, ...filter, cursor })).then(show, () => undefined) // reported in a toast
    return () => {
      isLeft = true
    }
  }, [isAsked, isRunning, words, filter, search])
  return isAsked ? found : undefined
}

type Standing = {
  isBeyond: boolean
  isWhole: boolean
  ids: ConversationId[]
  loaded: ConversationId[]
  matching: Matching | undefined
}

function reachOf({ isBeyond, isWhole, ids, loaded, matching }: Standing): Reach | null {
  const count = Math.min(matching?.conversationIds.length ?? loaded.length, BULK_MAX)
  const isCut = matching?.isMore ?? loaded.length > BULK_MAX
  if (ids.length >= count && (isBeyond || isCut)) return { name: 'all', count: ids.length, isCut }
  if (isWhole && ids.length < count) return { name: 'loaded', count, isCut }
  return isWhole ? null : { name: 'some', count, isCut }
}

function focusedRow(): string | undefined {
  return document.activeElement?.closest<HTMLElement>(`[${ROW_ATTRIBUTE}]`)?.getAttribute(ROW_ATTRIBUTE) ?? undefined
}
