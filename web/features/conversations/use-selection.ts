// Which conversations of the list are chosen to be changed together.
import { useMemo, useRef, useState } from 'react'
import type { Conversation } from '#shared/conversations.ts'
import { BULK_MAX } from '#shared/limits.ts'
import { useShortcut } from '#web/lib/shortcuts.ts'

type ConversationId = Conversation['_id']
/** Names on a row of the list the conversation that it shows. */
export const ROW_ATTRIBUTE = 'data-conversation'
export type Selection = {
  /** Those that are shown, in the order of the list. */
  ids: ConversationId[]
  has: (id: ConversationId) => boolean
  /** `isRange`: with everything between it and the one that was chosen before. */
  toggle: (id: ConversationId, isRange: boolean) => void
  clear: () => void
}

/** X chooses the conversation in whose row the focus is, else the open one, Mod+A all that are loaded, Escape none. What leaves the list is chosen no more. */
export function useSelection(conversations: Conversation[], openId: string | null): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const anchor = useRef<ConversationId | null>(null)
  const all = useMemo(() => conversations.map(({ _id }) => _id), [conversations])
  const ids = useMemo(
    () => (chosen.size === 0 ? [] : all.filter((id) => chosen.has(id)).slice(0, BULK_MAX)),
    [all, chosen],
  )
  const shown = useMemo(() => new Set(ids), [ids])
  const clear = () => setChosen(new Set())
  const toggle = (id: ConversationId, isRange: boolean) => {
    const from = isRange && anchor.current !== null ? all.indexOf(anchor.current) : -1
    const to = all.indexOf(id)
    anchor.current = id
    const next = new Set<string>(ids)
    if (from >= 0) for (const each of all.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(each)
    else if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  const choose = () => {
    const id = all.find((each) => each === focusedRow()) ?? all.find((each) => each === openId)
    if (id) toggle(id, false)
  }
  useShortcut('select', choose, { isEnabled: all.length > 0 })
  useShortcut('selectAll', () => setChosen(new Set(all)), { isEnabled: all.length > 0 })
  useShortcut('clearSelection', clear, { isEnabled: ids.length > 0 })
  return { ids, has: (id) => shown.has(id), toggle, clear }
}

function focusedRow(): string | undefined {
  return document.activeElement?.closest<HTMLElement>(`[${ROW_ATTRIBUTE}]`)?.getAttribute(ROW_ATTRIBUTE) ?? undefined
}
