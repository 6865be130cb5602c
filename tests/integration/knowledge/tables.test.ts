// Tables through the whole server: uploaded, typed, and queried by a model that never calculates itself.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { WAITING_MAX_MS } from '#server/domain/knowledge/documents/documents.reaper.ts'
import { reapTables } from '#server/domain/knowledge/tables/tables.analyze.ts'
import { importColumn } from '#server/domain/knowledge/tables/tables.import.ts'
import { askTable } from '#server/domain/knowledge/tables/tables.query.store.ts'
import { planQuestion } from '#server/domain/knowledge/tables/tables.query.ts'
import { claimTable, insertTable } from '#server/domain/knowledge/tables/tables.store.ts'
import type { GenerateRequest } from '#server/integrations/llm/llm.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import { tableQuestion } from '#shared/knowledge/table-questions.ts'
import type { DataTable } from '#shared/knowledge/tables.ts'
import type { Message } from '#shared/messaging/conversations.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { echo, scriptedLlm } from '#tests/pipeline-world.ts'
import { seededRandom } from '#tests/random.ts'
import { byPrice, computed, makeFilter, makeItem } from './tables-by-hand.ts'

let app: TestApp
let person: Person
let stranger: Person
let knowledgeSpaceId: Id<'knowledgeSpaces'>
let model: (request: GenerateRequest) => string | Promise<string> = echo

beforeAll(async () => {
  app = await startApp({ overrides: { llm: scriptedLlm((request) => model(request)) } })
  person = await app.signUp()
  stranger = await app.signUp()
})
afterAll(() => app.close())
beforeEach(async () => {
  knowledgeSpaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Магазин' }))._id
})

const PRICES =
  'Товар;Цена;В наличии;Привоз\nСтол;1 200,50;да;01.02.2026\nСтул;300;да;15.03.2026\nШкаф;5 000;нет;\nПолка;250;да;02.02.2026\n'

async function send(name: string, body: string | FormData, by: Person | null = person) {
  const token = by && (await by.token())
  const query = new URLSearchParams({ knowledgeSpaceId, name })
  const headers = token ? { authorization: `Bearer ${token}` } : undefined
  const answer = await fetch(`${app.url}/api/files/tables?${query}`, {
    method: 'POST',
    body,
    ...(headers && { headers }),
  })
  return { status: answer.status, body: (await answer.json()) as DataTable & { code?: string } }
}

async function uploaded(name: string, body: string): Promise<DataTable> {
  const { status, body: table } = await send(name, body)
  expect(status).toBe(201)
  expect(table).toMatchObject({ status: 'uploaded', name })
  await app.settle()
  return person.http.query(api.knowledge.tables.get, { tableId: table._id })
}

const pages = { paginationOpts: { numItems: 10, cursor: null } }
const list = () => person.http.query(api.knowledge.tables.list, { knowledgeSpaceId, ...pages })
const ask = (table: DataTable, question: object, by = person) =>
  app.database.organization(by.organization._id, (db) =>
    askTable(
      { db, organizationId: by.organization._id },
      planQuestion(table, tableQuestion.parse({ table: table._id, ...question })),
    ),
  )

/** The id of the process that parses a table. */
function theParser(): number {
  const processes = execFileSync('ps', ['-eo', 'ppid=,pid=,args=']).toString().split('\n')
  const mine = processes.map((line) => line.trim().split(/\s+/)).filter(([parent]) => Number(parent) === process.pid)
  const parser = mine.find(([, , ...program]) => program.some((part) => part.endsWith('table-process.ts')))
  if (!parser) throw new Error('No table is read.')
  return Number(parser[1])
}

describe('an upload', () => {
  it('becomes typed columns with samples, and rows as in the file', async () => {
    const table = await uploaded('Прайс.csv', PRICES)
    expect(table).toMatchObject({
      status: 'ready',
      rows: 4,
      language: 'ru',
      warnings: [],
      columns: [
        { name: 'Товар', type: 'text', unfit: 0 },
        { name: 'Цена', type: 'number', samples: ['1 200,50', '300', '5 000'] },
        { name: 'В наличии', type: 'boolean' },
        { name: 'Привоз', type: 'date' },
      ],
    })
    expect((await list()).page).toEqual([table])
    const { page } = await person.http.query(api.knowledge.tables.rows, { tableId: table._id, ...pages })
    expect(page[0]).toEqual({ number: 1, cells: ['Стол', '1 200,50', 'да', '01.02.2026'] })
  })

  it.each([
    ['заметки.txt', 'a,b\n1,2', 415, 'unsupported_format'],
    ['пусто.csv', '', 400, 'file_empty'],
    ['форма.csv', new FormData(), 415, 'raw_body_expected'],
  ])('%s is refused', async (name, body, status, code) => {
    const answer = await send(name, body)
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  it('is refused to strangers and anonymous callers', async () => {
    expect((await send('a.csv', PRICES, stranger)).body.code).toBe('not_found')
    expect((await send('a.csv', PRICES, null)).body.code).toBe('unauthenticated')
  })

  it('that cannot be parsed reports why, can be retried, and is deleted with its file', async () => {
    const table = await uploaded('сломан.xlsx', 'no spreadsheet')
    expect(table).toMatchObject({ status: 'error', errorReason: 'type_mismatch', rows: 0 })
    const { _id: tableId } = table
    await expect(person.http.mutation(api.knowledge.tables.cancel, { tableId })).rejects.toMatchObject({
      data: { code: 'table_not_cancellable' },
    })
    await person.http.mutation(api.knowledge.tables.retry, { tableId })
    await app.settle()
    expect(await person.http.query(api.knowledge.tables.get, { tableId })).toMatchObject({ status: 'error' })
    const file = await app.services.files.localPath(tableId)
    await person.http.mutation(api.knowledge.tables.remove, { tableId })
    await app.settle()
    expect(existsSync(file)).toBe(false)
  })

  it.each(['cancel', 'remove'] as const)('whose analysis is ended by %s is parsed no further', async (end) => {
    const { body: table } = await send('Длинная.csv', `Товар,Цена\n${'Стол письменный,1200\n'.repeat(200_000)}`)
    const parser = await vi.waitFor(theParser, { timeout: 45_000 })
    process.kill(parser, 'SIGSTOP') // it would not end by itself
    await person.http.mutation(api.knowledge.tables[end], { tableId: table._id })
    await vi.waitFor(() => expect(theParser).toThrow('No table is read'), { timeout: 45_000 })
    await app.settle()
    const left = await list()
    expect(left.page.map(({ errorReason }) => errorReason)).toEqual(end === 'cancel' ? ['cancelled'] : [])
  })

  it('that waits in the queue is given up after six hours, unless a worker takes it after all', async () => {
    const { organization } = person
    const file = { name: 'Прайс.csv', format: 'csv', fileKey: 'of-nobody.csv', sizeBytes: 1 } as const
    const table = { id: newId('tables'), knowledgeSpaceId, ...file }
    await app.database.organization(organization._id, (db) =>
      insertTable({ db, organizationId: organization._id }, table, new Date(0)),
    )
    const get = () => person.http.query(api.knowledge.tables.get, { tableId: table.id })
    await reapTables(app.services, new Date(WAITING_MAX_MS.busy))
    expect(await get()).toMatchObject({ status: 'uploaded' })
    await reapTables(app.services, new Date(WAITING_MAX_MS.busy + 1))
    expect(await get()).toMatchObject({ status: 'error', errorReason: 'not_started' })
    const claimed = await app.database.organization(organization._id, (db) =>
      claimTable({ db, organizationId: organization._id }, table.id),
    )
    expect(claimed).toMatchObject({ tableId: table.id })
    expect(await get()).toMatchObject({ status: 'analyzing', errorReason: null })
  })

  it('that hangs is given up, and a cancelled one accepts no rows of an older attempt', async () => {
    const { _id: tableId } = await uploaded('Прайс.csv', PRICES)
    await app.database.root
      .updateTable('knowledge_tables')
      .where('id', '=', tableId)
      .set({ status: 'analyzing', heartbeat_at: new Date(0) })
      .execute()
    await reapTables(app.services, new Date())
    expect(await person.http.query(api.knowledge.tables.get, { tableId })).toMatchObject({
      status: 'error',
      errorReason: 'timeout',
    })
    const { page } = await person.http.query(api.knowledge.tables.rows, { tableId, ...pages })
    expect(page).toEqual([])
  })
})

describe('a question', () => {
  it('counts, adds up, sorts and groups', async () => {
    const table = await uploaded('Прайс.csv', PRICES)
    const filters = [{ column: 2, operator: 'lt', value: 1000 }]
    const answer = await ask(table, {
      filters,
      aggregates: [{ function: 'count' }, { function: 'sum', column: 2 }, { function: 'avg', column: 2 }],
    })
    expect(answer).toMatchObject({ matched: 2, groups: [{ key: null, values: [2, 550, 275] }] })
    expect(answer.rows.map((row) => row.cells[0])).toEqual(['Стул', 'Полка'])
    const sorted = await ask(table, { sort: { column: 2, direction: 'desc' }, limit: 1 })
    expect(sorted).toMatchObject({ matched: 4, rows: [{ number: 3 }] })
    const groups = await ask(table, { groupBy: 3, aggregates: [{ function: 'max', column: 2 }] })
    const named = await ask(table, { groupBy: 1 })
    expect(named.groups).toContainEqual({ key: 'Полка', values: [1] })
    expect(groups.groups).toEqual([
      { key: true, values: [1200.5] },
      { key: false, values: [5000] },
    ])
    const dates = await ask(table, { filters: [{ column: 4, operator: 'lte', value: '2026-02-28' }] })
    expect(dates.matched).toBe(2)
    expect((await ask(table, { filters: [{ column: 1, operator: 'contains', value: 'СТ' }] })).matched).toBe(2)
    expect((await ask(table, { filters: [{ column: 4, operator: 'is_empty' }] })).matched).toBe(1)
  })

  it('treats SQL as plain text', async () => {
    const table = await uploaded('a.csv', 'Товар,Цена\nСтол,1\nСтул,2\n')
    for (const value of [
      "' or 1=1 --",
      '"); drop table table_rows; --',
      '$[0] ? (@ == 1)',
      '%',
      '_',
      '\\',
      '\0',
      '\ud800',
    ]) {
      const { matched } = await ask(table, { filters: [{ column: 1, operator: 'eq', value }] })
      expect([value, matched]).toEqual([value, 0])
    }
    expect((await ask(table, {})).matched).toBe(2)
  })

  it('sees the rows of its own organization only, and none of a deleted space', async () => {
    const table = await uploaded('Прайс.csv', PRICES)
    expect(await ask(table, { aggregates: [{ function: 'count' }] }, stranger)).toMatchObject({ matched: 0, rows: [] })
    const calls = [api.knowledge.tables.get, api.knowledge.tables.rows] as const
    await expect(stranger.http.query(calls[0], { tableId: table._id })).rejects.toMatchObject({
      data: { code: 'not_found' },
    })
    await expect(stranger.http.query(calls[1], { tableId: table._id, ...pages })).rejects.toMatchObject({
      data: { code: 'not_found' },
    })
    await expect(stranger.http.mutation(api.knowledge.tables.remove, { tableId: table._id })).rejects.toMatchObject({
      data: { code: 'not_found' },
    })
    await person.http.mutation(api.knowledge.spaces.remove, { knowledgeSpaceId })
    await expect(person.http.query(calls[0], { tableId: table._id })).rejects.toMatchObject({
      data: { code: 'not_found' },
    })
  })

  it('gets the same answers as an independent calculation, over 10,000 rows next to a table of other types', async () => {
    const random = seededRandom(20_261_121)
    const items = Array.from({ length: 10_000 }, (_, index) => makeItem(random, index))
    await uploaded('Другая.csv', 'a,b,c\nx,y,1\nz,w,2\n')
    const lines = items.map(({ name, price, day }) => `${name},${price ?? ''},${day ?? ''}`)
    const table = await uploaded('Items.csv', ['Name,Price,Day', ...lines].join('\n'))
    expect(table).toMatchObject({ status: 'ready', rows: 10_000 })
    for (let round = 0; round < 40; round++) {
      const filters = Array.from({ length: 1 + random.below(2) }, () => makeFilter(random))
      const direction = random.pick(['asc', 'desc'] as const)
      const question = {
        filters: filters.map(({ filter }) => filter),
        sort: { column: 2, direction },
        limit: 5,
        aggregates: [
          { function: 'count', column: 2 },
          ...['sum', 'max'].map((name) => ({ function: name, column: 2 })),
        ],
      }
      const expected = items.filter((item) => filters.every(({ holds }) => holds(item)))
      const answer = await ask(table, question)
      expect([question, answer.matched]).toEqual([question, expected.length])
      const sorted = expected.toSorted((a, b) => byPrice(a, b, direction))
      expect(answer.rows.map((row) => row.number)).toEqual(sorted.slice(0, 5).map(({ number }) => number))
      expect(answer.groups).toEqual([{ key: null, values: computed(expected) }])
    }
  })

  it('groups as an independent calculation does', async () => {
    const random = seededRandom(4)
    const items = Array.from({ length: 300 }, (_, index) => ({
      ...makeItem(random, index),
      name: `N ${random.below(7)}`,
    }))
    const table = await uploaded(
      'Groups.csv',
      `Name,Price\n${items.map((item) => `${item.name},${item.price ?? ''}`).join('\n')}`,
    )
    const aggregates = ['count', 'sum', 'max'].map((name) => ({ function: name, column: 2 }))
    const byName = [...Map.groupBy(items, ({ name }) => name)]
      .map(([key, of]) => ({ key, values: computed(of) }))
      .sort((a, b) => (a.key < b.key ? -1 : 1))
    const sortedBy = (at: number) => byName.toSorted((a, b) => Number(b.values[at]) - Number(a.values[at]))
    const rowsOf = (key: string) => items.filter(({ name }) => name === key).length
    const byRows = byName.toSorted((a, b) => rowsOf(b.key) - rowsOf(a.key))
    const groupsOf = async (more: object) => {
      const { groups, groupCount } = await ask(table, { groupBy: 1, aggregates, ...more })
      return { groups, groupCount }
    }
    expect(await groupsOf({})).toEqual({ groups: byRows, groupCount: 7 })
    expect(await groupsOf({ sort: { column: 1, direction: 'desc' } })).toMatchObject({ groups: byName.toReversed() })
    expect(await groupsOf({ limit: 3, sort: { aggregate: 2, direction: 'desc' } })).toEqual({
      groups: sortedBy(1).slice(0, 3),
      groupCount: 7,
    })
    expect(await groupsOf({ limit: 2, sort: { aggregate: 3, direction: 'asc' } })).toEqual({
      groups: sortedBy(2).toReversed().slice(0, 2),
      groupCount: 7,
    })
    expect(await ask(table, { filters: [{ column: 2, operator: 'lt', value: -1 }], groupBy: 1 })).toMatchObject({
      groups: [],
      groupCount: 0,
    })
  })
})

describe('the import of a column', () => {
  const search = async (query: string) => {
    const results = await person.http.query(api.knowledge.search.run, { knowledgeSpaceId, query })
    return results.map(({ content, documentId }) => ({ content, documentId }))
  }
  const found = (table: DataTable, row: string) => ({ content: expect.stringContaining(row), documentId: table._id })
  const { tables } = api.knowledge

  it('makes rows findable with their other cells, and reports the outcome of each', async () => {
    const table = await uploaded('Прайс.csv', PRICES)
    const { _id: tableId } = table
    expect(await search('шкаф')).toEqual([])
    await person.http.mutation(tables.importColumn, { tableId, column: 1 })
    expect(await person.http.query(tables.get, { tableId })).toMatchObject({ status: 'importing', importedColumn: 1 })
    const work = async (part: 'unfinished' | 'ended') =>
      (await person.http.query(tables.listWork, {}))[part].filter(({ _id }) => _id === tableId)
    expect(await work('unfinished')).toMatchObject([{ name: 'Прайс.csv', status: 'importing' }])
    await app.settle()
    expect(await work('ended')).toMatchObject([{ status: 'ready', chunks: { total: 5, ready: 5, failed: 0 } }])
    expect(await work('unfinished')).toEqual([])
    expect(await person.http.query(tables.get, { tableId })).toMatchObject({
      status: 'ready',
      importedColumn: 1,
      chunks: { total: 5, ready: 5, failed: 0 },
    })
    expect(await search('сколько стоит шкаф')).toContainEqual(found(table, 'Цена: 5 000; В наличии: нет\nТовар: Шкаф'))
    const { page } = await person.http.query(tables.chunks, { tableId, ...pages })
    expect(page.map(({ chunkIndex, status }) => [chunkIndex, status])).toEqual(
      [0, 1, 2, 3, 4].map((at) => [at, 'ready']),
    )
    await person.http.mutation(tables.remove, { tableId })
    expect(await search('шкаф')).toEqual([])
  })

  it('names the unmet condition, and continues when it is met', async () => {
    const { _id: tableId } = await uploaded('Прайс.csv', PRICES)
    const importing = (column: number) => person.http.mutation(tables.importColumn, { tableId, column })
    const refused = (code: string) => ({ data: expect.objectContaining({ code }) })
    await expect(importing(9)).rejects.toMatchObject(refused('invalid_arguments'))
    await importing(1)
    await expect(importing(2)).rejects.toMatchObject(refused('table_is_importing'))
    await app.settle()
    await expect(importing(3)).rejects.toMatchObject(refused('table_has_chunks'))
    await person.http.mutation(tables.clearImport, { tableId })
    expect(await search('шкаф')).toEqual([])
    await expect(person.http.mutation(tables.clearImport, { tableId })).rejects.toMatchObject(
      refused('table_has_no_chunks'),
    )
    await importing(4)
    await app.settle()
    expect(await person.http.query(tables.get, { tableId })).toMatchObject({
      status: 'ready',
      importedColumn: 4,
      chunks: { total: 4 },
    })
    const broken = await uploaded('сломан.xlsx', 'no spreadsheet')
    await expect(person.http.mutation(tables.importColumn, { tableId: broken._id, column: 1 })).rejects.toMatchObject(
      refused('table_not_analyzed'),
    )
  })

  it('that is cancelled leaves nothing, not even from a worker that has not noticed', async () => {
    const { _id: tableId } = await uploaded('Прайс.csv', PRICES)
    const { retrieval } = app.services
    const build = retrieval.buildSegment
    const isCancelled = Promise.withResolvers<void>()
    const held = vi.spyOn(retrieval, 'buildSegment').mockImplementation(async (chunks) => {
      await isCancelled.promise
      return build(chunks)
    })
    await person.http.mutation(tables.importColumn, { tableId, column: 1 })
    const running = importColumn(
      app.services,
      { organizationId: person.organization._id, tableId },
      new AbortController().signal,
    )
    await person.http.mutation(tables.cancel, { tableId })
    isCancelled.resolve()
    await running
    await app.settle()
    held.mockRestore()
    expect(await person.http.query(tables.get, { tableId })).toMatchObject({
      status: 'ready',
      importedColumn: null,
      chunks: { total: null, ready: 0, failed: 0 },
    })
    expect(await search('шкаф')).toEqual([])
    expect((await person.http.query(tables.chunks, { tableId, ...pages })).page).toEqual([])
  })

  it('that hangs is given up: finished rows stay findable, and a retry does the rest', async () => {
    const table = await uploaded('Прайс.csv', PRICES)
    const { _id: tableId } = table
    await person.http.mutation(tables.importColumn, { tableId, column: 1 })
    await app.settle()
    const { root } = app.database
    await root
      .updateTable('knowledge_tables')
      .where('id', '=', tableId)
      .set({ status: 'importing', heartbeat_at: new Date(0) })
      .execute()
    await reapTables(app.services, new Date())
    expect(await person.http.query(tables.get, { tableId })).toMatchObject({ status: 'error', errorReason: 'timeout' })
    expect(await search('шкаф')).toContainEqual(found(table, 'Товар: Шкаф'))
    expect((await ask(table, {})).matched).toBe(4)
    await person.http.mutation(tables.retry, { tableId })
    await app.settle()
    expect(await person.http.query(tables.get, { tableId })).toMatchObject({
      status: 'ready',
      chunks: { total: 5, ready: 5, failed: 0 },
    })
  })

  it('that fails is reported, leaves the table queryable, and resumes where it ended', async () => {
    const table = await uploaded('Прайс.csv', PRICES)
    const { _id: tableId } = table
    vi.spyOn(app.services.retrieval, 'buildSegment').mockRejectedValueOnce(new Error('no memory'))
    await person.http.mutation(tables.importColumn, { tableId, column: 1 })
    await app.settle()
    expect(await person.http.query(tables.get, { tableId })).toMatchObject({
      status: 'error',
      errorReason: 'failed',
      chunks: { total: 5, ready: 0, failed: 5 },
    })
    expect((await person.http.query(tables.chunks, { tableId, ...pages })).page[0]?.status).toBe('error')
    expect((await ask(table, {})).matched).toBe(4)
    await person.http.mutation(tables.retry, { tableId })
    await app.settle()
    expect(await person.http.query(tables.get, { tableId })).toMatchObject({
      status: 'ready',
      errorReason: null,
      chunks: { total: 5, ready: 5, failed: 0 },
    })
    expect(await search('шкаф')).toContainEqual(found(table, 'Товар: Шкаф'))
  })
})

describe('an agent with a table', () => {
  it('answers "how many cost less than" from a computed number, with the rows as a source', async () => {
    const agent = await person.http.mutation(api.agents.create, { name: 'Продавец' })
    const table = await uploaded('Прайс.csv', PRICES)
    await person.http.mutation(api.knowledge.spaces.linkAgent, { knowledgeSpaceId, agentId: agent._id })
    let seen: GenerateRequest | undefined
    model = async (request) => {
      seen = request
      const tool = request.tools.find(({ name }) => name === 'query_table')
      const question = {
        table: table._id,
        filters: [{ column: 2, operator: 'lt', value: 1000 }],
        aggregates: [{ function: 'count' }],
      }
      const result = await tool?.run(question, request.signal)
      const { computed } = result as { computed: { 'number of rows': number }[] }
      return `Дешевле 1000: ${computed[0]?.['number of rows']}`
    }
    const answered = Promise.withResolvers<Message>()
    const stop = person.live().onUpdate(api.testChat.messages, { agentId: agent._id }, (messages) => {
      if (messages[1]?.status === 'complete') answered.resolve(messages[1])
    })
    await person.http.mutation(api.testChat.send, { agentId: agent._id, text: 'Сколько товаров дешевле 1000?' })
    const message = await answered.promise
    stop()
    expect(message.text).toBe('Дешевле 1000: 2')
    expect(message.sources).toMatchObject([
      { documentId: table._id, source: 'Прайс.csv', rows: [{ matched: 2, rows: [{ number: 2 }, { number: 4 }] }] },
    ])
    expect(seen?.system).not.toContain('Товар')
    expect(seen?.data?.some(({ text }) => text.includes(table._id) && text.includes('Цена'))).toBe(true)
  })

  it('is not offered the tables of other spaces, and its tool accepts no other table', async () => {
    const agent = await person.http.mutation(api.agents.create, { name: 'Продавец' })
    await person.http.mutation(api.knowledge.spaces.linkAgent, { knowledgeSpaceId, agentId: agent._id })
    const own = await uploaded('Прайс.csv', PRICES)
    knowledgeSpaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Чужое' }))._id
    const other = await uploaded('Тайное.csv', PRICES)
    const results = Promise.withResolvers<unknown[]>()
    model = async (request) => {
      const tool = request.tools.find(({ name }) => name === 'query_table')
      const ids = [own._id, other._id, { table: other._id }]
      results.resolve(await Promise.all(ids.map((table) => tool?.run({ table }, request.signal))))
      return 'ok'
    }
    await person.http.mutation(api.testChat.send, { agentId: agent._id, text: 'Привет' })
    const [mine, theirs, malformed] = await results.promise
    expect(mine).toMatchObject({ table: 'Прайс.csv', matchedRows: 4 })
    expect(theirs).toBe('There is no such table.')
    expect(malformed).toEqual(expect.any(String))
    await app.settle()
  })
})
