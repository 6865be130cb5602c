// A document that gets a new version by hand: through the upload route, with what is refused, and what people have hidden.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { KnowledgeDocument } from '#shared/knowledge/knowledge.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'

const OLD = '# Доставка\n\nВелосипедист приезжает завтра.\n\n# Возврат\n\nЧетырнадцать дней.'
const NEW = '# Возврат\n\nЧетырнадцать дней.\n\n# Доставка\n\nДрон прилетает сегодня.'

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

type Sent = { replaces?: string; space?: string; by?: Person; key?: string }
type Answer = { status: number; body: KnowledgeDocument & { code?: string } }

async function send(name: string, content: string, sent: Sent = {}): Promise<Answer> {
  const { replaces, space = knowledgeSpaceId, by = person, key } = sent
  const query = new URLSearchParams({ knowledgeSpaceId: space, name, ...(replaces !== undefined && { replaces }) })
  const headers = { authorization: `Bearer ${await by.token()}`, ...(key && { 'idempotency-key': key }) }
  const answer = await fetch(`${app.url}/api/files/documents?${query}`, { method: 'POST', headers, body: content })
  return { status: answer.status, body: await answer.json() }
}

async function uploaded(name: string, content: string): Promise<Id<'documents'>> {
  const { body } = await send(name, content)
  await app.settle()
  return body._id
}

const documents = () => person.http.query(api.knowledge.documents.list, { knowledgeSpaceId })
const found = async (query: string) =>
  (await person.http.query(api.knowledge.search.run, { knowledgeSpaceId, query })).map(({ content }) => content)
const passages = async (sourceId: string) => {
  const args = { sourceId, paginationOpts: { numItems: 50, cursor: null } }
  return (await person.http.query(api.knowledge.chunks.list, args)).page
}

describe('a new version of a document', () => {
  it.each(['правила.md', 'Правила с июля.md'])('takes its place as %s: hidden passages stay hidden', async (name) => {
    const id = await uploaded('правила.md', OLD)
    const [, returns] = await passages(id)
    const hide = { chunkId: returns?._id as Id<'chunks'>, patch: { isEnabled: false } }
    await person.http.mutation(api.knowledge.chunks.update, hide)
    const { status, body } = await send(name, NEW, { replaces: id })
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ _id: id, name, status: 'processing', servesEarlier: true }),
    ])
    expect(await found('велосипедист')).toEqual(['Велосипедист приезжает завтра.'])
    await app.settle()
    expect(await documents()).toEqual([
      expect.objectContaining({ _id: id, name, status: 'ready', servesEarlier: false, replacedAt: expect.any(Number) }),
    ])
    expect([await found('велосипедист'), await found('дрон')]).toEqual([[], ['Дрон прилетает сегодня.']])
    expect((await passages(id)).map(({ content, isEnabled }) => [content, isEnabled])).toEqual([
      ['Четырнадцать дней.', false],
      ['Дрон прилетает сегодня.', true],
    ])
    expect(await found('четырнадцать дней')).toEqual([])
  })

  it('takes its place once when it is sent again because the answer was lost', async () => {
    const id = await uploaded('a.md', OLD)
    const [first, again] = [
      await send('a.md', NEW, { replaces: id, key: 'v2' }),
      await send('a.md', NEW, { replaces: id, key: 'v2' }),
    ]
    expect([first.status, again.status, again.body._id]).toEqual([201, 201, id])
    await app.settle()
    expect(await documents()).toHaveLength(1)
    expect(await found('дрон')).toHaveLength(1)
  })

  it('is refused for what is not there, of others, of another space, being processed, or a page of a site', async () => {
    const id = await uploaded('a.md', OLD)
    const other = await person.http.mutation(api.knowledge.spaces.create, { name: 'Другая' })
    const theirs = await stranger.http.mutation(api.knowledge.spaces.create, { name: 'Чужая' })
    const refused = async (sent: Sent) => {
      const { status, body } = await send('a.md', NEW, { replaces: id, ...sent })
      return [status, body.code]
    }
    expect(await refused({ replaces: 'nothing' })).toEqual([404, 'not_found'])
    expect(await refused({ replaces: '' })).toEqual([404, 'not_found'])
    expect(await refused({ replaces: 'a\0b' })).toEqual([404, 'not_found'])
    expect(await refused({ space: other._id })).toEqual([404, 'not_found'])
    expect(await refused({ by: stranger })).toEqual([404, 'not_found'])
    expect(await refused({ by: stranger, space: theirs._id })).toEqual([404, 'not_found'])
    await app.database.root.updateTable('documents').set({ status: 'processing' }).where('id', '=', id).execute()
    expect(await refused({})).toEqual([409, 'document_busy'])
    await app.database.root.updateTable('documents').set({ status: 'ready' }).where('id', '=', id).execute()
    await asPage(id)
    expect((await documents())[0]).toMatchObject({ isSitePage: true })
    expect(await refused({})).toEqual([409, 'document_of_site'])
    expect(await found('велосипедист')).toHaveLength(1)
    const files = await app.database.root.selectFrom('documents').where('id', '=', id).select('file_key').execute()
    expect(files).toEqual([{ file_key: id }])
  })

  it('that breaks a rule of its format is reported, and agents keep the previous one', async () => {
    const id = await uploaded('a.md', OLD)
    await send('a.json', '{"a" 1}', { replaces: id })
    await app.settle()
    expect(await documents()).toEqual([
      expect.objectContaining({ status: 'error', errorReason: 'invalid_json', servesEarlier: true }),
    ])
    expect(await found('велосипедист')).toHaveLength(1)
    await send('a.md', NEW, { replaces: id })
    await app.settle()
    expect(await documents()).toEqual([expect.objectContaining({ status: 'ready', errorReason: null })])
  })
})

describe('the names of files', () => {
  const named = async (names: string[], by = person) =>
    (await by.http.query(api.knowledge.documents.findNamed, { knowledgeSpaceId, names })).map(
      (each) => each?._id ?? null,
    )

  it('are known by documents that have them, whatever their case: the newest one, and none that is a page of a site', async () => {
    await uploaded('Прайс.md', OLD)
    const newest = await uploaded('прайс.md', NEW)
    const page = await uploaded('Home.html', '<p>Home</p>')
    await asPage(page)
    expect(await named(['ПРАЙС.MD', 'folder/прайс.md', 'прайс.txt', 'home.html'])).toEqual([newest, newest, null, null])
    await expect(named(['прайс.md'], stranger)).rejects.toMatchObject({ data: { code: 'not_found' } })
  })
})

/** Makes a document that of a page of a site. */
async function asPage(documentId: Id<'documents'>): Promise<void> {
  const id = newId('sites')
  const of = { organization_id: person.organization._id, url: 'https://shop.example/' }
  const site = { ...of, id, knowledge_space_id: knowledgeSpaceId, mode: 'crawl', status: 'ready' } as const
  await app.database.root
    .insertInto('sites')
    .values({ ...site, max_pages: 1, max_depth: 0 })
    .execute()
  const page = { ...of, id: newId('sitePages'), site_id: id, depth: 0, round: 0, status: 'done' } as const
  await app.database.root
    .insertInto('site_pages')
    .values({ ...page, document_id: documentId })
    .execute()
}
