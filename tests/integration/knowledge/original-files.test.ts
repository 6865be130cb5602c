// The original file of a document or a table: downloaded as it was uploaded, by members of its organization only.
import { mkdir, rm } from 'node:fs/promises'
import { utils, write } from '@e965/xlsx'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'

let app: TestApp
let person: Person
let stranger: Person
let knowledgeSpaceId: Id<'knowledgeSpaces'>
const logged: string[] = []

beforeAll(async () => {
  app = await startApp({ log: pino({ level: 'error' }, { write: (line) => logged.push(line) }) })
  person = await app.signUp()
  stranger = await app.signUp()
  knowledgeSpaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Магазин' }))._id
})
afterAll(() => app.close())

const get = async (id: string, by: Person | null = person) =>
  fetch(`${app.url}/api/files/sources/${id}`, by ? { headers: { authorization: `Bearer ${await by.token()}` } } : {})
const sourceOf = (sourceId: string) => person.http.query(api.knowledge.chunks.source, { sourceId })
const nameIn = (answer: Response) =>
  decodeURIComponent(/filename\*=UTF-8''(.+)$/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? '')

async function uploaded(kind: 'documents' | 'tables', name: string, body: Uint8Array<ArrayBuffer>): Promise<string> {
  const query = new URLSearchParams({ knowledgeSpaceId, name })
  const headers = { authorization: `Bearer ${await person.token()}` }
  const answer = await fetch(`${app.url}/api/files/${kind}?${query}`, { method: 'POST', body, headers })
  const { _id } = (await answer.json()) as { _id: string }
  await app.settle()
  return _id
}

it.each([
  ['documents', 'Условия.html', '<h1>Возврат</h1><script>alert(1)</script><p>14 дней.</p>'],
  ['documents', 'notes.txt', 'Returns take 14 days.'],
  ['tables', 'Прайс.csv', 'Товар;Цена\nСтол;5\n'],
] as const)('in %s, %s is saved as it was uploaded, and never shown', async (kind, name, text) => {
  const id = await uploaded(kind, name, new TextEncoder().encode(text))
  expect(await sourceOf(id)).toMatchObject({ url: null, hasFile: true })
  const answer = await get(id)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/octet-stream')
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment;/)
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect([nameIn(answer), await answer.text()]).toEqual([name, text])
})

it('of a sheet is the whole workbook, under the workbook’s name', async () => {
  const book = utils.book_new(utils.aoa_to_sheet([['a'], ['1']]), 'Прайс')
  utils.book_append_sheet(book, utils.aoa_to_sheet([['b'], ['2']]), 'Склад')
  const bytes = new Uint8Array(write(book, { type: 'array', bookType: 'xlsx' }) as ArrayBuffer)
  const tableId = (await uploaded('tables', 'Магазин.xlsx', bytes)) as Id<'tables'>
  await person.http.mutation(api.knowledge.tables.takeSheets, { tableId, sheets: ['Склад'] })
  await app.settle()
  const sheets = await person.http.query(api.knowledge.tables.sheets, { tableId })
  const answer = await get(sheets[1]?.tableId ?? '')
  expect(nameIn(answer)).toBe('Магазин.xlsx')
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes)
})

async function fileKeyOf(id: string): Promise<string> {
  const { fileKey } = await app.database.system('test: the file of a document', (db) =>
    db
      .selectFrom('documents')
      .where('id', '=', id as Id<'documents'>)
      .select('file_key as fileKey')
      .executeTakeFirstOrThrow(),
  )
  return fileKey
}

it('is reported as unavailable when its bytes are missing', async () => {
  const id = await uploaded('documents', 'lost.txt', new TextEncoder().encode('Gone.'))
  await app.services.files.remove(await fileKeyOf(id))
  const answer = await get(id)
  expect([answer.status, await answer.json()]).toEqual([502, { code: 'file_not_loadable' }])
  expect(logged.join()).not.toContain(id)
})

it('logs disk errors', async () => {
  const id = await uploaded('documents', 'broken.txt', new TextEncoder().encode('Broken.'))
  const place = await app.services.files.localPath(await fileKeyOf(id))
  await rm(place)
  await mkdir(place) // in place of the file: it exists, and cannot be read
  const answer = await get(id)
  expect([answer.status, await answer.json()]).toEqual([500, { code: 'server_error' }])
  expect(logged.filter((line) => line.includes(id)).join()).toContain('EISDIR')
  await rm(place, { recursive: true })
})

it('is not available to others, and deleted with its space', async () => {
  const id = await uploaded('documents', 'secret.txt', new TextEncoder().encode('For us alone.'))
  expect((await get(id, null)).status).toBe(401)
  expect((await get(id, stranger)).status).toBe(404)
  expect((await get('0'.repeat(32))).status).toBe(404)
  const note = { knowledgeSpaceId, name: 'Note', content: 'Without a file.' }
  const { _id: noteId } = await person.http.mutation(api.knowledge.fragments.create, note)
  expect(await sourceOf(noteId)).toMatchObject({ hasFile: false })
  expect((await get(noteId)).status).toBe(404)
  await person.http.mutation(api.knowledge.spaces.remove, { knowledgeSpaceId })
  expect((await get(id)).status).toBe(404)
})
