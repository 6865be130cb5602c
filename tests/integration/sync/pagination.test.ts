// Lists that grow, shrink and come back, in both paginated hooks of the official React client.
import { ConvexProvider, ConvexReactClient, usePaginatedQuery, usePaginatedQuery_experimental } from 'convex/react'
import { sql } from 'kysely'
import type { FunctionComponent } from 'react'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import {
  addPerson,
  api,
  connectHttp,
  hurry,
  type Person,
  quiet,
  Seen,
  startServer,
  type TestServer,
  tokenFor,
} from './server.ts'

type List = { results: string[]; status: string; loadMore: (count: number) => void }

let test: TestDatabase
let server: TestServer
const closers: (() => Promise<void> | void)[] = []

beforeAll(async () => {
  const { window } = new (await loadJsdom())('')
  vi.stubGlobal('window', window)
  vi.stubGlobal('document', window.document)
  test = await openTestDatabase()
  server = await startServer(test.database)
})
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})
afterAll(async () => {
  await server.close()
  await test.close()
  vi.unstubAllGlobals()
})

/** The package has no types of its own. A browser's globals for all of this file would replace those the server needs. */
async function loadJsdom(): Promise<new (html: string) => { window: Window }> {
  const name = 'jsdom'
  return (await import(name)).JSDOM
}

/** Rows of a page when it is loaded. */
const PAGE = 4

/** Shows the list of a person's spaces, newest first. */
async function show(person: Person, useList: () => List, at = server) {
  const { createElement } = await import('react')
  const { createRoot } = await import('react-dom/client')
  const client = new ConvexReactClient(at.url, { ...quiet, unsavedChangesWarning: false })
  client.setAuth(() => tokenFor(person))
  hurry(Reflect.get(client, 'sync'))
  const seen = new Seen<List>()
  const Probe: FunctionComponent = () => {
    seen.push(useList())
    return null
  }
  const root = createRoot(document.createElement('div'))
  root.render(createElement(ConvexProvider, { client }, createElement(Probe)))
  closers.push(async () => {
    root.unmount()
    await client.close()
  })
  const shows = (names: string[]) => seen.until(({ results }) => results.join() === names.join())
  return { seen, shows, client }
}

/** Adds spaces so that later ones are newer; names are their numbers. */
async function add(person: Person, numbers: number[]): Promise<void> {
  for (const number of numbers) {
    await sql`insert into knowledge_spaces (id, organization_id, slug, name, description, created_at)
      values (${`space${number}x${person.userId.slice(-8)}`}, ${person.organizationId}, ${`s${number}`}, ${`${number}`}, '',
        timestamptz '2026-01-01' + ${number} * interval '1 microsecond')`.execute(test.database.root)
  }
}

function down(from: number, to: number): string[] {
  return Array.from({ length: from - to + 1 }, (_, i) => `${from - i}`)
}
function up(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i)
}

const page = api.knowledge.spaces.page
const hooks: [string, () => List][] = [
  ['usePaginatedQuery', () => usePaginatedQuery(page, {}, { initialNumItems: PAGE })],
  ['usePaginatedQuery_experimental', () => usePaginatedQuery_experimental(page, {}, { initialNumItems: PAGE })],
]

describe.each(hooks)('%s', (_, useList) => {
  it('loads page after page to the end', async () => {
    const person = await addPerson(test.database)
    await add(person, up(1, 10))
    const { seen, shows } = await show(person, useList)
    ;(await shows(down(10, 7))).loadMore(PAGE)
    ;(await shows(down(10, 3))).loadMore(PAGE)
    expect((await shows(down(10, 1))).status).toBe('Exhausted')
    expect(seen.last?.results).toHaveLength(10)
  })

  it('keeps every row exactly once while rows are added at the head and taken from the boundary', async () => {
    const person = await addPerson(test.database)
    await add(person, up(1, 10))
    const { shows, seen } = await show(person, useList)
    ;(await shows(down(10, 7))).loadMore(PAGE)
    await shows(down(10, 3))
    await add(person, [11])
    await shows(down(11, 3))
    // 7 is where the first page ends.
    await sql`delete from knowledge_spaces where name = '7' and organization_id = ${person.organizationId}`.execute(
      test.database.root,
    )
    await shows([...down(11, 8), ...down(6, 3)])
    for (const { results } of seen.values) expect(new Set(results).size).toBe(results.length)
  })

  it('cuts a page that has grown, and goes on showing all of it', async () => {
    const person = await addPerson(test.database)
    await add(person, up(1, 6))
    await vi.waitUntil(() => server.sync.stats().entries === 0, { timeout: 45_000 })
    const { shows, seen } = await show(person, useList)
    await shows(down(6, 3))
    await add(person, up(7, 40))
    ;(await shows(down(40, 3))).loadMore(PAGE)
    await shows(down(40, 1))
    // Cut into pieces, a change reads one piece and not the whole list. The client cuts what is longer than two pages.
    const fewest = Math.ceil(40 / (2 * PAGE))
    await vi.waitUntil(() => server.sync.stats().entries >= fewest, { timeout: 45_000 })
    await add(person, [41])
    await shows(down(41, 1))
    const longest = Math.max(...seen.values.map(({ results }) => results.length))
    expect(longest).toBe(41)
  })

  it('never collapses when the server restarts and a row was added meanwhile', async () => {
    const person = await addPerson(test.database)
    await add(person, up(1, 10))
    const first = await startServer(test.database)
    const { shows, seen } = await show(person, useList, first)
    ;(await shows(down(10, 7))).loadMore(PAGE)
    await shows(down(10, 3))
    const before = seen.values.length
    await first.close()
    await add(person, [11])
    const second = await startServer(test.database, (host) => host, Number(new URL(first.url).port))
    closers.unshift(() => second.close())
    await shows(down(11, 3))
    const lengths = seen.values.slice(before).map(({ results }) => results.length)
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(8)
  })
})

it('starts again when a cursor belongs to another list', async () => {
  const http = await connectHttp(server, await addPerson(test.database))
  const cursors = [
    'nonsense',
    '["desc:name","x"]',
    '["desc:created_at,id","yesterday","x"]',
    '["desc:created_at,id","2026-02-31 00:00:00+00","x"]',
  ]
  for (const cursor of cursors) {
    const error = await http.query(page, { paginationOpts: { numItems: 3, cursor } }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ data: { isConvexSystemError: true, paginationError: 'InvalidCursor' } })
  }
})
