// Knowledge through the whole server: spaces, uploads, notes and search, as a client sees them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentRoutes } from '#server/domain/knowledge/documents/documents.http.ts'
import { sweepFiles, UNNAMED_AFTER_MS } from '#server/domain/knowledge/documents/files/files.sweep.ts'
import { tableRoutes } from '#server/domain/knowledge/tables/tables.http.ts'
import type { Database } from '#server/platform/db/database.ts'
import { CommitUnknownError } from '#server/platform/db/engine/engine.ts'
import type { Caller } from '#server/platform/functions/caller.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { KnowledgeDocument } from '#shared/knowledge/knowledge.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { makeDocx, paragraph } from '#tests/fakes/docx.ts'
import { makeTextPdf } from '#tests/fakes/pdf.ts'

let app: TestApp
let person: Person
let stranger: Person

beforeAll(async () => {
  app = await startApp()
  person = await app.signUp()
  stranger = await app.signUp()
})
afterAll(() => app.close())

/** What `curl -F` says of its body. */
const FORM = { 'content-type': 'multipart/form-data; boundary=x' }

const newSpace = (name = 'Справка') => person.http.mutation(api.knowledge.spaces.create, { name })

async function upload(
  knowledgeSpaceId: string,
  name: string,
  body: string | Uint8Array,
  options: { by?: Person | null; headers?: Record<string, string> } = {},
): Promise<{ status: number; body: KnowledgeDocument & { code?: string } }> {
  const { by = person, headers = {} } = options
  const token = by && (await by.token())
  const query = new URLSearchParams({ knowledgeSpaceId, name })
  const answer = await fetch(`${app.url}/api/files/documents?${query}`, {
    method: 'POST',
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
  return { status: answer.status, body: await answer.json() }
}

async function uploaded(knowledgeSpaceId: string, name: string, body: string | Uint8Array): Promise<KnowledgeDocument> {
  const { status, body: document } = await upload(knowledgeSpaceId, name, body)
  expect(status).toBe(201)
  expect(document).toMatchObject({ status: 'processing', name })
  await app.settle()
  return person.http.query(api.knowledge.documents.get, { documentId: document._id })
}

const search = (knowledgeSpaceId: Id<'knowledgeSpaces'>, query: string, by = person) =>
  by.http.query(api.knowledge.search.run, { knowledgeSpaceId, query })

describe('spaces', () => {
  it('are made with a slug and found by it', async () => {
    const space = await newSpace('База знаний магазина')
    expect(space).toMatchObject({ slug: 'baza-znaniy-magazina', documents: 0, fragments: 0, linkedAgents: 0 })
    const again = await newSpace('База знаний магазина')
    expect(again.slug).toBe('baza-znaniy-magazina-2')
    const organizationId = person.organization._id
    expect(await person.http.query(api.knowledge.spaces.getBySlug, { slug: again.slug, organizationId })).toEqual(again)
  })

  it('belong to one organization', async () => {
    const { _id: knowledgeSpaceId, slug } = await newSpace()
    const attempts = [
      () => stranger.http.query(api.knowledge.spaces.get, { knowledgeSpaceId }),
      () => stranger.http.query(api.knowledge.spaces.getBySlug, { slug, organizationId: person.organization._id }),
      () => stranger.http.query(api.knowledge.documents.list, { knowledgeSpaceId }),
      () => search(knowledgeSpaceId, 'доставка', stranger),
      () => stranger.http.mutation(api.knowledge.spaces.remove, { knowledgeSpaceId }),
      () => stranger.http.mutation(api.knowledge.fragments.create, { knowledgeSpaceId, name: 'x', content: 'y' }),
    ]
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ data: { code: 'not_found' } })
  })

  it('are linked to agents, and name them before they are removed', async () => {
    const { _id: knowledgeSpaceId } = await newSpace()
    const agent = await person.http.mutation(api.agents.create, { name: 'Консультант' })
    const link = { knowledgeSpaceId, agentId: agent._id }
    await person.http.mutation(api.knowledge.spaces.linkAgent, link)
    await person.http.mutation(api.knowledge.spaces.linkAgent, link)
    expect(await person.http.query(api.knowledge.spaces.get, { knowledgeSpaceId })).toMatchObject({ linkedAgents: 1 })
    await expect(person.http.mutation(api.knowledge.spaces.remove, { knowledgeSpaceId })).rejects.toMatchObject({
      data: { code: 'space_in_use', params: { agents: ['Консультант'] } },
    })
    await person.http.mutation(api.knowledge.spaces.remove, { knowledgeSpaceId, isConfirmed: true })
    await expect(person.http.query(api.knowledge.spaces.get, { knowledgeSpaceId })).rejects.toMatchObject({
      data: { code: 'not_found' },
    })
  })
})

describe('uploads', () => {
  it('are searchable as soon as they are ready', async () => {
    const { _id } = await newSpace()
    const document = await uploaded(
      _id,
      'Правила.md',
      '# Возврат\nВернуть товар можно в течение 14 дней.\n# Доставка\nДва дня.',
    )
    expect(document).toMatchObject({ status: 'ready', chunks: 2, progress: 1, format: 'md', errorReason: null })
    expect(document.tokens).toBeGreaterThan(5)
    const [best] = await search(_id, 'сколько дней на возврат товара')
    expect(best).toMatchObject({
      documentId: document._id,
      content: 'Вернуть товар можно в течение 14 дней.',
      metadata: {
        source: 'Правила.md',
        sourceKind: 'document',
        headingPath: ['Возврат'],
        chunkIndex: 0,
        totalChunks: 2,
        page: null,
      },
    })
    const answer = await person.http.action(api.knowledge.search.explain, {
      knowledgeSpaceId: _id,
      query: 'возврта товара',
    })
    expect(answer.results[0]?.id).toBe(best?.id)
    expect(answer.isWeak).toBe(false)
  })

  it('are read from PDF with pages and from DOCX, and list their chunks', async () => {
    const { _id } = await newSpace()
    const sentence = 'Курьер привозит заказ на следующий день после оплаты до десяти часов вечера.'
    const pdf = await uploaded(
      _id,
      'a.pdf',
      makeTextPdf([...Array.from({ length: 30 }, () => sentence), 'Гарантия на холодильники пять лет и три месяца.']),
    )
    expect(pdf).toMatchObject({ status: 'ready', pages: 2 })
    await uploaded(_id, 'b.docx', makeDocx({ body: paragraph('Скидка пенсионерам составляет семь процентов.') }))
    expect((await search(_id, 'гарантия на холодильник'))[0]).toMatchObject({
      documentId: pdf._id,
      metadata: { page: 2, lastPage: 2 },
    })
    expect((await search(_id, 'скидка пенсионеру'))[0]?.metadata.source).toBe('b.docx')
    const paginationOpts = { numItems: 2, cursor: null }
    const page = await person.http.query(api.knowledge.chunks.list, { sourceId: pdf._id, paginationOpts })
    expect(page.page.map((chunk) => chunk.chunkIndex)).toEqual([0, 1])
    expect(page.isDone).toBe(false)
  })

  it('are refused with the reason', async () => {
    const { _id } = await newSpace()
    const cases: [Awaited<ReturnType<typeof upload>>, number, string][] = [
      [await upload(_id, 'a.txt', 'x', { by: null }), 401, 'unauthenticated'],
      [await upload(_id, 'a.txt', 'x', { by: stranger }), 404, 'not_found'],
      [await upload('nothing', 'a.txt', 'x'), 404, 'not_found'],
      [await upload(_id, 'a.exe', 'x'), 415, 'unsupported_format'],
      [await upload(_id, 'constructor.constructor', 'x'), 415, 'unsupported_format'],
      [await upload(_id, '', 'x'), 400, 'invalid_arguments'],
      [await upload(_id, 'a.txt', '--x', { headers: FORM }), 415, 'raw_body_expected'],
      [await upload(_id, 'a.txt', ''), 400, 'file_empty'],
    ]
    for (const [answer, status, code] of cases) expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(await person.http.query(api.knowledge.documents.list, { knowledgeSpaceId: _id })).toEqual([])
  })

  it('are refused beyond the size, whether they say it or not', async () => {
    const { _id } = await newSpace()
    const part = new Uint8Array(1024 * 1024).fill(97)
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent++ < 51) controller.enqueue(part)
        else controller.close()
      },
    })
    const query = new URLSearchParams({ knowledgeSpaceId: _id, name: 'big.txt' })
    const answer = fetch(`${app.url}/api/files/documents?${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await person.token()}` },
      body: endless,
      duplex: 'half',
    } as RequestInit)
    expect((await answer).status).toBe(413)
    expect(await person.http.query(api.knowledge.documents.list, { knowledgeSpaceId: _id })).toEqual([])
  })

  it.each([
    ['documents', documentRoutes, 'часы.txt', 'Мы открыты с девяти.'],
    ['tables', tableRoutes, 'цены.csv', 'товар;цена\nчай;100'],
  ] as const)(
    'of %s are there once when the answer is lost after the commit and they are sent again',
    async (kind, routes, name, body) => {
      const { _id } = await newSpace()
      const caller: Caller = {
        ...{ userId: person.user._id, sessionId: newId('sessions'), email: person.email, name: 'Айгуль', role: 'user' },
        organizationId: person.organization._id,
        organizationRole: 'owner',
        lacksTwoStep: false,
        suspended: null,
        support: null,
      }
      let isLosing = true
      const losing: Database['organization'] = async (organization, run, options) => {
        const result = await app.database.organization(organization, run, options)
        if (isLosing && typeof result === 'object' && result !== null && 'isReplay' in result)
          throw new CommitUnknownError()
        return result
      }
      const services = { ...app.services, database: { ...app.database, organization: losing } }
      const http = routes(services, async () => caller).onError((_, c) => c.text('lost', 500))
      const send = (key: string, sent: string = body) => {
        const query = new URLSearchParams({ knowledgeSpaceId: _id, name })
        const headers = { 'idempotency-key': `${kind}-${key}`, 'content-length': String(Buffer.byteLength(sent)) }
        return http.request(`/api/files/${kind}?${query}`, { method: 'POST', headers, body: sent })
      }
      expect((await send('one')).status).toBe(500)
      isLosing = false
      const again = await send('one')
      const { _id: id } = (await again.json()) as { _id: string }
      expect(again.status).toBe(201)
      expect((await send('one', `${body}!`)).status).toBe(409)
      await app.settle()
      const table = kind === 'tables' ? 'knowledge_tables' : kind
      const rows = () =>
        app.database.root.selectFrom(table).where('knowledge_space_id', '=', _id).select(['id', 'status']).execute()
      expect(await rows()).toEqual([{ id, status: 'ready' }])
      await app.services.files.get(id)
      await Promise.all([send('two'), send('two')])
      await app.settle()
      expect((await rows()).map(({ status }) => status)).toEqual(['ready', 'ready'])
    },
  )

  it('leave a file that no row names to a sweep a day later', async () => {
    const { _id } = await newSpace()
    const document = await uploaded(_id, 'a.txt', 'Оплата картой.')
    const lost = newId('documents')
    await app.services.files.put(lost, new Blob(['lost']).stream(), 100)
    await app.services.files.put(`avatar-${lost}`, new Blob(['of others']).stream(), 100)
    await sweepFiles(app.services, new Date())
    await app.services.files.get(lost)
    await sweepFiles(app.services, new Date(Date.now() + UNNAMED_AFTER_MS + 60_000))
    await expect(app.services.files.get(lost)).rejects.toMatchObject({ code: 'ENOENT' })
    await app.services.files.get(document._id)
    await app.services.files.get(`avatar-${lost}`)
  })

  it('keep only the last part of a path as their name', async () => {
    const { _id } = await newSpace()
    const { body } = await upload(_id, '../../etc/C:\\temp\\отчёт\u202e.txt', 'x')
    expect(body.name).toBe('отчёт.txt')
    await app.settle()
  })

  it.each<[string, string, string | Uint8Array]>([
    ['type_mismatch', 'a.pdf', 'text'],
    ['encoding_unsure', 'a.txt', Buffer.from('b2fac6b7bcdbb8f1a3ba313030d4aa', 'hex')],
    ['empty', 'a.txt', '   '],
    ['invalid_json', 'a.json', '{"a" 1}'],
    ['damaged', 'a.docx', Buffer.from('504b0304aaaa', 'hex')],
  ])('end in state error with reason %s', async (errorReason, name, body) => {
    const { _id } = await newSpace()
    expect(await uploaded(_id, name, body)).toMatchObject({ status: 'error', errorReason, chunks: 0 })
  })

  it('can be tried again after an error and removed, and are then found no more', async () => {
    const { _id } = await newSpace()
    const bad = await uploaded(_id, 'a.pdf', 'text')
    await person.http.mutation(api.knowledge.documents.retry, { documentId: bad._id })
    await app.settle()
    expect(await person.http.query(api.knowledge.documents.get, { documentId: bad._id })).toMatchObject({
      status: 'error',
    })

    const good = await uploaded(_id, 'b.txt', 'Оплата картой и наличными.')
    expect(await search(_id, 'оплата')).toHaveLength(1)
    await expect(person.http.mutation(api.knowledge.documents.retry, { documentId: good._id })).rejects.toMatchObject({
      data: { code: 'document_not_retryable' },
    })
    await expect(person.http.mutation(api.knowledge.documents.cancel, { documentId: good._id })).rejects.toMatchObject({
      data: { code: 'document_not_cancellable' },
    })
    await person.http.mutation(api.knowledge.documents.remove, { documentId: good._id })
    expect(await search(_id, 'оплата')).toEqual([])
    await app.settle()
    expect(await search(_id, 'оплата')).toEqual([])
    await expect(app.services.files.get(good._id)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('notes', () => {
  it('are found at once, by their further wordings too, and win over documents', async () => {
    const { _id } = await newSpace()
    await uploaded(_id, 'a.txt', 'Срок возврата товара составляет 14 дней.')
    const note = await person.http.mutation(api.knowledge.fragments.create, {
      knowledgeSpaceId: _id,
      name: 'Срок возврата товара',
      content: 'С июля срок возврата — 30 дней.',
      alsoAskedAs: ['Можно ли сдать обратно покупку?'],
    })
    expect(note).toMatchObject({ name: 'Срок возврата товара', alsoAskedAs: ['Можно ли сдать обратно покупку?'] })
    const sources = async (query: string) => (await search(_id, query)).map((hit) => hit.documentId)
    expect((await sources('какой срок возврата товара'))[0]).toBe(note._id)
    expect(await sources('сдать обратно покупку')).toEqual([note._id])

    const fragmentId = note._id
    await person.http.mutation(api.knowledge.fragments.update, {
      fragmentId,
      patch: { content: 'Теперь срок 45 дней.' },
    })
    expect((await search(_id, 'срок возврата'))[0]?.content).toBe('Теперь срок 45 дней.')
    await person.http.mutation(api.knowledge.fragments.remove, { fragmentId })
    expect(await sources('сдать обратно покупку')).toEqual([])
  })

  it('are imported as a list, which can be imported again', async () => {
    const { _id: knowledgeSpaceId } = await newSpace()
    const entry = (name: string, content: string, alsoAskedAs: string[] = []) => ({ name, content, alsoAskedAs })
    const load = (...notes: ReturnType<typeof entry>[]) =>
      person.http.mutation(api.knowledge.fragments.importMany, { knowledgeSpaceId, notes })
    expect(
      await load(entry('Часы работы', 'С 9 до 18.', ['Что на вывеске?']), entry('Адрес', 'Улица Абая 1.')),
    ).toEqual({
      added: 2,
      changed: 0,
    })
    expect(
      await load(entry('часы работы', 'С 10 до 20.'), entry('Парковка', 'Нет.'), entry('Парковка', 'Есть.')),
    ).toEqual({
      added: 1,
      changed: 1,
    })
    await app.settle()
    expect((await search(knowledgeSpaceId, 'часы работы')).map((hit) => hit.content)).toEqual(['С 10 до 20.'])
    expect(await search(knowledgeSpaceId, 'вывеска')).toEqual([])
    expect((await search(knowledgeSpaceId, 'парковка'))[0]?.content).toBe('Есть.')
    const [note] = await search(knowledgeSpaceId, 'адрес')
    const fragmentId = note?.documentId as Id<'fragments'>
    expect(await person.http.query(api.knowledge.fragments.get, { fragmentId })).toMatchObject({ name: 'Адрес' })
  })

  it('stay findable when their many small segments are merged', async () => {
    const { _id: knowledgeSpaceId } = await newSpace()
    for (let number = 0; number < 15; number++) {
      await person.http.mutation(api.knowledge.fragments.create, {
        knowledgeSpaceId,
        name: `Тема ${number}`,
        content: `Ответ слово${number}.`,
      })
    }
    await app.settle()
    for (let number = 0; number < 15; number++) {
      expect((await search(knowledgeSpaceId, `слово${number}`))[0]?.content).toBe(`Ответ слово${number}.`)
    }
    const count = await app.database.system('test', (db) =>
      db.selectFrom('index_segments').where('knowledge_space_id', '=', knowledgeSpaceId).select('id').execute(),
    )
    expect(count.length).toBeLessThanOrEqual(8)
    const paginationOpts = { numItems: 10, cursor: null }
    const page = await person.http.query(api.knowledge.fragments.list, { knowledgeSpaceId, paginationOpts })
    expect(page.page.map((fragment) => fragment.name)[0]).toBe('Тема 14')
    expect(page.page).toHaveLength(10)
  })
})

describe('isolation', () => {
  it('never shows a chunk of another organization with the same text', async () => {
    const text = 'Секретный код склада и график доставки.'
    const mine = await newSpace()
    const theirs = await stranger.http.mutation(api.knowledge.spaces.create, { name: 'Чужое' })
    await person.http.mutation(api.knowledge.fragments.create, { knowledgeSpaceId: mine._id, name: 'a', content: text })
    const foreign = await stranger.http.mutation(api.knowledge.fragments.create, {
      knowledgeSpaceId: theirs._id,
      name: 'a',
      content: text,
    })
    const asked = await Promise.all(
      Array.from({ length: 100 }, (_, n) => (n % 2 ? search(mine._id, text) : search(theirs._id, text, stranger))),
    )
    for (const [n, hits] of asked.entries()) {
      expect(hits).toHaveLength(1)
      expect(hits[0]?.documentId === foreign._id).toBe(n % 2 === 0)
    }
  })
})
