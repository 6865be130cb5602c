// What a person sees on the screen: one moment at a time, never a step back. Each promise is also broken on purpose, to show
// that the test would notice.
import type { BaseConvexClient } from 'convex/browser'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Host, LiveQuery, Viewer } from '#server/platform/sync/host.ts'
import { isVisible } from '#server/platform/sync/visibility.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { addPerson, connectBase, Seen, startServer, type TestServer } from './server.ts'

let test: TestDatabase
let server: TestServer | undefined
let client: BaseConvexClient | undefined

beforeAll(async () => {
  test = await openTestDatabase()
})
afterEach(async () => {
  await client?.close()
  await server?.close()
})
afterAll(() => test.close())

type Change = (host: Host) => Host

/** A client that shows one counter and counts up optimistically; `frames` are the values on its screen. */
async function startScreen(change: Change) {
  const started = await startServer(test.database, change)
  server = started
  const person = await addPerson(test.database, { counters: ['a'] })
  const frames = new Seen<number>()
  const base = connectBase(started, person, () => {
    const value = base.localQueryResult('counters:get', { slug: 'a' })
    if (typeof value === 'number' && value !== frames.last) frames.push(value)
  })
  client = base
  base.subscribe('counters:get', { slug: 'a' })
  await frames.until((value) => value === 0)
  const increment = () =>
    base.mutation(
      'counters:increment',
      { slug: 'a' },
      {
        optimisticUpdate: (store) => {
          const query = 'counters:get' as unknown as Parameters<typeof store.getQuery>[0]
          const value = store.getQuery(query, { slug: 'a' })
          if (typeof value === 'number') store.setQuery(query, { slug: 'a' }, value + 1)
        },
      },
    )
  return { frames, increment, server: started }
}

function stepsBack(frames: number[]): number {
  return frames.filter((value, index) => index > 0 && value < (frames[index - 1] ?? 0)).length
}

/** Lets a mutation's answer wait until a snapshot that sees its write has been worked off. */
function answeringLate(host: Host): Host {
  const positions = new Seen<string>()
  return {
    ...host,
    snapshot: (run, party) =>
      host.snapshot(async (snapshot) => {
        const result = await run(snapshot)
        // What follows in the same turns, above all the delivery, is done before the timer fires.
        setTimeout(() => positions.push(snapshot.position), 10)
        return result
      }, party),
    async mutate(call, onCommitting) {
      const result = await host.mutate(call, onCommitting)
      await positions.until((position) => isVisible(result.xid ?? '', position))
      return result
    },
  }
}

describe('an optimistic counter', () => {
  it('never goes back while 60 increments are under way', async () => {
    const { frames, increment } = await startScreen((host) => host)
    await Promise.all(Array.from({ length: 60 }, increment))
    expect(frames.last).toBe(60)
    expect(stepsBack(frames.values)).toBe(0)
  })

  it('never goes back when a write can be seen before its answer is ready', async () => {
    const { frames, increment } = await startScreen(answeringLate)
    for (let i = 0; i < 5; i++) await increment()
    expect(frames.values).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('does go back then, when results do not wait for answers', async () => {
    const { frames, increment } = await startScreen((host) => {
      const late = answeringLate(host)
      return {
        ...late,
        mutate: async (call) => ({ ...(await late.mutate(call, () => {})), xid: null }),
      }
    })
    for (let i = 0; i < 5; i++) await increment()
    expect(stepsBack(frames.values)).toBeGreaterThan(0)
  })

  it('never goes back when the connection breaks between commit and answer', async () => {
    const { frames, increment } = await startScreen(losingAnswers)
    for (let i = 0; i < 3; i++) await increment()
    expect(frames.values).toEqual([0, 1, 2, 3])
  })

  it('does go back then, when results do not wait for what the client sends again', async () => {
    let screen: Awaited<ReturnType<typeof startScreen>> | undefined
    screen = await startScreen((host) => {
      const losing = losingAnswers(host)
      let calls = 0
      return {
        ...losing,
        recorded: async () => null,
        async mutate(call, onCommitting) {
          if (++calls === 2) await screen?.frames.until((value) => value > 1)
          return losing.mutate(call, onCommitting)
        },
      }
    })
    await screen.increment()
    expect(screen.frames.values).toEqual([0, 1, 2, 1])
  })
})

/** Cuts the connection after the first commit of each request. */
function losingAnswers(host: Host): Host {
  const lost = new Set<number>()
  return {
    ...host,
    async mutate(call, onCommitting) {
      const result = await host.mutate(call, onCommitting)
      if (!lost.has(call.requestId)) server?.cut()
      lost.add(call.requestId)
      return result
    },
  }
}

describe('two queries with a constant sum', () => {
  async function sums(change: Change): Promise<Set<number>> {
    const started = await startServer(test.database, change)
    server = started
    const person = await addPerson(test.database, { counters: ['a', 'b'] })
    const seen = new Seen<number>()
    const base = connectBase(started, person, () => {
      const [a, b] = ['a', 'b'].map((slug) => base.localQueryResult('counters:get', { slug }))
      if (typeof a === 'number' && typeof b === 'number') seen.push(a + b)
    })
    client = base
    for (const slug of ['a', 'b']) base.subscribe('counters:get', { slug })
    await seen.until(() => true)
    const writers = Array.from({ length: 2 }, () => connectBase(started, person, () => {}))
    const transfers = Array.from({ length: 40 }, (_, i) => {
      const [from, to] = i % 3 ? ['a', 'b'] : ['b', 'a']
      return writers[i % writers.length]?.mutation('counters:transfer', { from, to })
    })
    await Promise.all(transfers)
    await Promise.all(writers.map((writer) => writer.close()))
    return new Set(seen.values)
  }

  it('are never shown torn', async () => {
    expect(await sums((host) => host)).toEqual(new Set([0]))
  })

  it('are shown torn when one of them is read at another moment', async () => {
    expect((await sums(withStaleReads)).size).toBeGreaterThan(1)
  })
})

/** Every second query answers as it would have at its previous run. */
function withStaleReads(host: Host): Host {
  let made = 0
  const stale = (query: LiveQuery): LiveQuery => {
    let before: Awaited<ReturnType<LiveQuery['run']>> | undefined
    const run: LiveQuery['run'] = async (snapshot, journal) => {
      const now = await query.run(snapshot, journal)
      const result = { ...now, outcome: (before ?? now).outcome }
      before = now
      return result
    }
    return { ...query, run }
  }
  const wrap = (viewer: Viewer): Viewer => ({
    key: viewer.key,
    query: (path, args) => (made++ % 2 ? viewer.query(path, args) : stale(viewer.query(path, args))),
  })
  return {
    ...host,
    async viewer(snapshot, claims) {
      const read = await host.viewer(snapshot, claims)
      return { ...read, viewer: read.viewer && wrap(read.viewer) }
    },
  }
}
