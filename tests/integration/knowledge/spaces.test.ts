// What agents may use of a space and when, how a deleted space is restored, and chunks that users edit.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertDocument } from '#server/domain/knowledge/documents/documents.store.ts'
import { UNFINISHED_LISTED } from '#server/domain/knowledge/documents/work.rules.ts'
import { deleteRemovedSpaces, REMOVAL_GRACE_MS } from '#server/domain/knowledge/spaces/spaces.removal.ts'
import { insertTable } from '#server/domain/knowledge/tables/tables.store.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type {
  DocumentFilter,
  DocumentSort,
  Fragment,
  KnowledgeDocument,
  KnowledgeSource,
} from '#shared/knowledge/knowledge.ts'
import type { SourceMarks } from '#shared/knowledge/knowledge-marks.ts'
import type { PaginationOpts } from '#shared/schema.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'

let app: TestApp
let person: Person
const paginationOpts = { numItems: 20, cursor: null }

beforeAll(async () => {
  app = await startApp()
  person = await app.signUp()
})
afterAll(() => app.close())

type SpaceId = Id<'knowledgeSpaces'>
const newSpace = async (name = 'Справка'): Promise<SpaceId> =>
  (await person.http.mutation(api.knowledge.spaces.create, { name }))._id
const search = (knowledgeSpaceId: SpaceId, query: string) =>
  person.http.query(api.knowledge.search.run, { knowledgeSpaceId, query })
const kinds = async (spaceId: SpaceId, query: string) =>
  (await search(spaceId, query)).map((hit) => hit.metadata.sourceKind)
const write = (knowledgeSpaceId: SpaceId, name: string, content: string) =>
  person.http.mutation(api.knowledge.fragments.create, { knowledgeSpaceId, name, content })
const chunksOf = async (sourceId: string) =>
  (await person.http.query(api.knowledge.chunks.list, { sourceId, paginationOpts })).page

async function upload(
  spaceId: SpaceId,
  name: string,
  text: string,
  { settles = true, as = 'documents' } = {},
): Promise<KnowledgeDocument> {
  const query = new URLSearchParams({ knowledgeSpaceId: spaceId, name })
  const answer = await fetch(`${app.url}/api/files/${as}?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await person.token()}` },
    body: text,
  })
  const document = (await answer.json()) as KnowledgeDocument
  if (settles) await app.settle()
  return document
}

/** A space with a document and a note on the same question. */
async function furnished(): Promise<SpaceId> {
  const spaceId = await newSpace()
  await upload(spaceId, 'terms.txt', 'Срок возврата товара составляет 14 дней.')
  await write(spaceId, 'Срок возврата товара', 'С июля срок возврата товара 30 дней.')
  return spaceId
}

describe('the sources of a space', () => {
  const allow = (knowledgeSpaceId: SpaceId, enabledSources: KnowledgeSource[]) =>
    person.http.mutation(api.knowledge.spaces.update, { knowledgeSpaceId, patch: { enabledSources } })

  it('are all on by default, and those switched off are not found', async () => {
    const spaceId = await furnished()
    const space = await person.http.query(api.knowledge.spaces.get, { knowledgeSpaceId: spaceId })
    expect(space.enabledSources).toEqual(['documents', 'fragments', 'webSearch', 'tables'])
    expect(await kinds(spaceId, 'срок возврата товара')).toEqual(['fragment', 'document'])
    await allow(spaceId, ['documents'])
    expect(await kinds(spaceId, 'срок возврата товара')).toEqual(['document'])
    await allow(spaceId, ['fragments'])
    expect(await kinds(spaceId, 'срок возврата товара')).toEqual(['fragment'])
    await allow(spaceId, [])
    expect(await kinds(spaceId, 'срок возврата товара')).toEqual([])
  })

  it('can be restricted for one agent, whose answers then use only the rest', async () => {
    const spaceId = await furnished()
    const agent = await person.http.mutation(api.agents.create, { name: 'Консультант' })
    const link = { knowledgeSpaceId: spaceId, agentId: agent._id }
    const narrow = (enabledSources: KnowledgeSource[]) =>
      person.http.mutation(api.knowledge.spaces.updateLink, { ...link, patch: { enabledSources } })
    await expect(narrow(['documents'])).rejects.toMatchObject({ data: { code: 'not_found' } })
    await person.http.mutation(api.knowledge.spaces.linkAgent, link)
    await narrow(['documents'])
    expect(await person.http.query(api.knowledge.spaces.listLinks, { knowledgeSpaceId: spaceId })).toEqual([
      { agentId: agent._id, enabledSources: ['documents'], tags: [], languages: [] },
    ])
    await person.http.mutation(api.testChat.send, { agentId: agent._id, text: 'Какой срок возврата товара?' })
    await app.settle()
    const messages = await person.http.query(api.testChat.messages, { agentId: agent._id })
    const sources = messages.at(-1)?.sources.map(({ source }) => source)
    expect(sources).toEqual(['terms.txt'])
    expect(await kinds(spaceId, 'срок возврата товара')).toContain('fragment')
  })
})

describe('a deleted space', () => {
  it('is hidden at once and restored exactly as it was', async () => {
    const spaceId = await furnished()
    const agent = await person.http.mutation(api.agents.create, { name: 'Оператор' })
    const link = { knowledgeSpaceId: spaceId, agentId: agent._id }
    await person.http.mutation(api.knowledge.spaces.linkAgent, link)
    await person.http.mutation(api.knowledge.spaces.updateLink, { ...link, patch: { enabledSources: ['fragments'] } })
    const read = async () => ({
      space: await person.http.query(api.knowledge.spaces.get, { knowledgeSpaceId: spaceId }),
      links: await person.http.query(api.knowledge.spaces.listLinks, { knowledgeSpaceId: spaceId }),
      documents: await person.http.query(api.knowledge.documents.list, { knowledgeSpaceId: spaceId }),
      found: await search(spaceId, 'срок возврата'),
    })
    const before = await read()
    const [document] = before.documents
    await person.http.mutation(api.knowledge.spaces.remove, { knowledgeSpaceId: spaceId, isConfirmed: true })
    const refused = { data: { code: 'not_found' } }
    await expect(read()).rejects.toMatchObject(refused)
    await expect(chunksOf(document?._id ?? '')).rejects.toMatchObject(refused)
    await expect(write(spaceId, 'a', 'b')).rejects.toMatchObject(refused)
    await expect(
      person.http.query(api.knowledge.documents.get, { documentId: document?._id as Id<'documents'> }),
    ).rejects.toMatchObject(refused)
    const listed = await person.http.query(api.knowledge.spaces.list, {})
    expect(listed.map(({ _id }) => _id)).not.toContain(spaceId)
    expect((await person.http.query(api.agents.get, { id: agent._id })).knowledgeSpaceIds).toEqual([])

    await person.http.mutation(api.knowledge.spaces.restore, { knowledgeSpaceId: spaceId })
    expect(await read()).toEqual(before)
    expect((await person.http.query(api.agents.get, { id: agent._id })).knowledgeSpaceIds).toEqual([spaceId])
  })

  it('is purged with its files when the time to restore it is over', async () => {
    const spaceId = await furnished()
    const [document] = await person.http.query(api.knowledge.documents.list, { knowledgeSpaceId: spaceId })
    const fileKey = document?._id ?? ''
    await person.http.mutation(api.knowledge.spaces.remove, { knowledgeSpaceId: spaceId })
    const removedAt = Date.now()
    const restore = () => person.http.mutation(api.knowledge.spaces.restore, { knowledgeSpaceId: spaceId })
    await deleteRemovedSpaces(app.services, new Date(removedAt + REMOVAL_GRACE_MS / 2))
    await restore()
    await person.http.mutation(api.knowledge.spaces.remove, { knowledgeSpaceId: spaceId })
    await deleteRemovedSpaces(app.services, new Date(Date.now() + REMOVAL_GRACE_MS))
    await app.settle()
    await expect(restore()).rejects.toMatchObject({ data: { code: 'not_found' } })
    await expect(app.services.files.get(fileKey)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('the activity list', () => {
  it('lists documents of all spaces by their state, but none of a deleted space', async () => {
    const knowledgeSpaceId = await newSpace('Работа')
    const unread = () => person.http.query(api.knowledge.documents.listWork, {})
    const { _id } = await upload(knowledgeSpaceId, 'work.txt', 'Текст.', { settles: false })
    const item = { _id, name: 'work.txt', spaceName: 'Работа', spaceSlug: 'rabota' }
    const { unfinished, ended } = await unread()
    // It may be parsed by now, and is in one of both lists in any case.
    expect([...unfinished, ...ended].find((each) => each._id === _id)).toMatchObject(item)
    await app.settle()
    expect((await unread()).ended[0]).toMatchObject({ ...item, status: 'ready' })
    await person.http.mutation(api.knowledge.spaces.remove, { knowledgeSpaceId })
    expect((await unread()).ended.map((each) => each._id)).not.toContain(_id)
  })

  it('reports how many more are in progress than listed', async () => {
    const busy = await app.signUp()
    const { _id: knowledgeSpaceId } = await busy.http.mutation(api.knowledge.spaces.create, { name: 'Архив' })
    const organizationId = busy.organization._id
    const file = { knowledgeSpaceId, name: 'a.csv', format: 'csv', fileKey: 'of-nobody.csv' } as const
    await app.database.organization(organizationId, async (db) => {
      const ctx = { db, organizationId }
      for (let each = 0; each < UNFINISHED_LISTED + 2; each++) {
        await insertTable(ctx, { ...file, id: newId('tables'), sizeBytes: 1 }, new Date())
        if (each > 1) await insertDocument(ctx, { ...file, id: newId('documents') }, new Date())
      }
    })
    const documents = await busy.http.query(api.knowledge.documents.listWork, {})
    const tables = await busy.http.query(api.knowledge.tables.listWork, {})
    expect([documents, tables].map(({ unfinished, unlisted }) => [unfinished.length, unlisted])).toEqual([
      [UNFINISHED_LISTED, 0],
      [UNFINISHED_LISTED, 2],
    ])
  })
})

describe('the lists of a space', () => {
  it('of documents are searched in either alphabet, filtered, sorted and paged', async () => {
    const knowledgeSpaceId = await newSpace('Архив')
    const files = [
      ['Отчёт за МАЙ.txt', 'Май.'],
      ['b.txt', 'A longer text than the others have.'],
      ['100%_ready.json', '{"a" 1}'],
      ['ёлка.txt', 'Да.'],
    ] as const
    for (const [name, text] of files) await upload(knowledgeSpaceId, name, text, { settles: false })
    await app.settle()
    const browse = async (
      filter: Partial<DocumentFilter> & { sort?: DocumentSort } = {},
      opts: PaginationOpts = paginationOpts,
    ) => {
      const args = { knowledgeSpaceId, ...filter, paginationOpts: opts }
      return person.http.query(api.knowledge.documents.browse, args)
    }
    const names = async (...args: Parameters<typeof browse>) => (await browse(...args)).page.map(({ name }) => name)
    const count = (filter: Partial<DocumentFilter> = {}) =>
      person.http.query(api.knowledge.documents.count, { knowledgeSpaceId, ...filter })

    expect(await names()).toEqual(['ёлка.txt', '100%_ready.json', 'b.txt', 'Отчёт за МАЙ.txt'])
    expect(await names({ sort: 'name' })).toEqual(['100%_ready.json', 'b.txt', 'ёлка.txt', 'Отчёт за МАЙ.txt'])
    expect((await names({ sort: 'largest' }))[0]).toBe('b.txt')
    expect(await names({ search: ' отчет ЗА май' })).toEqual(['Отчёт за МАЙ.txt'])
    expect(await names({ search: '%_' })).toEqual(['100%_ready.json'])
    expect(await names({ status: 'error' })).toEqual(['100%_ready.json'])
    expect([await count(), await count({ search: '.TXT' }), await count({ search: 'x', status: 'error' })]).toEqual([
      4, 3, 0,
    ])

    const first = await browse({ sort: 'name' }, { numItems: 3, cursor: null })
    expect(first).toMatchObject({ isDone: false, page: [{}, {}, { name: 'ёлка.txt' }] })
    const rest = { numItems: 3, cursor: first.continueCursor }
    expect(await names({ sort: 'name' }, rest)).toEqual(['Отчёт за МАЙ.txt'])
  })

  it('of tables are paged, newest first, and searched by name in either alphabet', async () => {
    const knowledgeSpaceId = await newSpace('Прайсы')
    for (const name of ['Прайс.csv', 'STOCK 100%.csv', 'Ёлки.csv']) {
      await upload(knowledgeSpaceId, name, 'Товар;Цена\nСтол;300\n', { settles: false, as: 'tables' })
    }
    const list = (filter: { search?: string; paginationOpts?: PaginationOpts }) =>
      person.http.query(api.knowledge.tables.list, { knowledgeSpaceId, paginationOpts, ...filter })
    const names = async (...args: Parameters<typeof list>) => (await list(...args)).page.map(({ name }) => name)
    const first = await list({ paginationOpts: { numItems: 2, cursor: null } })
    expect(first).toMatchObject({ isDone: false, page: [{ name: 'Ёлки.csv' }, { name: 'STOCK 100%.csv' }] })
    expect(await names({ paginationOpts: { numItems: 2, cursor: first.continueCursor } })).toEqual(['Прайс.csv'])
    expect(await names({ search: ' елки' })).toEqual(['Ёлки.csv'])
    expect(await names({ search: 'stock 100%' })).toEqual(['STOCK 100%.csv'])
    expect(await names({ search: 'Стол' })).toEqual([])
    await app.settle()
  })

  it('of notes are searched by title and text', async () => {
    const knowledgeSpaceId = await newSpace('Вопросы')
    await write(knowledgeSpaceId, 'Где парковка?', 'Во дворе, въезд с улицы ЛЁТНОЙ.')
    await write(knowledgeSpaceId, 'Во сколько завтрак?', 'С восьми.')
    const found = async (search: string) => {
      const args = { knowledgeSpaceId, search, paginationOpts }
      return (await person.http.query(api.knowledge.fragments.list, args)).page.map(({ name }) => name)
    }
    expect(await found('летной')).toEqual(['Где парковка?'])
    expect(await found('ЗАВТРАК')).toEqual(['Во сколько завтрак?'])
    expect(await found('')).toHaveLength(2)
    expect(await found('ужин')).toEqual([])
  })
})

describe('a chunk', () => {
  const vectorsAndSegments = (spaceId: SpaceId) =>
    app.database.system('test', (db) =>
      db.selectFrom('index_segments').where('knowledge_space_id', '=', spaceId).select(['id', 'chunk_count']).execute(),
    )

  it('is edited alone: the others keep their place in the index, and the old text is no longer found', async () => {
    const spaceId = await newSpace()
    const text = '# Доставка\nКурьер приезжает за два дня.\n# Оплата\nОплата жетонами.\n# Гарантия\nГарантия один год.'
    const document = await upload(spaceId, 'terms.md', text)
    const before = await chunksOf(document._id)
    const segments = await vectorsAndSegments(spaceId)
    const changed = await person.http.mutation(api.knowledge.chunks.update, {
      chunkId: before[1]?._id as Id<'chunks'>,
      patch: { content: 'Оплата только криптовалютой.' },
    })
    expect(changed).toMatchObject({ chunkIndex: 1, headingPath: ['Оплата'], formerIds: [before[1]?._id] })
    const added = (await vectorsAndSegments(spaceId)).filter(({ id }) => !segments.some((each) => each.id === id))
    expect(added.map((segment) => segment.chunk_count)).toEqual([1])
    await app.settle()
    const after = await chunksOf(document._id)
    expect(after.map(({ _id }) => _id)).toEqual([before[0]?._id, changed._id, before[2]?._id])
    expect((await search(spaceId, 'криптовалюта'))[0]?.id).toBe(changed._id)
    expect(await search(spaceId, 'жетонами')).toEqual([])
    expect((await search(spaceId, 'гарантия'))[0]?.id).toBe(before[2]?._id)
  })

  it('of a long document is read from its position, without the chunks before it', async () => {
    const spaceId = await newSpace()
    const sections = Array.from({ length: 40 }, (_, index) => `# Раздел ${index}\nПравило номер ${index}.`)
    const { _id: sourceId } = await upload(spaceId, 'long.md', sections.join('\n'))
    const [hit] = await search(spaceId, 'правило номер 33')
    const locate = (remembered: { chunkId?: string; excerpt?: string }) =>
      person.http.query(api.knowledge.chunks.locate, { sourceId, ...remembered })
    expect(await locate({ chunkId: hit?.id ?? '' })).toEqual({
      total: 40,
      found: { chunkId: hit?.id, index: 33, hasChanged: false },
    })
    const around = await person.http.query(api.knowledge.chunks.range, { sourceId, from: 30, count: 8 })
    expect(around.map(({ content }) => content)).toEqual(
      [30, 31, 32, 33, 34, 35, 36, 37].map((number) => `Правило номер ${number}.`),
    )
    expect(await person.http.query(api.knowledge.chunks.range, { sourceId, from: 39, count: 8 })).toHaveLength(1)
    expect(await locate({})).toEqual({ total: 40, found: null })
    expect(await locate({ chunkId: 'gone', excerpt: 'Такого здесь нет.' })).toEqual({ total: 40, found: null })

    const change = { chunkId: hit?.id as Id<'chunks'>, patch: { content: 'Правило отменено.' } }
    const { _id: chunkId } = await person.http.mutation(api.knowledge.chunks.update, change)
    for (const excerpt of [undefined, 'Правило номер 33.']) {
      const { found } = await locate({ chunkId: hit?.id ?? '', ...(excerpt && { excerpt }) })
      expect(found).toEqual({ chunkId, index: 33, hasChanged: true })
    }
    const switchedOff = { chunkId, patch: { isEnabled: false } }
    const off = await person.http.mutation(api.knowledge.chunks.update, switchedOff)
    const { found } = await locate({ chunkId, excerpt: 'Правило отменено.' })
    expect(found).toEqual({ chunkId: off._id, index: 33, hasChanged: false })
  })

  it('of a note with unchanged text is found again under its new id', async () => {
    const spaceId = await newSpace()
    const { _id } = await write(spaceId, 'Где парковка?', 'Во дворе, 50% мест – для гостей.')
    const [before] = await chunksOf(_id)
    const locate = async () => {
      const remembered = { chunkId: before?._id ?? '', excerpt: 'Во дворе, 50% мест' }
      return (await person.http.query(api.knowledge.chunks.locate, { sourceId: _id, ...remembered })).found
    }
    const change = (patch: { name: string } | { content: string }) =>
      person.http.mutation(api.knowledge.fragments.update, { fragmentId: _id, patch })
    await change({ name: 'Есть ли парковка?' })
    const [after] = await chunksOf(_id)
    expect(after?._id).not.toBe(before?._id)
    expect(await locate()).toEqual({ chunkId: after?._id, index: 0, hasChanged: false })
    await change({ content: 'За домом.' })
    expect(await locate()).toBeNull()
  })

  it('is found while it is enabled, also when the index was compacted in between', async () => {
    const spaceId = await newSpace()
    const document = await upload(spaceId, 'a.txt', 'Парковка бесплатная для клиентов.')
    const set = async (isEnabled: boolean) => {
      const [chunk] = await chunksOf(document._id)
      await person.http.mutation(api.knowledge.chunks.update, {
        chunkId: chunk?._id as Id<'chunks'>,
        patch: { isEnabled },
      })
    }
    await set(false)
    expect(await search(spaceId, 'парковка')).toEqual([])
    await app.settle()
    expect(await chunksOf(document._id)).toMatchObject([
      { isEnabled: false, content: 'Парковка бесплатная для клиентов.' },
    ])
    await set(true)
    expect(await search(spaceId, 'парковка')).toHaveLength(1)
  })

  it('of a note is shown with its space, and edited only through the note', async () => {
    const spaceId = await newSpace('Вопросы')
    const note = await write(spaceId, 'Где парковка?', 'Во дворе.')
    const [chunk] = await chunksOf(note._id)
    expect(chunk?.content).toBe('Во дворе.')
    expect(await person.http.query(api.knowledge.chunks.source, { sourceId: note._id })).toMatchObject({
      kind: 'fragment',
      name: 'Где парковка?',
      spaceName: 'Вопросы',
    })
    const change = { chunkId: chunk?._id as Id<'chunks'>, patch: { content: 'За домом.' } }
    await expect(person.http.mutation(api.knowledge.chunks.update, change)).rejects.toMatchObject({
      data: { code: 'chunk_not_editable' },
    })
  })
})

const DAY_MS = 86_400_000
const note = (spaceId: SpaceId, content: string) => write(spaceId, 'Delivery', content)
const contents = async (spaceId: SpaceId) =>
  (await search(spaceId, 'How much is delivery?')).map(({ content }) => content)
const mark = ({ _id }: Fragment, patch: Partial<SourceMarks>) =>
  person.http.mutation(api.knowledge.marks.update, { sourceId: _id, patch })

describe('a source with a validity period', () => {
  it('is not found before and after it, and is shown with it', async () => {
    const spaceId = await newSpace()
    const summer = await note(spaceId, 'Delivery is free in summer.')
    await note(spaceId, 'Delivery costs 5 dollars.')
    expect(await contents(spaceId)).toHaveLength(2)
    const now = Date.now()
    await mark(summer, { validUntil: now - DAY_MS })
    expect(await contents(spaceId)).toEqual(['Delivery costs 5 dollars.'])
    const get = () => person.http.query(api.knowledge.fragments.get, { fragmentId: summer._id })
    expect(await get()).toMatchObject({ tags: [], validFrom: null, validUntil: now - DAY_MS })
    await mark(summer, { validFrom: now + DAY_MS, validUntil: null })
    expect(await contents(spaceId)).toEqual(['Delivery costs 5 dollars.'])
    await mark(summer, { validFrom: now - DAY_MS, validUntil: now + DAY_MS })
    expect(await contents(spaceId)).toHaveLength(2)
  })

  it('cannot have a period that ends before it begins', async () => {
    const spaceId = await newSpace()
    const written = await note(spaceId, 'Delivery costs 5 dollars.')
    const now = Date.now()
    const refused = mark(written, { validFrom: now, validUntil: now - DAY_MS })
    await expect(refused).rejects.toMatchObject({ data: { code: 'invalid_validity' } })
    expect(await contents(spaceId)).toHaveLength(1)
  })

  it('keeps it when its text changes', async () => {
    const spaceId = await newSpace()
    const written = await note(spaceId, 'Delivery costs 5 dollars.')
    await mark(written, { tags: ['Prices'], validUntil: Date.now() - DAY_MS })
    const patch = { content: 'Delivery costs 6 dollars.' }
    const changed = await person.http.mutation(api.knowledge.fragments.update, { fragmentId: written._id, patch })
    expect(changed.tags).toEqual(['prices'])
    expect(await contents(spaceId)).toEqual([])
  })
})

describe('an agent restricted to tags', () => {
  it('finds only sources that have one of them, wherever it searches', async () => {
    const spaceId = await newSpace()
    const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper' })
    await person.http.mutation(api.knowledge.spaces.linkAgent, { knowledgeSpaceId: spaceId, agentId })
    await mark(await note(spaceId, 'Delivery for shops costs 2 dollars.'), { tags: ['shops', 'prices'] })
    await mark(await note(spaceId, 'Delivery for people costs 5 dollars.'), { tags: ['people'] })
    await note(spaceId, 'Delivery takes a day.')
    const names = { knowledgeSpaceId: spaceId, agentId }
    const keepTo = (tags: string[]) =>
      person.http.mutation(api.knowledge.spaces.updateLink, { ...names, patch: { tags } })
    const findAsAgent = async () => {
      const { results } = await person.http.action(api.agents.search.explain, { agentId, query: 'delivery' })
      return results.map(({ content }) => content)
    }
    expect(await findAsAgent()).toHaveLength(3)
    await keepTo(['Shops', 'other'])
    expect(await findAsAgent()).toEqual(['Delivery for shops costs 2 dollars.'])
    expect(await contents(spaceId)).toHaveLength(3)
    await person.http.mutation(api.testChat.send, { agentId, text: 'How much is delivery?' })
    await app.settle()
    const texts = (await person.http.query(api.testChat.messages, { agentId })).map(({ text }) => text).join()
    expect(texts).toContain('for shops')
    expect(texts).not.toContain('for people')
    const links = () => person.http.query(api.knowledge.spaces.listLinks, { knowledgeSpaceId: spaceId })
    await person.http.mutation(api.knowledge.spaces.remove, { knowledgeSpaceId: spaceId, isConfirmed: true })
    await person.http.mutation(api.knowledge.spaces.restore, { knowledgeSpaceId: spaceId })
    expect(await links()).toMatchObject([{ agentId, tags: ['shops', 'other'] }])
    await keepTo([])
    expect(await findAsAgent()).toHaveLength(3)
  })
})

describe('an agent restricted to languages', () => {
  it('finds only sources in one of them, detected or set by a user', async () => {
    const spaceId = await newSpace()
    const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Polyglot' })
    await person.http.mutation(api.knowledge.spaces.linkAgent, { knowledgeSpaceId: spaceId, agentId })
    const russian = await note(spaceId, 'Доставка (delivery) стоит 500 рублей.')
    const english = await note(spaceId, 'Delivery costs 5 dollars.')
    expect([russian.language, english.language, english.chosenLanguage]).toEqual(['ru', 'en', null])
    const keepTo = (languages: ('ru' | 'en' | 'other')[]) =>
      person.http.mutation(api.knowledge.spaces.updateLink, {
        ...{ knowledgeSpaceId: spaceId, agentId, patch: { languages } },
      })
    const findAsAgent = async () => {
      const { results } = await person.http.action(api.agents.search.explain, { agentId, query: 'delivery' })
      return results.map(({ documentId }) => documentId)
    }
    expect(await findAsAgent()).toHaveLength(2)
    await keepTo(['ru'])
    expect(await findAsAgent()).toEqual([russian._id])
    await mark(english, { chosenLanguage: 'ru' })
    expect(await findAsAgent()).toHaveLength(2)
    expect((await mark(english, { chosenLanguage: null })).language).toBe('en')
    expect(await findAsAgent()).toEqual([russian._id])
    const patch = { name: 'Доставка', content: 'Курьер (delivery) берёт 500 рублей.' }
    await person.http.mutation(api.knowledge.fragments.update, { fragmentId: english._id, patch })
    expect(await findAsAgent()).toHaveLength(2)
    await keepTo(['en'])
    expect(await findAsAgent()).toEqual([])
    expect(await contents(spaceId)).not.toEqual([])
    await person.http.mutation(api.knowledge.spaces.remove, { knowledgeSpaceId: spaceId, isConfirmed: true })
    await person.http.mutation(api.knowledge.spaces.restore, { knowledgeSpaceId: spaceId })
    const links = await person.http.query(api.knowledge.spaces.listLinks, { knowledgeSpaceId: spaceId })
    expect(links).toMatchObject([{ agentId, languages: ['en'] }])
  })
})
