// Whether the server's database answers, learnt by asking the server: an outage leaves the socket open and says nothing by itself.
// One small GET, answered from the server's memory, about every 1.65 s, and only by tabs that are looked at: 5,000 people who look at their
// screens make 3,000 such requests a second, and a tab in the background none.
import { useSyncExternalStore } from 'react'
import { sleep } from '#web/lib/browser/sleep.ts'
import { Refusal } from '#web/lib/refusal.ts'
import { atServer } from './server-address.ts'

const POLL_MS = 1500
/** Spreads the tabs, which else would all ask at the same moment after a restart of the server. */
const POLL_SPREAD_MS = 300
/** A server that hangs longer has not answered. */
const PATIENCE_MS = 5000
/** What failed during an outage is not tried again sooner, whatever the server says of its database. */
const RETRY_AFTER_MS = 1000

let isDown = false
let timer: ReturnType<typeof setTimeout> | undefined
let asking: Promise<void> | null = null
const listeners = new Set<() => void>()
/** Those who wait for an answer that says the database is there. */
let waiting: (() => void)[] = []

/** Asks from now on while the page is looked at. @returns the function that ends it */
export function watchDatabase(): () => void {
  const onVisibility = () => (document.visibilityState === 'hidden' ? pause() : void ask())
  document.addEventListener('visibilitychange', onVisibility)
  onVisibility()
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    pause()
  }
}

/** Whether the last answer of the server was that its database is unavailable. */
export function isDatabaseDown(): boolean {
  return isDown
}

/** The same, live. */
export function useIsDatabaseDown(): boolean {
  return useSyncExternalStore(subscribe, isDatabaseDown)
}

/** Calls when an outage begins and when it is over. @returns the function that ends it */
export function onDatabaseChange(listener: (isDown: boolean) => void): () => void {
  return subscribe(() => listener(isDown))
}

/** Asks at once, for a call has failed in a way that an outage explains. */
export function suspectOutage(): void {
  if (!isDown) void ask()
}

/**
 * Keeps a call from being sent into an outage, where it would wait without end: it is refused at once, with nothing done.
 *
 * @returns null while no outage is known; else rejects with database_unavailable, unless the server says just now that it is over
 */
export function refuseDuringOutage(): Promise<void> | null {
  if (!isDown) return null
  return ask().then(() => {
    if (isDown) throw new Refusal('database_unavailable')
  })
}

/** Resolves when the server says that its database is there, and not before a moment has passed. */
export async function untilDatabaseAnswers(): Promise<void> {
  const isThere = new Promise<void>((resolve) => waiting.push(resolve))
  suspectOutage()
  await sleep(RETRY_AFTER_MS)
  await isThere
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function pause(): void {
  clearTimeout(timer)
  timer = undefined
}

function ask(): Promise<void> {
  asking ??= askOnce().finally(() => {
    asking = null
    pause()
    if (document.visibilityState !== 'hidden') timer = setTimeout(ask, POLL_MS + Math.random() * POLL_SPREAD_MS)
  })
  return asking
}

async function askOnce(): Promise<void> {
  const response = await fetch(atServer('/api/health'), {
    cache: 'no-store',
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => null)
  const { database } = ((await response?.json().catch(() => null)) ?? {}) as { database?: string }
  // A server that is gone says nothing about its database, and the overlay of the lost connection speaks then.
  show(database === 'unavailable')
  if (database === 'ok') resolveWaiting()
}

function resolveWaiting(): void {
  const answered = waiting
  waiting = []
  for (const resolve of answered) resolve()
}

function show(next: boolean): void {
  if (next === isDown) return
  isDown = next
  for (const listener of listeners) listener()
}
