// Live queries during an outage of the database: what is shown stays, and is asked for again.

import { makeFunctionReference } from 'convex/server'
import { ConvexError } from 'convex/values'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { waitThroughOutages } from './patient-queries.ts'

const health = vi.hoisted(() => ({ isDown: false, answers: [] as (() => void)[] }))
vi.mock('./database-health.ts', () => ({
  isDatabaseDown: () => health.isDown,
  untilDatabaseAnswers: () => new Promise<void>((resolve) => health.answers.push(resolve)),
}))

const query = makeFunctionReference<'query'>('agents:list')
const OUTAGE = new ConvexError({ code: 'database_unavailable' })

/** A client whose one query has the given result, for as long as anyone subscribes to it. */
function fakeClient() {
  let result: unknown
  const subscribers = new Set<() => void>()
  const client = waitThroughOutages({
    watchQuery: () => ({
      onUpdate(onChange: () => void) {
        subscribers.add(onChange)
        return () => {
          subscribers.delete(onChange)
          if (subscribers.size === 0) result = undefined
        }
      },
      localQueryResult() {
        if (result instanceof Error) throw result
        return result
      },
      journal: () => undefined,
      localQueryLogs: () => undefined,
    }),
  } as never as Parameters<typeof waitThroughOutages>[0])
  return {
    watch: () => client.watchQuery(query, {}),
    subscribers,
    change(next: unknown) {
      result = next
      for (const subscriber of [...subscribers]) subscriber()
    },
  }
}

describe('a live query', () => {
  beforeEach(() => {
    health.isDown = false
    health.answers = []
  })

  async function endOutage() {
    for (const resolve of health.answers.splice(0)) resolve()
    await Promise.resolve()
  }

  it('keeps what it showed while the database is unavailable, and shows what is new afterwards', async () => {
    const client = fakeClient()
    const onChange = vi.fn()
    client.watch().onUpdate(onChange)
    client.change(['Anna'])
    expect(client.watch().localQueryResult()).toEqual(['Anna'])
    client.change(OUTAGE)
    expect(client.watch().localQueryResult()).toEqual(['Anna'])
    expect(client.subscribers.size).toBe(0)
    await endOutage()
    expect(client.subscribers.size).toBe(1)
    expect(client.watch().localQueryResult()).toEqual(['Anna'])
    client.change(['Anna', 'Boris'])
    expect(client.watch().localQueryResult()).toEqual(['Anna', 'Boris'])
    expect(onChange).toHaveBeenCalledTimes(2)
  })

  it('that never had an answer is loading until the database answers', async () => {
    const client = fakeClient()
    client.watch().onUpdate(vi.fn())
    client.change(OUTAGE)
    expect(client.watch().localQueryResult()).toBeUndefined()
    await endOutage()
    client.change([])
    expect(client.watch().localQueryResult()).toEqual([])
  })

  it('is left for good by who leaves it during an outage', async () => {
    const client = fakeClient()
    const leave = client.watch().onUpdate(vi.fn())
    client.change(OUTAGE)
    leave()
    await endOutage()
    expect(client.subscribers.size).toBe(0)
  })

  it('that fails without words counts as failed by the outage only during one', () => {
    const client = fakeClient()
    client.watch().onUpdate(vi.fn())
    client.change(['Anna'])
    client.watch().localQueryResult()
    client.change(new Error('[CONVEX Q(agents:list)] [Request ID: 7f] Server Error'))
    expect(() => client.watch().localQueryResult()).toThrow('Server Error')
    health.isDown = true
    client.change(new Error('[CONVEX Q(agents:list)] [Request ID: 7f] Server Error'))
    expect(client.watch().localQueryResult()).toEqual(['Anna'])
  })

  it('fails for every other reason as before', () => {
    const client = fakeClient()
    client.watch().onUpdate(vi.fn())
    client.change(new ConvexError({ code: 'not_found' }))
    expect(() => client.watch().localQueryResult()).toThrow()
  })
})
