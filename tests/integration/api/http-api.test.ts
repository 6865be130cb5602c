// The HTTP API: which tokens are accepted, what they allow, and that a request is carried out once.
import fs from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forgetRequests } from '#server/domain/api-tokens/requests.job.ts'
import { describeColumns, describeColumnsJob } from '#server/domain/knowledge/tables/tables.columns.ts'
import type { Id } from '#shared/ids.ts'
import type { Fragment, KnowledgeDocument } from '#shared/knowledge/knowledge.ts'
import type { DataTable, TableRow } from '#shared/knowledge/tables.ts'
import { API_ANSWER_HOURS, API_REQUESTS_PER_MINUTE } from '#shared/limits.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'

type Answer<Body> = { status: number; body: Body; headers: Headers }
type Sent = { token?: string | null; key?: string; body?: unknown }
type Refused = { code: string; params: Record<string, unknown> }

let app: TestApp
let person: Person
let token: string
let strangersToken: string
let spaceId: Id<'knowledgeSpaces'>

beforeAll(async () => {
  app = await startApp()
  person = await app.signUp()
  const stranger = await app.signUp()
  token = (await person.http.action(api.apiTokens.create, { name: 'Shop' })).token
  strangersToken = (await stranger.http.action(api.apiTokens.create, { name: 'Other shop' })).token
  spaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Terms' }))._id
})
afterAll(() => app.close())

/** Sends JSON, or text as it is. */
async function send<Body = Refused>(method: string, path: string, sent: Sent = {}): Promise<Answer<Body>> {
  const { token: given = token, key, body } = sent
  const response = await fetch(`${app.url}/api/v1${path}`, {
    method,
    headers: { ...(given && { authorization: `Bearer ${given}` }), ...(key && { 'idempotency-key': key }) },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Body, headers: response.headers }
}

const note = { name: 'Returns', content: 'Returns are accepted within 30 days.' }
const addNote = (sent: Sent = {}) => send<Fragment>('POST', `/spaces/${spaceId}/notes`, { body: note, ...sent })
const listNotes = () => send<{ items: Fragment[]; nextCursor: string | null }>('GET', `/spaces/${spaceId}/notes`)
const search = (query: string) => person.http.query(api.knowledge.search.run, { knowledgeSpaceId: spaceId, query })

describe('tokens', () => {
  it('are shown once: afterwards only their last characters, their creator and their last use', async () => {
    const made = (await person.http.action(api.apiTokens.create, { name: ' Scripts ' })).token
    const [listed] = await person.http.query(api.apiTokens.list, {})
    expect(listed).toMatchObject({
      name: 'Scripts',
      tail: made.slice(-4),
      createdBy: person.user.name,
      lastUsedAt: null,
    })
    const stored = await app.database.root.selectFrom('api_tokens').selectAll().execute()
    const log = await app.database.root.selectFrom('mutation_log').select('result').execute()
    expect(JSON.stringify([stored, log])).not.toContain(made)
    await send('GET', '/spaces', { token: made })
    const [used] = await person.http.query(api.apiTokens.list, {})
    expect(used?.lastUsedAt).toBeGreaterThan(0)
  })

  it('are refused when revoked or malformed', async () => {
    const made = (await person.http.action(api.apiTokens.create, { name: 'Short' })).token
    const [listed] = await person.http.query(api.apiTokens.list, {})
    await person.http.mutation(api.apiTokens.revoke, { apiTokenId: listed?._id as Id<'apiTokens'> })
    for (const refused of [made, null, 'parley_nobody', await person.token()]) {
      expect(await send('GET', '/spaces', { token: refused })).toMatchObject({
        status: 401,
        body: { code: 'unauthenticated' },
      })
    }
  })

  it('reach nothing of another organization', async () => {
    const added = (await addNote()).body
    const attempts: [string, string, unknown?][] = [
      ['GET', `/spaces/${spaceId}/notes`],
      ['POST', `/spaces/${spaceId}/notes`, note],
      ['GET', `/spaces/${spaceId}/documents`],
      ['POST', `/spaces/${spaceId}/documents?name=a.txt`, 'text'],
      ['GET', `/notes/${added._id}`],
      ['PUT', `/notes/${added._id}`, note],
      ['DELETE', `/notes/${added._id}`],
    ]
    for (const [method, path, body] of attempts) {
      const answer = await send(method, path, { token: strangersToken, body })
      expect(answer, `${method} ${path}`).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    expect((await send<{ items: unknown[] }>('GET', '/spaces', { token: strangersToken })).body.items).toEqual([])
    expect((await send('GET', `/notes/${added._id}`)).status).toBe(200)
  })

  it('find nothing under malformed paths', async () => {
    const odd = [
      '/notes/%00',
      '/notes/%ff',
      '/notes/__proto__',
      '/notes/..%2f..%2fspaces',
      '/nothing',
      '/spaces/x/notes',
    ]
    for (const path of odd)
      expect(await send('GET', path), path).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await send('GET', `/spaces/${spaceId}/notes?cursor=%00`)).status).toBe(404)
    expect((await send('GET', `/spaces/${spaceId}/notes?limit=0`)).status).toBe(400)
    expect((await send('GET', `/spaces/${spaceId}/notes?cursor=odd`)).status).toBe(400)
  })

  it('are rate limited per minute, with a Retry-After', async () => {
    const busy = (await person.http.action(api.apiTokens.create, { name: 'Busy' })).token
    const window = { window_started_at: new Date(), window_requests: API_REQUESTS_PER_MINUTE - 1 }
    await app.database.root.updateTable('api_tokens').set(window).where('name', '=', 'Busy').execute()
    expect((await send('GET', '/spaces', { token: busy })).status).toBe(200)
    const refused = await send('GET', '/spaces', { token: busy })
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const over = { window_started_at: new Date(Date.now() - 61_000) }
    await app.database.root.updateTable('api_tokens').set(over).where('name', '=', 'Busy').execute()
    expect((await send('GET', '/spaces', { token: busy })).status).toBe(200)
  })
})

describe('notes', () => {
  it('are found as soon as they are added or replaced, and not after they are removed', async () => {
    const { status, body: added } = await addNote({
      body: { name: 'Courier', content: 'The courier is called Fyodor.' },
    })
    expect(status).toBe(201)
    expect((await search('courier'))[0]?.content).toContain('Fyodor')
    const changed = { name: 'Courier', content: 'The courier is called Zarina.', alsoAskedAs: ['who brings my parcel'] }
    expect(await send('PUT', `/notes/${added._id}`, { body: changed })).toMatchObject({ status: 200, body: changed })
    expect((await search('who brings the parcel'))[0]?.content).toContain('Zarina')
    expect((await send('DELETE', `/notes/${added._id}`)).body).toEqual({ removed: true })
    expect(await send('GET', `/notes/${added._id}`)).toMatchObject({ status: 404 })
    expect(JSON.stringify(await search('courier'))).not.toContain('Zarina')
  })

  it('are listed in pages', async () => {
    await addNote()
    const { body: first } = await send<{ items: Fragment[]; nextCursor: string }>(
      'GET',
      `/spaces/${spaceId}/notes?limit=1`,
    )
    expect(first.items).toHaveLength(1)
    const after = `/spaces/${spaceId}/notes?limit=1&cursor=${encodeURIComponent(first.nextCursor)}`
    const { body: second } = await send<{ items: Fragment[] }>('GET', after)
    expect(second.items[0]?._id).not.toBe(first.items[0]?._id)
  })

  it.each([
    ['no JSON', '{'],
    ['a list', []],
    ['more values than any request has', `{"name":[${'[],'.repeat(250_000)}[]]}`],
    ['a missing content', { name: 'Returns' }],
    ['an unknown field', { ...note, organizationId: 'x' }],
    ['a character that cannot be stored', { ...note, name: 'a\0b' }],
  ])('are refused with %s', async (_, body) => {
    expect(await send('POST', `/spaces/${spaceId}/notes`, { body })).toMatchObject({
      status: 400,
      body: { code: 'invalid_arguments' },
    })
  })
})

describe('documents', () => {
  const post = (name: string, body: string, key?: string) =>
    send<KnowledgeDocument>('POST', `/spaces/${spaceId}/documents?name=${name}`, { body, ...(key && { key }) })

  it('are added, replaced and removed', async () => {
    const { status, body: added } = await post('warranty.txt', 'The warranty lasts for two years.')
    expect([status, added.status]).toEqual([202, 'processing'])
    await app.settle()
    expect((await search('warranty'))[0]).toMatchObject({ documentId: added._id, content: /two years/ })
    const path = `/documents/${added._id}?name=warranty-new.md`
    expect((await send('PUT', path, { body: '# Warranty\nThe warranty lasts for five years.' })).status).toBe(202)
    await app.settle()
    expect((await send<KnowledgeDocument>('GET', `/documents/${added._id}`)).body).toMatchObject({
      name: 'warranty-new.md',
      status: 'ready',
    })
    expect((await search('warranty')).map((result) => result.content).join()).toMatch(/five years/)
    expect((await search('warranty')).map((result) => result.content).join()).not.toMatch(/two years/)
    expect((await send('DELETE', `/documents/${added._id}`)).status).toBe(200)
    await app.settle()
    expect(await search('warranty lasts')).toEqual([])
    const files = await app.database.root.selectFrom('documents').select('id').execute()
    expect(files).toEqual([])
  })

  it('are refused by name and size before anything is stored', async () => {
    expect(await post('virus.exe', 'text')).toMatchObject({ status: 415, body: { code: 'unsupported_format' } })
    expect(await post('', 'text')).toMatchObject({ status: 400, body: { code: 'invalid_arguments' } })
    expect(await post('empty.txt', '')).toMatchObject({ status: 400, body: { code: 'file_empty' } })
  })

  it('are added once per key, and refused under it with other content', async () => {
    const first = await post('hours.txt', 'We are open from nine to six.', 'hours-1')
    const again = await post('hours.txt', 'We are open from nine to six.', 'hours-1')
    expect(again).toMatchObject({ status: 202, body: { _id: first.body._id } })
    expect(await post('hours.txt', 'We are open from ten to six.', 'hours-1')).toMatchObject({
      status: 409,
      body: { code: 'idempotency_key_reused' },
    })
    const { body } = await send<{ items: KnowledgeDocument[] }>('GET', `/spaces/${spaceId}/documents`)
    expect(body.items.map((document) => document.name)).toEqual(['hours.txt'])
    await post('prices.txt', 'Tea costs two dollars.')
    type Listed = { items: KnowledgeDocument[]; nextCursor: string | null }
    const page = async (cursor = '') =>
      (
        await send<Listed>(
          'GET',
          `/spaces/${spaceId}/documents?limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        )
      ).body
    const newest = await page()
    expect(newest.items.map(({ name }) => name)).toEqual(['prices.txt'])
    const rest = await page(newest.nextCursor ?? '')
    expect([rest.items.map(({ name }) => name), rest.nextCursor]).toEqual([['hours.txt'], null])
    await app.settle()
  })
})

describe('rows of tables', () => {
  it('are computed and found in their current state', async () => {
    const { _id: knowledgeSpaceId } = await person.http.mutation(api.knowledge.spaces.create, { name: 'Prices' })
    const { _id: tableId } = await addTable(knowledgeSpaceId, person)
    await person.http.mutation(api.knowledge.tables.importColumn, { tableId, column: 1 })
    await app.settle()
    const find = (query: string) => person.http.query(api.knowledge.search.run, { knowledgeSpaceId, query })
    const added = await send<{ items: TableRow[] }>('POST', `/tables/${tableId}/rows`, {
      body: { rows: [{ Item: 'Chandelier', Price: 700 }, { Item: 'Mirror' }] },
    })
    expect(added).toMatchObject({ status: 201, body: { items: [{ number: 3 }, { number: 4, cells: ['Mirror', ''] }] } })
    expect((await find('chandelier'))[0]).toMatchObject({ documentId: tableId, content: /700/ })
    await send('PUT', `/tables/${tableId}/rows/3`, { body: { row: { Item: 'Chandelier', Price: 650 } } })
    expect((await find('chandelier')).filter(({ content }) => /Chandelier/.test(content))).toMatchObject([
      { content: /650/ },
    ])
    expect((await send('DELETE', `/tables/${tableId}/rows/3`)).body).toEqual({ removed: true })
    expect(JSON.stringify(await find('chandelier'))).not.toContain('Chandelier')
    const table = await person.http.query(api.knowledge.tables.get, { tableId })
    expect(table).toMatchObject({ rows: 3, chunks: { total: 4, ready: 4 } })
    for (const [method, path, body] of [
      ['PUT', `/tables/${tableId}/rows/3`, { row: {} }],
      ['DELETE', `/tables/${tableId}/rows/x`],
      ['GET', '/tables/of-nobody/rows'],
    ] as const) {
      expect((await send(method, path, { body })).status, `${method} ${path}`).toBe(404)
    }
    for (const [method, path, body] of [
      ['GET', `/tables/${tableId}/rows`],
      ['POST', `/tables/${tableId}/rows`, { rows: [{ Item: 'x' }] }],
      ['PUT', `/tables/${tableId}/rows/1`, { row: {} }],
      ['DELETE', `/tables/${tableId}/rows/1`],
    ] as const) {
      const answer = await send(method, path, { token: strangersToken, body })
      expect(answer, `${method} ${path}`).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
  })

  it('update the column descriptions and the search entry of the table, once per burst of changes', async () => {
    const { _id: knowledgeSpaceId } = await person.http.mutation(api.knowledge.spaces.create, { name: 'Lamps' })
    const { _id: tableId } = await addTable(knowledgeSpaceId, person, 'Item,Price\nLantern,12\nCandle,3\n')
    await person.http.mutation(api.knowledge.tables.importColumn, { tableId, column: 2 })
    await app.settle()
    const find = (query: string) => person.http.query(api.knowledge.search.run, { knowledgeSpaceId, query })
    const get = () => person.http.query(api.knowledge.tables.get, { tableId })
    expect(JSON.stringify(await find('lantern'))).toContain('Lantern')
    await send('PUT', `/tables/${tableId}/rows/1`, { body: { row: { Item: 'Torch', Price: 9 } } })
    await send('DELETE', `/tables/${tableId}/rows/2`)
    await send('POST', `/tables/${tableId}/rows`, { body: { rows: [{ Item: 'Spotlight', Price: 40 }] } })
    const { rows: queued } = await sql<{ at: Date }>`
      select start_after as at from jobs.job where name = ${describeColumnsJob.name} and data ->> 'tableId' = ${tableId}
    `.execute(app.database.root)
    expect(queued).toHaveLength(1)
    const data = { organizationId: person.organization._id, tableId }
    for (const _ of ['once', 'and safely again'])
      await describeColumns(app.services, data, new AbortController().signal)
    expect((await get()).columns.map(({ samples }) => samples)).toEqual([
      ['Torch', 'Spotlight'],
      ['9', '40'],
    ])
    expect(await get()).toMatchObject({ rows: 2, chunks: { total: 3, ready: 3 } })
    expect(JSON.stringify(await find('lantern candle'))).not.toMatch(/Lantern|Candle/)
    expect((await find('items torch spotlight'))[0]).toMatchObject({ content: 'Item: Torch, Spotlight\nPrice: 9, 40' })
    await app.settle()
  })

  it('do not trigger a new description while a column is imported: the next check comes much later', async () => {
    const { _id: tableId } = await addTable(spaceId, person, 'Item,Price\nLantern,12\n')
    await send('PUT', `/tables/${tableId}/rows/1`, { body: { row: { Item: 'Torch', Price: 9 } } })
    const become = (status: 'importing' | 'ready') =>
      app.database.root.updateTable('knowledge_tables').set({ status }).where('id', '=', tableId).execute()
    const describeNow = async () => {
      await describeColumns(
        app.services,
        { organizationId: person.organization._id, tableId },
        new AbortController().signal,
      )
      return (await person.http.query(api.knowledge.tables.get, { tableId })).columns[0]?.samples
    }
    await become('importing')
    expect(await describeNow()).toEqual(['Lantern'])
    const { rows } = await sql<{ seconds: string }>`
      select max(extract(epoch from start_after - created_on)) as seconds from jobs.job
      where name = ${describeColumnsJob.name} and data ->> 'tableId' = ${tableId}`.execute(app.database.root)
    expect(Number(rows[0]?.seconds)).toBeGreaterThan(20)
    await become('ready')
    expect(await describeNow()).toEqual(['Torch'])
  })

  it('may have columns with names in any script', async () => {
    const table = await addTable(spaceId, person, 'Товар,$ цена\nСтул,100\n')
    const body = { rows: [{ Товар: 'Шкаф', '$ цена': 700 }] }
    const added = await send('POST', `/tables/${table._id}/rows`, { body })
    expect(added).toMatchObject({ status: 201, body: { items: [{ cells: ['Шкаф', '700'] }] } })
  })

  it('are refused for a value of the wrong type, and while the table is analyzed', async () => {
    const table = await addTable(spaceId, person)
    const row = { rows: [{ Item: 'Shelf', Price: 'cheap' }] }
    expect(await send('POST', `/tables/${table._id}/rows`, { body: row })).toMatchObject({
      status: 400,
      body: { code: 'invalid_arguments', params: { path: 'rows.0.Price', type: 'number' } },
    })
    await app.database.root
      .updateTable('knowledge_tables')
      .set({ status: 'analyzing' })
      .where('id', '=', table._id)
      .execute()
    expect(await send('POST', `/tables/${table._id}/rows`, { body: { rows: [{ Item: 'x' }] } })).toMatchObject({
      status: 409,
      body: { code: 'table_busy' },
    })
  })
})

/** A table of two rows, ready. */
async function addTable(
  knowledgeSpaceId: Id<'knowledgeSpaces'>,
  by: Person,
  body = 'Item,Price\nTable,1200\nChair,300\n',
): Promise<DataTable> {
  const query = new URLSearchParams({ knowledgeSpaceId, name: 'prices.csv' })
  const headers = { authorization: `Bearer ${await by.token()}` }
  const answer = await fetch(`${app.url}/api/files/tables?${query}`, { method: 'POST', headers, body })
  expect(answer.status).toBe(201)
  await app.settle()
  return (await answer.json()) as DataTable
}

describe('an idempotency key', () => {
  it('carries the same request out once, no matter how often and how concurrently it is sent', async () => {
    const before = (await listNotes()).body.items.length
    const answers = await Promise.all(Array.from({ length: 5 }, () => addNote({ key: 'once' })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => body._id)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers.has('idempotent-replayed'))).toHaveLength(4)
    expect((await listNotes()).body.items).toHaveLength(before + 1)
  })

  it('is refused with another body, another path or another method', async () => {
    await addNote({ key: 'mine' })
    const others = [
      await addNote({ key: 'mine', body: { ...note, content: 'Another.' } }),
      await send('POST', `/spaces/${spaceId}/documents?name=a.txt`, { key: 'mine', body: JSON.stringify(note) }),
      await send('DELETE', '/notes/x', { key: 'mine' }),
    ]
    for (const other of others) expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } })
  })

  it('belongs to its organization, and does not apply to refused requests', async () => {
    expect((await addNote({ key: 'shared', body: { name: 'x' } })).status).toBe(400)
    expect((await addNote({ key: 'shared' })).status).toBe(201)
    expect((await addNote({ key: 'shared', token: strangersToken })).status).toBe(404)
    expect((await addNote({ key: 'x'.repeat(256) })).status).toBe(400)
  })

  it('expires', async () => {
    const first = await addNote({ key: 'old' })
    await forgetRequests(app.database, new Date(Date.now() + (API_ANSWER_HOURS + 1) * 3_600_000))
    expect((await addNote({ key: 'old' })).body._id).not.toBe(first.body._id)
  })
})

describe('the examples of docs/api.md', () => {
  it('do what the document says', async () => {
    const owner = await app.signUp()
    const own = (await owner.http.action(api.apiTokens.create, { name: 'Examples' })).token
    const space = await owner.http.mutation(api.knowledge.spaces.create, { name: 'Terms' })
    await addTable(space._id, owner)
    const names: Record<string, string> = {}
    const examples = await readExamples()
    expect(examples.length).toBeGreaterThan(10)
    for (const { request, answer } of examples) {
      const [line = '', keyLine] = request.head.split('\n')
      const [method = '', path = ''] = line.split(' ')
      const key = keyLine?.replace('Idempotency-Key: ', '')
      const made = await send<unknown>(method, fill(path.replace('/api/v1', ''), names), {
        token: own,
        ...(key && { key }),
        ...(request.body && { body: request.body }),
      })
      expect([request.head, made.status]).toEqual([request.head, Number(answer.head.split(' ')[1])])
      expectLike(made.body, JSON.parse(answer.body), names)
      await app.settle()
    }
  })
})

type Block = { head: string; body: string }

/** Requests and responses, alternating. */
async function readExamples(): Promise<{ request: Block; answer: Block }[]> {
  const text = await fs.readFile(new URL('../../../docs/api.md', import.meta.url), 'utf8')
  const blocks = [...text.matchAll(/^```http\n([\s\S]*?)\n```$/gm)].map(([, block = '']): Block => {
    const [head = '', ...body] = block.split('\n\n')
    return { head, body: body.join('\n\n') }
  })
  return blocks.flatMap((request, at) => {
    const answer = blocks[at + 1]
    return at % 2 === 0 && answer ? [{ request, answer }] : []
  })
}

const fill = (text: string, names: Record<string, string>) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => names[name] ?? whole)

/** Everything in the document is in the response; `{name}` matches any value at first, and the same value from then on. */
function expectLike(made: unknown, written: unknown, names: Record<string, string>): void {
  if (typeof written === 'string') {
    const [, name] = /^\{(\w+)\}$/.exec(written) ?? []
    if (name && !names[name]) names[name] = String(made)
    expect(made).toBe(fill(written, names))
  } else if (typeof written === 'object' && written !== null) {
    expect(made).toBeTypeOf('object')
    if (Array.isArray(written)) expect(made).toHaveLength(written.length)
    for (const [key, value] of Object.entries(written)) {
      expectLike((made as Record<string, unknown>)[key], value, names)
    }
  } else expect(made).toBe(written)
}
