// A database that records the pipeline's transactions as events of the conversations that they concern.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from '#server/platform/db/database.ts'
import type { Signals } from '#server/platform/db/live/signals.ts'
import type { Play, Stage } from './stage.ts'

const PART_CLAIMED = 'part claimed'
const DROPPED = 'generation dropped'
const SENDS = 'pipeline: record and begin sends'
/** Transactions over all organizations that claim something, and the name of each event. Each returns a list of what it claimed. */
const TAKES: Record<string, string> = {
  'pipeline: claim turns': 'turn claimed',
  'pipeline: claim parts': PART_CLAIMED,
  'pipeline: look after generations': DROPPED,
}
/** What servers poll for. */
export const UNAWAITED: ReadonlySet<string> = new Set([DROPPED])

/** A request whose first transaction is part of its event. */
const request = new AsyncLocalStorage<{ isStored: boolean }>()

/** Runs a request whose storing is no event of its own. */
export function asRequest<T>(run: () => Promise<T>): Promise<T> {
  return request.run({ isStored: false }, run)
}

/**
 * Wraps a database: the pipeline's transactions are recorded, and in a replay wait for their turn. `wakes` signals a commit that
 * did not happen, so that a claimer that found nothing looks again.
 */
export function observed(database: Database, stage: Stage, wakes: Signals): Database {
  return {
    ...database,
    organization(id, run, options) {
      const play = stage.find(id)
      const transact = () => database.organization(id, run, options)
      if (!play || isPartOfRequest()) return transact()
      if (options?.readOnly) return play.order.act('turn read', transact, { concerns: isTurn })
      return play.order.act('turn written', transact, { concerns: (value) => learn(stage, play, value) })
    },
    system(purpose, run, options) {
      const name = TAKES[purpose]
      const transact = () => database.system(purpose, run, options)
      if (purpose === SENDS) return beginSends(stage, transact)
      return name ? take(stage, name, transact) : transact()
    },
    onCommit(listener) {
      const ends = [database.onCommit(listener), wakes.listen(listener)]
      return () => {
        for (const end of ends) end()
      }
    },
  }
}

/** A claimer that is too early in a replay finds nothing and is woken again: a server that waited here could not stop. */
async function take<T>(stage: Stage, name: string, transact: () => Promise<T>): Promise<T> {
  const replay = replayOf(stage)
  if (replay && !replay.order.isDue(name)) {
    const nothing: unknown = []
    return nothing as T
  }
  if (replay && !UNAWAITED.has(name)) {
    return replay.order.act(name, transact, { concerns: (value) => learnOwn(stage, replay, { name, value }) })
  }
  const value = await transact()
  for (const play of stage.concerned(value)) if (learnOwn(stage, play, { name, value })) play.order.note(name)
  return value
}

/** Parts that are claimed by now are begun, or will not be sent: both are an event. */
async function beginSends<T>(stage: Stage, transact: () => Promise<T>): Promise<T> {
  const deciding = stage.all().filter(({ isPartClaimed }) => isPartClaimed)
  for (const play of deciding) play.isPartClaimed = false
  const replay = replayOf(stage)
  if (replay) return deciding.length > 0 ? replay.order.act('send decided', transact) : transact()
  const value = await transact()
  for (const { order } of deciding) order.note('send decided')
  return value
}

/** When played alone, everything claimed belongs to the seed. */
function replayOf(stage: Stage): Play | undefined {
  return stage.all().find(({ order }) => order.isReplay)
}

function isPartOfRequest(): boolean {
  const store = request.getStore()
  if (!store || store.isStored) return false
  store.isStored = true
  return true
}

/** Other reads of the pipeline decide nothing. */
function isTurn(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'turnId' in value
}

function learn(stage: Stage, play: Play, value: unknown): true {
  stage.learn(play, value)
  if (hasClaimedPart(value)) play.isPartClaimed = true
  return true
}

/** Keeps the rows of one conversation. @returns whether there are any */
function learnOwn(stage: Stage, play: Play, { name, value }: { name: string; value: unknown }): boolean {
  const own = Array.isArray(value) ? value.filter((row) => stage.concerned(row).includes(play)) : []
  if (own.length > 0 && name === PART_CLAIMED) play.isPartClaimed = true
  return own.length > 0 && learn(stage, play, own)
}

/** A first part is claimed for sending together with the answer. */
function hasClaimedPart(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if ('isClaimed' in value) return value.isClaimed === true
  return Object.values(value).some(hasClaimedPart)
}
