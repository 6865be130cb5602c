// Live queries that wait through an outage of the database: what they showed last stays, and they are asked again when the database answers.
// A query that failed for good would take its page off the screen, with everything typed in it.
import type { ConvexReactClient, Watch } from 'convex/react'
import { type FunctionReference, getFunctionName } from 'convex/server'
import { convexToJson, type Value } from 'convex/values'
import { isOutage } from '#web/lib/errors.ts'
import { untilDatabaseAnswers } from './database-health.ts'

/** What a live query showed last, for as long as anyone watches it. */
type Kept = { value: Value | undefined; watchers: number }
type Client = Pick<ConvexReactClient, 'watchQuery'>

/** Makes every query of the client a patient one, those of `query()` too: such a call waits until the database answers. */
export function waitThroughOutages<Waiting extends Client>(client: Waiting): Waiting {
  const kept = new Map<string, Kept>()
  const watch = client.watchQuery.bind(client) as (
    query: FunctionReference<'query'>,
    ...rest: unknown[]
  ) => Watch<Value>
  const patient = (query: FunctionReference<'query'>, ...rest: unknown[]) =>
    patientWatch(watch(query, ...rest), keeper(kept, tokenOf(query, rest[0])))
  client.watchQuery = patient as typeof client.watchQuery
  return client
}

function tokenOf(query: FunctionReference<'query'>, args: unknown): string {
  return `${getFunctionName(query)} ${JSON.stringify(convexToJson((args ?? {}) as Value))}`
}

type Keeper = { read(): Value | undefined; keep(value: Value): void; enter(): void; leave(): void }

function keeper(kept: Map<string, Kept>, token: string): Keeper {
  return {
    read: () => kept.get(token)?.value,
    keep(value) {
      const entry = kept.get(token)
      if (entry) entry.value = value
    },
    enter() {
      const entry = kept.get(token) ?? { value: undefined, watchers: 0 }
      entry.watchers++
      kept.set(token, entry)
    },
    leave() {
      const entry = kept.get(token)
      if (entry && --entry.watchers === 0) kept.delete(token)
    },
  }
}

function patientWatch(watch: Watch<Value>, last: Keeper): Watch<Value> {
  return {
    ...watch,
    onUpdate: (onChange) => watchPatiently(watch, last, onChange),
    localQueryResult() {
      try {
        const value = watch.localQueryResult()
        if (value === undefined) return last.read()
        last.keep(value)
        return value
      } catch (error) {
        if (isOutage(error)) return last.read()
        throw error
      }
    },
  }
}

/** Leaves a query that an outage has failed, and comes back to it: the server then runs it again. */
function watchPatiently(watch: Watch<Value>, last: Keeper, onChange: () => void): () => void {
  let isOver = false
  let leaveQuery: (() => void) | null = null
  const follow = () => {
    leaveQuery = watch.onUpdate(check)
  }
  function check() {
    if (!hasFailedByOutage(watch)) return onChange()
    leaveQuery?.()
    leaveQuery = null
    void untilDatabaseAnswers().then(() => {
      if (!isOver && !leaveQuery) follow()
    })
  }
  last.enter()
  follow()
  return () => {
    isOver = true
    leaveQuery?.()
    last.leave()
  }
}

function hasFailedByOutage(watch: Watch<Value>): boolean {
  try {
    watch.localQueryResult()
    return false
  } catch (error) {
    return isOutage(error)
  }
}
