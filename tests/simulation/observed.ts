// A database through which the pipeline's transactions are events of the conversations that they are about.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from '#server/db/database.ts'
import type { Play, Stage } from './stage.ts'

const SENDS = 'pipeline: record and begin sends'
/** Transactions over all organizations that take something on, and what that is called. */
const TAKES: Record<string, string> = {
  'pipeline: claim turns': 'turn claimed',
  'pipeline: claim parts': 'part claimed',
  [SENDS]: 'send permitted',
}

/** A request whose first transaction is part of it. */
const request = new AsyncLocalStorage<{ isStored: boolean }>()

/** Runs a request whose storing is no event of its own. */
export function asRequest<T>(run: () => Promise<T>): Promise<T> {
  return request.run({ isStored: false }, run)
}

/** The same database; what the pipeline does in it is written down, and in a replay waits for its turn. */
export function observed(database: Database, stage: Stage): Database {
  return {
    ...database,
    organization(id, run, options) {
      const play = stage.find(id)
      const transact = () => database.organization(id, run, options)
      if (!play || isPartOfRequest()) return transact()
      if (options?.readOnly) return play.order.act('turn read', transact, { concerns: isTurn })
      return play.order.act('turn written', transact, { concerns: (value) => learn(stage, play, value) })
    },
    async system(purpose, run, options) {
      const name = TAKES[purpose]
      const transact = () => database.system(purpose, run, options)
      const replay = stage.all().find(({ order }) => order.isReplay) // played alone: whatever is taken is its own
      if (!name || (replay && purpose === SENDS && !takesPart(replay))) return transact()
      if (replay) return replay.order.act(name, transact, { concerns: (value) => learnOwn(stage, replay, value) })
      const value = await transact()
      for (const play of stage.concerned(value)) if (learnOwn(stage, play, value)) play.order.note(name)
      return value
    },
  }
}

function isPartOfRequest(): boolean {
  const store = request.getStore()
  if (!store || store.isStored) return false
  store.isStored = true
  return true
}

/** Sends are begun and their outcomes recorded in one transaction. @returns whether this one can begin any */
function takesPart(play: Play): boolean {
  const takes = play.isPartClaimed
  play.isPartClaimed = false
  return takes
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
function learnOwn(stage: Stage, play: Play, value: unknown): boolean {
  const own = Array.isArray(value) ? value.filter((row) => stage.concerned(row).includes(play)) : []
  return own.length > 0 && learn(stage, play, own)
}

/** A first part goes to the sender together with the answer, others when they are claimed with their text. */
function hasClaimedPart(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if ('isClaimed' in value) return value.isClaimed === true
  return 'voiceKey' in value || Object.values(value).some(hasClaimedPart)
}
