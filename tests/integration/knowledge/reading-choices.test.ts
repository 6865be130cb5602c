// What an owner decides about how a document is read: its encoding, what its author has hidden, a file that is there already.
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { KnowledgeDocument } from '#shared/knowledge/knowledge.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { openTestDatabase } from '#tests/database.ts'
import { makeDocx, paragraph } from '#tests/fakes/docx.ts'
import { makePdf } from '#tests/fakes/pdf.ts'

let app: TestApp
let person: Person
let stranger: Person
let knowledgeSpaceId: Id<'knowledgeSpaces'>

beforeAll(async () => {
  app = await startApp()
  person = await app.signUp()
  stranger = await app.signUp()
})
afterAll(() => app.close())
beforeEach(async () => {
  knowledgeSpaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Справка' }))._id
})

async function upload(name: string, content: Uint8Array | string, to = app, by = person): Promise<KnowledgeDocument> {
  const query = new URLSearchParams({ knowledgeSpaceId, name })
  const headers = { authorization: `Bearer ${await by.token()}` }
  const body = typeof content === 'string' ? content : Uint8Array.from(content)
  const answer = await fetch(`${to.url}/api/files/documents?${query}`, { method: 'POST', headers, body })
  expect(answer.status).toBe(201)
  const { _id } = (await answer.json()) as KnowledgeDocument
  await to.settle()
  return read(_id)
}
const read = (documentId: Id<'documents'>) => person.http.query(api.knowledge.documents.get, { documentId })
const passages = async (sourceId: string) => {
  const args = { sourceId, paginationOpts: { numItems: 50, cursor: null } }
  return (await person.http.query(api.knowledge.chunks.list, args)).page.map(({ content }) => content)
}

describe('a document whose encoding is not sure', () => {
  const GBK = Buffer.from('b2fac6b7bcdbb8f1a3ba313030d4aa', 'hex')

  it('waits for a choice with previews, and is read as chosen, also again', async () => {
    const { _id: documentId, ...document } = await upload('цены.txt', GBK)
    expect(document).toMatchObject({ status: 'error', errorReason: 'encoding_unsure', encoding: null, chunks: 0 })
    expect(document.encodingChoices?.[0]).toEqual({ encoding: 'gb18030', preview: '产品价格：100元' })
    const choose = (encoding: string, by = person) =>
      by.http.mutation(api.knowledge.documents.chooseEncoding, { documentId, encoding })
    await expect(choose('klingon')).rejects.toMatchObject({ data: { code: 'invalid_arguments' } })
    await expect(choose('gb18030', stranger)).rejects.toMatchObject({ data: { code: 'not_found' } })
    await choose('gb18030')
    await app.settle()
    expect(await read(documentId)).toMatchObject({ status: 'ready', encoding: 'gb18030', encodingChoices: null })
    expect(await passages(documentId)).toEqual(['产品价格：100元'])
    await choose('big5')
    await app.settle()
    expect(await passages(documentId)).not.toEqual(['产品价格：100元'])
  })

  it('is asked for again for another file in its place', async () => {
    const { _id } = await upload('цены.txt', GBK)
    await person.http.mutation(api.knowledge.documents.chooseEncoding, { documentId: _id, encoding: 'gb18030' })
    await app.settle()
    const query = new URLSearchParams({ knowledgeSpaceId, name: 'цены.txt', replaces: _id })
    const headers = { authorization: `Bearer ${await person.token()}` }
    await fetch(`${app.url}/api/files/documents?${query}`, { method: 'POST', headers, body: 'Чай 500 тенге' })
    await app.settle()
    expect(await read(_id)).toMatchObject({ status: 'ready', encoding: null })
    expect(await passages(_id)).toEqual(['Чай 500 тенге'])
  })
})

it('a document is read with what its author has hidden, and without again', async () => {
  const file = makeDocx({ body: paragraph('Доставка два дня.') + paragraph('Маржа сорок.', '', '<w:vanish/>') })
  const { _id: documentId, warnings } = await upload('доставка.docx', file)
  expect(warnings).toEqual([{ kind: 'hidden', counts: { texts: 1 }, isIncluded: false }])
  for (const includesHidden of [true, false]) {
    await person.http.mutation(api.knowledge.documents.includeHidden, { documentId, includesHidden })
    await app.settle()
    expect(await read(documentId)).toMatchObject({ status: 'ready', includesHidden })
    expect(await passages(documentId)).toEqual([
      includesHidden ? 'Доставка два дня.\nМаржа сорок.' : 'Доставка два дня.',
    ])
  }
})

it('a second copy of a file is reported and may be kept; in another space it is no copy', async () => {
  const first = await upload('Правила.md', '# Возврат\n\nДве недели.')
  const second = await upload('Правила (1).md', '# Возврат\n\nДве недели.')
  expect(first.warnings).toEqual([])
  expect(second.warnings).toEqual([{ kind: 'same_file', documentId: first._id, name: 'Правила.md' }])
  await person.http.mutation(api.knowledge.documents.keepBoth, { documentId: second._id })
  expect((await read(second._id)).warnings).toEqual([])
  knowledgeSpaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Другая' }))._id
  expect((await upload('Правила.md', '# Возврат\n\nДве недели.')).warnings).toEqual([])
})

it('a scan is kept without passages and says why', async () => {
  const { _id, ...scan } = await upload('скан.pdf', makePdf([{ hasImage: true }]))
  expect(scan).toMatchObject({ status: 'ready', chunks: 0, warnings: [{ kind: 'no_text_layer', pages: [1] }] })
})

describe('servers that keep files in folders of their own', () => {
  it('are named in the log, and a document whose file is elsewhere says so and can be tried again', async () => {
    const database = await openTestDatabase()
    const logged: string[] = []
    const log = pino({ level: 'warn' }, { write: (line) => logged.push(line) })
    const one = await startApp({ database, log })
    const two = await startApp({ database, log })
    try {
      expect(logged.join('\n')).toContain('keeps files in a data folder of its own')
      expect(logged.filter((line) => line.includes('data folder of its own'))).toHaveLength(1)
      const owner = await one.signUp()
      const space = await owner.http.mutation(api.knowledge.spaces.create, { name: 'Общая' })
      const query = new URLSearchParams({ knowledgeSpaceId: space._id, name: 'a.txt' })
      const headers = { authorization: `Bearer ${await owner.token()}` }
      const sent = await fetch(`${one.url}/api/files/documents?${query}`, { method: 'POST', headers, body: 'Чай' })
      const { _id: documentId } = (await sent.json()) as KnowledgeDocument
      await one.settle()
      await rm(path.join(one.config.dataDir, 'files', documentId))
      await owner.http.mutation(api.knowledge.documents.includeHidden, { documentId, includesHidden: true })
      await one.settle()
      const document = await owner.http.query(api.knowledge.documents.get, { documentId })
      expect(document).toMatchObject({ status: 'error', errorReason: 'file_elsewhere', servesEarlier: true })
      await owner.http.mutation(api.knowledge.documents.retry, { documentId })
    } finally {
      await two.close()
      await one.close()
      await database.close()
    }
  })
})
