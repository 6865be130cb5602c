// The one registry of keyboard shortcuts. Keys are matched by position (event.code), so they work on a Russian layout.
// A shortcut is active only while a mounted component uses it with useShortcut; the shortcut sheet lists exactly those.
import { useEffect, useSyncExternalStore } from 'react'
import { useHotkeys } from 'react-hotkeys-hook'
import { useIsCurrent } from '#web/lib/action-scope.tsx'
import { actUnlessTyping, followTyping } from '#web/lib/typing-burst.ts'

type Shortcut = {
  /** `mod` is Cmd on a Mac and Ctrl elsewhere; `g>a` is G, then A. The first of several is the one shown. */
  keys: readonly string[]
  group: 'general' | 'navigation' | 'page'
  /** Active in text fields too, or there with Alt only. Never for keys that type text: Alt with E is a letter in some languages. */
  worksWhileTyping?: boolean | 'withAlt'
  /** Runs without waiting for whether its key starts a text: it can be undone, or moves into a field. */
  isAtOnce?: boolean
}

const REGISTRY = {
  openPalette: { keys: ['mod+k'], group: 'general', worksWhileTyping: true },
  openSheet: { keys: ['mod+slash', 'shift+slash'], group: 'general' },
  toggleSidebar: { keys: ['mod+b'], group: 'general' },
  goAgents: { keys: ['g>a'], group: 'navigation' },
  goKnowledge: { keys: ['g>k'], group: 'navigation' },
  goTest: { keys: ['g>t'], group: 'navigation' },
  goChats: { keys: ['g>c'], group: 'navigation' },
  goChannels: { keys: ['g>h'], group: 'navigation' },
  goAnalytics: { keys: ['g>y'], group: 'navigation' },
  goIntegrations: { keys: ['g>i'], group: 'navigation' },
  goAdmin: { keys: ['g>d'], group: 'navigation' },
  goSettings: { keys: ['g>s'], group: 'navigation' },
  save: { keys: ['mod+s'], group: 'page', worksWhileTyping: true },
  send: { keys: ['mod+enter'], group: 'page', worksWhileTyping: true },
  writeNote: { keys: ['alt+p'], group: 'page', worksWhileTyping: true },
  writeReply: { keys: ['alt+l'], group: 'page', worksWhileTyping: true },
  newItem: { keys: ['shift+n'], group: 'page' },
  searchList: { keys: ['shift+f', 'slash'], group: 'page' },
  clearFilters: { keys: ['f>c'], group: 'page' },
  select: { keys: ['x'], group: 'page' },
  selectAll: { keys: ['mod+a'], group: 'page' },
  clearSelection: { keys: ['escape'], group: 'page' },
  archive: { keys: ['e'], group: 'page' },
  assign: { keys: ['a'], group: 'page' },
  end: { keys: ['alt+e'], group: 'page' },
  endAndNext: { keys: ['mod+alt+e'], group: 'page' },
  nextItem: { keys: ['j', 'alt+j'], group: 'page', worksWhileTyping: 'withAlt', isAtOnce: true },
  previousItem: { keys: ['k', 'alt+k'], group: 'page', worksWhileTyping: 'withAlt', isAtOnce: true },
} satisfies Record<string, Shortcut>

export type ShortcutName = keyof typeof REGISTRY
const MODALS = ['dialog', 'alertdialog', 'menu', 'listbox'].map((role) => `[role="${role}"][data-state="open"]`).join()
/** Elements that take typed text. */
const FIELDS = 'input, textarea, select, [contenteditable="true"]'
/** Maximum time between the two keys of a chord, in ms. */
const CHORD_TIMEOUT_MS = 1200
const SINGLE_KEYS_KEY = 'parley-single-keys'

/** Number of prioritized handlers per shortcut (see `isFirst`). */
const firsts = new Map<ShortcutName, number>()
const takers = new Map<ShortcutName, number>()
const listeners = new Set<() => void>()
/** Key presses that belong to a window, menu or list over the page. */
const forModals = new WeakSet<Event>()
/** Key presses that are the second key of a chord in use. */
const chordEnds = new WeakSet<Event>()
/** A possible first key of a chord, and when it was pressed. */
let begun: { key: string; at: number } | null = null
let active: readonly ShortcutName[] = []
let hasSingleKeys = readSingleKeys()

/**
 * Runs `act` when the shortcut is pressed while the component is mounted and its page is the one requested in the address. The browser's
 * default action is prevented.
 *
 * @param options isFirst: takes precedence over other handlers of the shortcut
 */
export function useShortcut(
  name: ShortcutName,
  act: () => void,
  { isEnabled = true, isFirst = false }: { isEnabled?: boolean; isFirst?: boolean } = {},
): void {
  const shortcut: Shortcut = REGISTRY[name]
  const singleKeys = useSingleKeys()
  const isCurrent = useIsCurrent()
  const isWhole = (event: KeyboardEvent) => !isChord(name) || chordEnds.has(event) // the library itself only checks two positions
  useHotkeys(
    shortcut.keys.filter((keys) => singleKeys || hasModifier(keys)),
    (event) => {
      const isAtOnce = shortcut.isAtOnce ?? event.code === 'Slash'
      if (isWhole(event) && isCurrent()) actUnlessTyping(act, { isAtOnce })
    },
    {
      enabled: isEnabled,
      preventDefault: isWhole,
      enableOnFormTags: shortcut.worksWhileTyping !== undefined,
      enableOnContentEditable: shortcut.worksWhileTyping !== undefined,
      ignoreEventWhen: (event) =>
        chordEnds.has(event) ||
        (shortcut.worksWhileTyping !== true && forModals.has(event)) ||
        (shortcut.worksWhileTyping === 'withAlt' && isTyping(event) && !event.altKey) ||
        (!isFirst && (firsts.get(name) ?? 0) > 0),
      sequenceTimeoutMs: CHORD_TIMEOUT_MS,
    },
    [act, isFirst],
  )
  useEffect(() => {
    if (!isEnabled) return
    take(name, 1, isFirst)
    return () => take(name, -1, isFirst)
  }, [name, isEnabled, isFirst])
}

/** Shortcuts with a handler on the current page, in the order of the registry. */
export function useActiveShortcuts(): readonly ShortcutName[] {
  return useSyncExternalStore(subscribe, () => active)
}

/** The group of a shortcut in the shortcut sheet. */
export function shortcutGroup(name: ShortcutName): Shortcut['group'] {
  return REGISTRY[name].group
}

/** The keys as printed on the keyboard: `['Ctrl', 'K']`, on a Mac `['⌘', 'K']`, for chords `['G', 'A']`. */
export function shortcutKeys(name: ShortcutName): string[] {
  return (REGISTRY[name].keys[0] ?? '').split(/[+>]/).map(keyLabel)
}

/** Whether the keys are pressed one after the other. */
export function isChord(name: ShortcutName): boolean {
  return (REGISTRY[name].keys[0] ?? '').includes('>')
}

/** Whether shortcuts without Ctrl, Cmd or Alt are enabled: a setting of the profile. */
export function useSingleKeys(): boolean {
  return useSyncExternalStore(subscribe, () => hasSingleKeys)
}

/** Stores and applies the choice. */
export function setSingleKeys(isOn: boolean): void {
  try {
    localStorage.setItem(SINGLE_KEYS_KEY, isOn ? 'on' : 'off')
  } catch {
    // Storage may be forbidden; the choice then lasts until the page is closed.
  }
  hasSingleKeys = isOn
  notify()
}

function take(name: ShortcutName, change: 1 | -1, isFirst: boolean): void {
  if (isFirst) firsts.set(name, (firsts.get(name) ?? 0) + change)
  takers.set(name, (takers.get(name) ?? 0) + change)
  active = (Object.keys(REGISTRY) as ShortcutName[]).filter((each) => (takers.get(each) ?? 0) > 0)
  notify()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notify(): void {
  for (const listener of listeners) listener()
}

function readSingleKeys(): boolean {
  try {
    return localStorage.getItem(SINGLE_KEYS_KEY) !== 'off'
  } catch {
    return true
  }
}

function hasModifier(keys: string): boolean {
  return /\b(mod|alt)\+/.test(keys)
}

/**
 * Keeps keys inside an open menu, list or window: there a letter selects an entry, and Escape closes only that. Captured before other
 * handlers run: what Escape closes is gone by the time the shortcuts run.
 */
window.addEventListener(
  'keydown',
  (event) => {
    if (document.querySelector(MODALS)) forModals.add(event)
    followChord(event)
    followTyping(event, {
      isInField: isTyping(event),
      isForModal: forModals.has(event),
      isTaken: chordEnds.has(event) || isTakenKey(event),
    })
  },
  { capture: true },
)

/** Reserves the second key of a chord: G, then A opens the agents and assigns no conversation. */
function followChord(event: KeyboardEvent): void {
  const isModifier = /^(Shift|Control|Alt|Meta)/.test(event.code)
  if (isModifier || event.code === undefined) return
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey
  const isForPage = !forModals.has(event) && !isTyping(event)
  const key = isPlain && isForPage ? event.code.replace('Key', '').toLowerCase() : null
  const first = begun && event.timeStamp - begun.at <= CHORD_TIMEOUT_MS ? begun.key : null
  begun = key === null || key === first ? null : { key, at: event.timeStamp }
  if (first === null || key === null || !isTakenChord(`${first}>${key}`)) return
  begun = null
  chordEnds.add(event)
}

function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest(FIELDS) !== null
}

/** Whether a shortcut in use is this key alone, or starts with it. */
function isTakenKey(event: KeyboardEvent): boolean {
  const key = (event.shiftKey ? 'shift+' : '') + (event.code ?? '').replace('Key', '').toLowerCase()
  return hasSingleKeys && active.some((name) => REGISTRY[name].keys.some((each) => each.split('>')[0] === key))
}

function isTakenChord(keys: string): boolean {
  return hasSingleKeys && active.some((name) => REGISTRY[name].keys.some((each) => each === keys))
}

function keyLabel(key: string): string {
  const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)
  switch (key) {
    case 'mod':
      return isMac ? '⌘' : 'Ctrl'
    case 'alt':
      return isMac ? '⌥' : 'Alt'
    case 'shift':
      return isMac ? '⇧' : 'Shift'
    case 'slash':
      return '/'
    case 'enter':
      return isMac ? '↵' : 'Enter'
    default:
      return key.toUpperCase()
  }
}
