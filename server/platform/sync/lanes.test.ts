// Lanes over a database that is a list of writes: under random steps every client ends up with the latest state, never sees two moments at
// once, and receives versions without a gap.
import { setImmediate as turn } from 'node:timers/promises'
import type { JSONValue } from 'convex/values'
import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import type { Change, Dependency, Snapshot } from '#server/platform/db/database.ts'
import { organizationGroup } from '#server/platform/lib/scheduling/fair-scheduler.ts'
import { type Random, seededRandom } from '#tests/random.ts'
import { Clock } from './clock.ts'
import type { SharedMessage } from './frames.ts'
import type { Claims, Host, LiveQuery, Viewer } from './host.ts'
import { Lanes } from './lanes.ts'
import { partyOfClient } from './parties.ts'
import type { Client as SyncClient } from './subscription-broadcaster.ts'
import { View } from './view.ts'

const KEYS = 6

/** Each organization has counters; each write adds one to the first and subtracts one from another, so that their sum is always zero. */
class FakeDatabase {
  readonly #random: Random
  readonly writes: { organization: string; key: number }[] = []
  readonly #listeners = new Set<() => void>()
  /** How many of the next reads fail. */
  failures = 0
  snapshots = new Map<string, number>()
  /** Whether a snapshot is to make room after the next read. */
  mustYield = () => this.#random.chance(0.3)
  /** How often one has rested instead. */
  rests = 0

  constructor(random: Random) {
    this.#random = random
  }

  write(organization: string, key: number): void {
    this.writes.push({ organization, key })
    for (const listener of this.#listeners) listener()
  }

  /** The counter after that many writes. */
  valueAt(organization: string, key: number, position: number): number {
    const own = this.writes.slice(0, position).filter((write) => write.organization === organization)
    return key === 0 ? own.length : 0 - own.filter((write) => write.key === key).length
  }

  async pass(): Promise<void> {
    for (let turns = this.#random.below(3); turns > 0; turns--) await turn()
    if (this.failures > 0) throw new Error(`away, for ${this.failures--} times`)
  }

  #changes(from: number, to: number): Change[] {
    return this.writes.slice(from, to).map(({ organization, key }) => ({
      table: 'counters',
      keys: [0, key].map((each) => ({ organization, key: each })),
    }))
  }

  host(): Host {
    const host: Partial<Host> = {
      anonymous: this.#viewer('anonymous'),
      onCommit: (listener) => {
        this.#listeners.add(listener)
        return () => this.#listeners.delete(listener)
      },
      viewer: async (_, claims) => {
        await this.pass()
        return { viewer: this.#viewer(claims.organizationId ?? ''), dependencies: [] }
      },
      watch: async (position) => {
        await this.pass()
        const to = this.writes.length
        const changes = position === null ? null : this.#changes(Number(position), to)
        await this.pass()
        return { position: `${to}`, changes }
      },
      snapshot: async (run, { group }) => {
        await this.pass()
        this.snapshots.set(group, (this.snapshots.get(group) ?? 0) + 1)
        const at = this.writes.length
        const position = `${at}`
        const rest = () => {
          this.rests++
          return this.pass()
        }
        const snapshot: Partial<Snapshot> = { position, shouldYield: () => this.mustYield(), rest }
        snapshot.changesSince = async (from) => {
          await this.pass()
          return this.#changes(Number(from), at)
        }
        return run(snapshot as Snapshot)
      },
    }
    return host as Host
  }

  #viewer(organization: string): Viewer {
    return {
      key: organization,
      query: (path, args) => this.#query(organization, Number((args as { key: number }).key), path),
    }
  }

  #query(organization: string, key: number, path: string): LiveQuery {
    return {
      key: `${path} ${key} ${organization}`,
      group: organization,
      run: async (snapshot, journal) => {
        await this.pass()
        const value: JSONValue = { at: organization, value: this.valueAt(organization, key, Number(snapshot.position)) }
        const dependencies: Dependency[] = [{ table: 'counters', equals: { organization: [organization], key: [key] } }]
        return { outcome: { ok: true, value }, journal, dependencies }
      },
    }
  }
}

type Shown = { at: string; value: number }
type Version = { querySet: number; identity: number; ts: string }
type Message = { startVersion: Version; endVersion: Version; modifications: { queryId: number; value?: Shown }[] }

/** A client that follows all counters of its viewer. */
class Client implements SyncClient {
  readonly view = new View()
  readonly pendingTs = null
  readonly shown = new Map<number, Shown>()
  isListening = true
  isOut = false
  faults: string[] = []
  #version: Version = { querySet: 0, identity: 0, ts: 'AAAAAAAAAAA=' }
  #querySet = 0
  #lane: ReturnType<Lanes['enter']>
  readonly #lanes: Lanes

  constructor(lanes: Lanes) {
    this.#lanes = lanes
    this.#lane = lanes.enter(partyOfClient(null, 'address'))
    this.#lane.broadcaster.add(this)
  }

  follow(keys: number[]): void {
    const modifications = keys.map((key) => ({
      type: 'Add' as const,
      queryId: key,
      udfPath: 'counter',
      args: [{ key }],
    }))
    this.view.modify(
      { type: 'ModifyQuerySet', baseVersion: this.#querySet, newVersion: ++this.#querySet, modifications },
      () => ({
        release: () => {},
      }),
    )
    this.#lane.broadcaster.subscribe(this.view)
  }

  become(organizationId: string | null): void {
    const claims: Claims | null = organizationId
      ? { userId: 'u', sessionId: `s ${organizationId}`, expiresAt: 0, namedOrganizationId: null, organizationId }
      : null
    const [left, before] = [this.#lane, this.view.announcedIdentity]
    const entered = this.#lanes.enter(partyOfClient(claims, 'address'))
    if (entered.broadcaster === left.broadcaster) entered.leave()
    else {
      left.broadcaster.dismiss(this)
      this.#lane = entered
      entered.broadcaster.add(this)
    }
    const { broadcaster } = this.#lane
    this.view.identify(claims && broadcaster.identities.acquire(claims))
    if (before) left.broadcaster.identities.release(before)
    if (left !== this.#lane) left.leave()
    broadcaster.subscribe(this.view)
  }

  listen(isListening: boolean): void {
    this.isListening = isListening
    if (isListening) this.#lane.broadcaster.resume(this.view)
  }

  deliver(messages: readonly SharedMessage[]): void {
    for (const { opening, plain } of messages) {
      const header = (plain[1] ?? 0) < 126 ? 2 : 4
      this.#take(JSON.parse(opening('') + plain.subarray(header)) as Message)
    }
  }

  #take({ startVersion, endVersion, modifications }: Message): void {
    if (JSON.stringify(startVersion) !== JSON.stringify(this.#version)) this.faults.push('a gap between versions')
    this.#version = endVersion
    for (const { queryId, value } of modifications) if (value) this.shown.set(queryId, value)
    const all = [...this.shown.values()]
    if (new Set(all.map(({ at }) => at)).size > 1) this.faults.push('results of two organizations at once')
    const isWhole = all.length === KEYS
    if (isWhole && all.reduce((sum, { value }) => sum + value, 0) !== 0)
      this.faults.push('results of two moments at once')
  }

  loseIdentity(): void {
    this.faults.push('lost its identity')
  }

  leave(): void {
    this.isOut = true
    const identity = this.view.announcedIdentity
    this.#lane.broadcaster.remove(this)
    if (identity) this.#lane.broadcaster.identities.release(identity)
    this.#lane.leave()
  }
}

const ORGANIZATIONS = ['one', 'two', 'three']

it('keeps every client current while clients write, connect, leave, and change identity', async () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = seededRandom(seed)
    const database = new FakeDatabase(random)
    const lanes = new Lanes(database.host(), new Clock(), pino({ level: 'silent' }))
    const clients: Client[] = []
    const last = new Map<Client, string>()
    for (let step = 0; step < 150; step++) {
      const client = clients[random.below(Math.max(1, clients.length))]
      const what = random.below(20)
      if (what < 9) database.write(random.pick(ORGANIZATIONS), 1 + random.below(KEYS - 1))
      else if (what < 12 || !client) {
        const made = new Client(lanes)
        clients.push(made)
        const organization = random.pick(ORGANIZATIONS)
        made.become(organization)
        last.set(made, organization)
        made.follow(Array.from({ length: KEYS }, (_, key) => key))
      } else if (client.isOut) continue
      else if (what < 15) {
        const organization = random.pick(ORGANIZATIONS)
        client.become(organization)
        last.set(client, organization)
      } else if (what < 17) client.listen(!client.isListening)
      else if (what < 18) client.leave()
      else if (what < 19 && random.chance(0.2)) database.failures = 1 + random.below(2)
      for (let turns = random.below(6); turns > 0; turns--) await turn()
    }
    for (const client of clients) if (!client.isOut && !client.isListening) client.listen(true)
    await vi.waitFor(() => {
      for (const client of clients) {
        if (client.isOut) continue
        const organization = last.get(client) ?? ''
        for (let key = 0; key < KEYS; key++) {
          const value = database.valueAt(organization, key, database.writes.length)
          expect(client.shown.get(key), `seed ${seed}`).toEqual({ at: organization, value })
        }
      }
    }, 5_000)
    expect(clients.flatMap(({ faults }) => faults)).toEqual([])
    for (const client of clients) if (!client.isOut) client.leave()
    await lanes.close()
  }
}, 120_000)

it('leaves a lane alone that a write does not touch', async () => {
  const database = new FakeDatabase(seededRandom(1))
  const lanes = new Lanes(database.host(), new Clock(), pino({ level: 'silent' }))
  const clients = ORGANIZATIONS.map((organization) => {
    const client = new Client(lanes)
    client.become(organization)
    client.follow([0, 1])
    return client
  })
  await vi.waitFor(() => expect(clients.map(({ shown }) => shown.size)).toEqual([2, 2, 2]))
  database.write('one', 1)
  await vi.waitFor(() => expect(clients[0]?.shown.get(0)?.value).toBe(1))
  const before = new Map(database.snapshots)
  for (let writes = 2; writes <= 10; writes++) {
    database.write('one', 1)
    await vi.waitFor(() => expect(clients[0]?.shown.get(0)?.value).toBe(writes))
  }
  const grown = (organization: string) => {
    const group = organizationGroup(organization)
    return (database.snapshots.get(group) ?? 0) - (before.get(group) ?? 0)
  }
  expect(grown('one')).toBeGreaterThanOrEqual(9)
  expect([grown('two'), grown('three')]).toEqual([0, 0])
  for (const client of clients) client.leave()
  await lanes.close()
})

it('shows a result also to a client of a constant writer who has had its share, with rests', async () => {
  const database = new FakeDatabase(seededRandom(2))
  database.mustYield = () => {
    database.write('one', 1)
    return true
  }
  const lanes = new Lanes(database.host(), new Clock(), pino({ level: 'silent' }))
  const client = new Client(lanes)
  client.become('one')
  client.follow(Array.from({ length: 12 }, (_, key) => key))
  await vi.waitFor(() => expect(client.shown.size).toBe(12), 10_000)
  expect(database.rests).toBeGreaterThanOrEqual(2)
  client.leave()
  await lanes.close()
})
