// A database through which the pipeline's transactions are events of the conversations that they are about.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from '#server/platform/db/database.ts'
import type { Signals } from '#server/platform/db/live/signals.ts'
import type { Play, Stage } from './stage.ts'

const PART_CLAIMED = 'part claimed'
const DROPPED = 'generation dropped'
const SENDS = 'pipeline: record and begin sends'
/** Transactions over all organizations that take something on, and what that is called. Each answers a list of what it has taken. */
const TAKES: Record<string, string> = {
  'pipeline: claim turns': 'turn claimed',
  'pipeline: claim parts': PART_CLAIMED,
  'pipeline: look after generations': DROPPED,
}
/** What servers look for by the clock. */
export const UNAWAITED: ReadonlySet<string> = new Set([DROPPED])

/** A request whose first transaction is part of it. */
const request = new AsyncLocalStorage<{ isStored: boolean }>()

/** Runs a request whose storing is no event of its own. */
export function asRequest<T>(run: () => Promise<T>): Promise<T> {
  return request.run({ isStored: false }, run)
}

/**
 * The same database; what the pipeline does in it is written down, and in a replay waits for its turn. `wakes` tell of a commit that
 * there was not, so that whoever was turned away looks again.
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

/** Who comes too early in a replay finds nothing and is woken again: a server that waited here could not stop. */
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

/** Played alone: whatever is taken is its own. */
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

/** Of rows of many conversations, those of one. @returns whether there are any */
function learnOwn(stage: Stage, play: Play, { name, value }: { name: string; value: unknown }): boolean {
  const own = Array.isArray(value) ? value.filter((row) => stage.concerned(row).includes(play)) : []
  if (own.length > 0 && name === PART_CLAIMED) play.isPartClaimed = true
  return own.length > 0 && learn(stage, play, own)
}

/** A first part goes to the sender together with the answer. */
function hasClaimedPart(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if ('isClaimed' in value) return value.isClaimed === true
  return Object.values(value).some(hasClaimedPart)
}
