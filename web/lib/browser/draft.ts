// Text that is being typed, kept in the browser's storage: in that of the tab, where it survives a reload and a lost session, or in that of the
// browser, where it survives a closed tab, too, until it is old or the person signs out.
import { useCallback, useSyncExternalStore } from 'react'
import { DRAFT_DAYS, DRAFTS_MAX } from '#shared/limits.ts'

/** The next text, or what becomes of the one that stands there now. */
export type DraftChange = string | ((now: string) => string)
type Kept = { text: string; at: number }

const PREFIX = 'parley-draft:'

/** Drafts of one storage. Without it, or when it is full, a draft lasts as long as the page. */
class Drafts {
  readonly #storage: () => Storage
  /** What the storage did not take. */
  readonly #refused = new Map<string, string>()
  readonly #listeners = new Set<() => void>()

  constructor(storage: () => Storage) {
    this.#storage = storage
  }

  /** Empty when there is none. */
  read(key: string): string {
    return this.#refused.get(key) ?? this.#load(key)?.text ?? ''
  }

  /** An empty text is forgotten. */
  change(key: string, change: DraftChange): void {
    const before = this.read(key)
    const text = typeof change === 'string' ? change : change(before)
    if (text === before) return
    if (text) this.#save(key, text, before === '')
    else this.#remove(key)
    this.#notify()
  }

  /** Those of which the key begins so. */
  keys(beginning: string): string[] {
    return this.#stored()
      .map(({ key }) => key)
      .filter((key) => key.startsWith(beginning))
  }

  forget(): void {
    for (const { key } of this.#stored()) this.#remove(key)
    this.#refused.clear()
    this.#notify()
  }

  /** Hears changes of other tabs, too. */
  readonly subscribe = (listener: () => void): (() => void) => {
    const onStorage = ({ key }: StorageEvent) => {
      if (key === null || key.startsWith(PREFIX)) listener()
    }
    window.addEventListener('storage', onStorage)
    this.#listeners.add(listener)
    return () => {
      window.removeEventListener('storage', onStorage)
      this.#listeners.delete(listener)
    }
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }

  #save(key: string, text: string, isNew: boolean): void {
    try {
      if (isNew) this.#dropOld()
      this.#storage().setItem(PREFIX + key, JSON.stringify({ text, at: Date.now() } satisfies Kept))
      this.#refused.delete(key)
    } catch {
      this.#refused.set(key, text)
    }
  }

  #remove(key: string): void {
    this.#refused.delete(key)
    try {
      this.#storage().removeItem(PREFIX + key)
    } catch {
      // nothing was stored either
    }
  }

  /** Makes room for one more: the old ones go, and the oldest of too many. */
  #dropOld(): void {
    const oldest = Date.now() - DRAFT_DAYS * 86_400_000
    const newestFirst = this.#stored().sort((a, b) => b.at - a.at)
    for (const [index, { key, at }] of newestFirst.entries()) {
      if (at < oldest || index >= DRAFTS_MAX - 1) this.#remove(key)
    }
  }

  #stored(): (Kept & { key: string })[] {
    try {
      return Object.keys(this.#storage())
        .filter((name) => name.startsWith(PREFIX))
        .map((name) => name.slice(PREFIX.length))
        .map((key) => ({ key, ...(this.#load(key) ?? { text: '', at: 0 }) }))
    } catch {
      return []
    }
  }

  /** Undefined also for what is too old. */
  #load(key: string): Kept | undefined {
    try {
      const { text, at } = JSON.parse(this.#storage().getItem(PREFIX + key) ?? '{}') as Partial<Kept>
      const isKept = typeof text === 'string' && typeof at === 'number' && Date.now() - at < DRAFT_DAYS * 86_400_000
      return isKept ? { text, at } : undefined
    } catch {
      return undefined
    }
  }
}

const ofTab = new Drafts(() => sessionStorage)
/** Those that survive a closed tab. */
export const lastingDrafts = new Drafts(() => localStorage)

/**
 * State like useState for a text, kept for this tab under `key`.
 *
 * @param key names the place, for example `test-chat:<id>`
 * @returns with what changes it, also after the component is gone
 */
export function useDraft(key: string): [string, (change: DraftChange) => void] {
  return useKept(ofTab, key)
}

/** The same, kept for all tabs of the browser, under the first of the keys under which something stands, else under the first. */
export function useLastingDraft(keys: [string, ...string[]]): [string, (change: DraftChange) => void] {
  const key = useSyncExternalStore(lastingDrafts.subscribe, () => keys.find((each) => lastingDrafts.read(each) !== ''))
  return useKept(lastingDrafts, key ?? keys[0])
}

/** A text that comes back to where something else may have been typed meanwhile: both stay. */
export function withReturned(text: string, now: string): string {
  if (text === '') return now
  return now.trim() === '' || now.trim() === text ? text : `${text}\n\n${now}`
}

/** Forgets everything, at sign-out. */
export function forgetDrafts(): void {
  ofTab.forget()
  lastingDrafts.forget()
}

function useKept(drafts: Drafts, key: string): [string, (change: DraftChange) => void] {
  const text = useSyncExternalStore(drafts.subscribe, () => drafts.read(key))
  return [text, useCallback((change: DraftChange) => drafts.change(key, change), [drafts, key])]
}
