// The processing of documents when things go wrong: cancellation, two workers, failures, stops, and what hangs.
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { STUCK_AFTER_MS } from '#server/domain/knowledge/documents/attempts.ts'
import { type IngestServices, ingest, MAX_TRIES } from '#server/domain/knowledge/documents/documents.ingest.ts'
import { reapDocuments, WAITING_MAX_MS } from '#server/domain/knowledge/documents/documents.reaper.ts'
import { replaceDocument } from '#server/domain/knowledge/documents/documents.write.ts'
import { tidyIndex } from '#server/domain/knowledge/search/tidy-index.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { DocumentStatus } from '#shared/knowledge/knowledge.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'

let app: TestApp
let person: Person
let organizationId: Id<'organizations'>
let knowledgeSpaceId: Id<'knowledgeSpaces'>
const never = new AbortController().signal

beforeAll(async () => {
  app = await startApp()
  person = await app.signUp()
  organizationId = person.organization._id
})
afterAll(() => app.close())
beforeEach(async () => {
  knowledgeSpaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Справка' }))._id
})

/** A stored document in a given state, without a queued job. */
async function stored(
  content: string,
  state: { status?: DocumentStatus; heartbeatAt?: Date | null; name?: string; updatedAt?: Date } = {},
) {
  const id = newId('documents')
  await app.services.files.put(id, new Blob([content]).stream(), 50_000_000)
  await app.database.organization(organizationId, (db) =>
    db
      .insertInto('documents')
      .values({
        id,
        organization_id: organizationId,
        knowledge_space_id: knowledgeSpaceId,
        name: state.name ?? 'файл.txt',
        format: state.name ? 'md' : 'txt',
        size_bytes: content.length,
        file_key: id,
        status: state.status ?? 'processing',
        error_reason: null,
        warnings: '[]',
        page_count: null,
        heartbeat_at: state.heartbeatAt ?? (null as unknown as Date),
        ...(state.updatedAt && { updated_at: state.updatedAt }),
      })
      .execute(),
  )
  return { organizationId, documentId: id, tryNumber: 1 }
}

const document = (documentId: Id<'documents'>) => person.http.query(api.knowledge.documents.get, { documentId })
const chunksOf = (documentId: Id<'documents'>) =>
  app.database.organization(organizationId, (db) =>
    db.selectFrom('chunks').where('source_id', '=', documentId).select('ordinal').orderBy('ordinal').execute(),
  )
const search = (query: string) => person.http.query(api.knowledge.search.run, { knowledgeSpaceId, query })

function livingParsers(): number {
  const processes = execFileSync('ps', ['-eo', 'ppid=,args=']).toString().split('\n')
  return processes.filter((line) => line.trim().startsWith(`${process.pid} `) && line.includes('parse-process')).length
}

describe('cancelling', () => {
  it('kills the parser and leaves nothing to find', async () => {
    const data = await stored('Длинное предложение о доставке заказов. '.repeat(200_000))
    const work = ingest(app.services, data, never)
    await vi.waitFor(() => expect(livingParsers()).toBe(1), { timeout: 45_000 })
    await person.http.mutation(api.knowledge.documents.cancel, { documentId: data.documentId })
    await work
    await vi.waitFor(() => expect(livingParsers()).toBe(0), { timeout: 45_000 })
    expect(await document(data.documentId)).toMatchObject({ status: 'error', errorReason: 'cancelled', chunks: 0 })
    expect(await chunksOf(data.documentId)).toEqual([])
    expect(await search('доставка')).toEqual([])
  })

  it('can be undone by retrying', async () => {
    const data = await stored('Оплата картой.')
    await person.http.mutation(api.knowledge.documents.cancel, { documentId: data.documentId })
    await ingest(app.services, data, never)
    expect(await document(data.documentId)).toMatchObject({ status: 'error', errorReason: 'cancelled' })
    await person.http.mutation(api.knowledge.documents.retry, { documentId: data.documentId })
    await app.settle()
    expect(await document(data.documentId)).toMatchObject({
      ...{ status: 'ready', errorReason: null, chunks: 1, language: 'ru' },
    })
  })
})

describe('two workers on one document', () => {
  it('at the same time chunk it once', async () => {
    const data = await stored('Оплата картой при получении заказа. '.repeat(100))
    await Promise.all([ingest(app.services, data, never), ingest(app.services, data, never)])
    const { status, chunks } = await document(data.documentId)
    expect(status).toBe('ready')
    expect((await chunksOf(data.documentId)).map(({ ordinal }) => ordinal)).toEqual(
      Array.from({ length: chunks }, (_, n) => n),
    )
    await ingest(app.services, data, never)
    expect(await chunksOf(data.documentId)).toHaveLength(chunks)
  })

  it('keep the work of the second if the first stalls until it is done', async () => {
    const data = await stored('Оплата картой.')
    const stalling: IngestServices = {
      ...app.services,
      retrieval: {
        ...app.services.retrieval,
        async buildSegment(chunks) {
          await ingest(app.services, data, never)
          return app.services.retrieval.buildSegment(chunks)
        },
      },
    }
    await ingest(stalling, data, never)
    expect(await document(data.documentId)).toMatchObject({ status: 'ready', chunks: 1 })
    expect(await chunksOf(data.documentId)).toHaveLength(1)
    expect(await search('оплата')).toHaveLength(1)
    const segments = await app.database.organization(organizationId, (db) =>
      db.selectFrom('index_segments').where('knowledge_space_id', '=', knowledgeSpaceId).select('id').execute(),
    )
    expect(segments).toHaveLength(1)
  })
})

describe('replacing the content', () => {
  const jobs: IngestServices['jobs'] = { send: async () => {}, sendAll: async () => {} }
  const OLD =
    '# Доставка\n\nВелосипедист приезжает завтра.\n\n# Оплата\n\nКартой или наличными.\n\n# Возврат\n\nЧетырнадцать дней.'
  const NEW =
    '# Возврат\n\nЧетырнадцать дней.\n\n# Доставка\n\nДрон прилетает сегодня.\n\n# Оплата\n\nКартой или наличными.'

  /** A document that is ready, and then gets new content, without a queued job. */
  async function replaced(content: string, name = 'файл.md') {
    const data = await stored(OLD, { name })
    await ingest(app.services, data, never)
    const before = await passages(data.documentId)
    const fileKey = newId('documents')
    const { sizeBytes } = await app.services.files.put(fileKey, new Blob([content]).stream(), 50_000_000)
    const format = name.endsWith('.md') ? 'md' : 'json'
    await app.database.organization(organizationId, (db) =>
      replaceDocument({ db, organizationId, jobs, now: new Date() }, data.documentId, {
        ...{ name, format, fileKey, sizeBytes },
      }),
    )
    return { data, before }
  }

  async function passages(documentId: Id<'documents'>) {
    const args = { sourceId: documentId, paginationOpts: { numItems: 50, cursor: null } }
    return (await person.http.query(api.knowledge.chunks.list, args)).page
  }

  const found = async (query: string) => (await search(query)).map(({ content }) => content)
  const tidy = () => tidyIndex(app.services, { organizationId, knowledgeSpaceId })
  const staged = () => app.database.root.selectFrom('staged_chunks').select('id').execute()

  /** Runs `during` when the new content is stored and about to be indexed. */
  const pausing = (during: () => Promise<void>): IngestServices => ({
    ...app.services,
    retrieval: {
      ...app.services.retrieval,
      async buildSegment(chunks) {
        await during()
        return app.services.retrieval.buildSegment(chunks)
      },
    },
  })

  it('finds the old content until the new one is ready, and from then on only the new', async () => {
    const { data } = await replaced(NEW)
    const expectOld = async () => {
      await tidy()
      expect(await found('велосипедист')).toEqual(['Велосипедист приезжает завтра.'])
      expect(await found('дрон')).toEqual([])
      expect(await document(data.documentId)).toMatchObject({ status: 'processing', servesEarlier: true, chunks: 3 })
    }
    await expectOld()
    await ingest(pausing(expectOld), data, never)
    expect(await found('велосипедист')).toEqual([])
    expect(await found('дрон')).toEqual(['Дрон прилетает сегодня.'])
    expect(await document(data.documentId)).toMatchObject({ status: 'ready', servesEarlier: false, chunks: 3 })
    await tidy()
    expect(await found('дрон')).toHaveLength(1)
    expect(await found('четырнадцать')).toHaveLength(1)
  })

  it('loses nothing when the server crashes in between', async () => {
    const { data } = await replaced(NEW)
    const dying = { ...pausing(() => Promise.reject(new Error('killed'))), jobs }
    const stop = AbortSignal.abort(new Error('killed'))
    await ingest(dying, data, never)
    await expect(ingest(dying, data, stop)).rejects.toThrow('killed')
    expect(await found('велосипедист')).toHaveLength(1)
    expect(await document(data.documentId)).toMatchObject({ status: 'processing', servesEarlier: true })
    await ingest(app.services, data, never)
    expect([await found('велосипедист'), await found('дрон')]).toEqual([[], ['Дрон прилетает сегодня.']])
    expect((await chunksOf(data.documentId)).map(({ ordinal }) => ordinal)).toEqual([0, 1, 2])
    expect(await staged()).toEqual([])
  })

  it('keeps the old content when the new one is refused, and reports it', async () => {
    const { data } = await replaced('{"name": ', 'файл.json')
    await ingest(app.services, data, never)
    const refused = { status: 'error', errorReason: 'invalid_json', servesEarlier: true }
    expect(await document(data.documentId)).toMatchObject(refused)
    await tidy()
    expect(await found('велосипедист')).toHaveLength(1)
  })

  it.each(['cancelled', 'timeout'] as const)('keeps the old content when it ends as %s', async (end) => {
    const { data } = await replaced(NEW)
    const ending = pausing(async () => {
      const past = new Date(Date.now() + STUCK_AFTER_MS + 60_000)
      if (end === 'timeout') return reapDocuments(app.services, past)
      await person.http.mutation(api.knowledge.documents.cancel, { documentId: data.documentId })
    })
    await ingest(ending, data, never)
    expect(await document(data.documentId)).toMatchObject({ status: 'error', errorReason: end, servesEarlier: true })
    expect(await staged()).toEqual([])
    expect(await passages(data.documentId)).toHaveLength(3)
  })

  it('keeps unchanged passages: their ids, their vectors and whether they are hidden', async () => {
    const { data, before } = await replaced(NEW)
    const [delivery, payment, returns] = before.map(({ _id }) => _id)
    const vector = { organization_id: organizationId, knowledge_space_id: knowledgeSpaceId, model: 'model' }
    await app.database.root
      .insertInto('chunk_vectors')
      .values(
        [delivery, payment].map((id) => ({
          ...vector,
          chunk_id: id as Id<'chunks'>,
          content_hash: '',
          vector: new Uint8Array(1),
        })),
      )
      .execute()
    const hidden = await person.http.mutation(api.knowledge.chunks.update, {
      ...{ chunkId: returns as Id<'chunks'>, patch: { isEnabled: false } },
    })
    await ingest(app.services, data, never)
    const after = await passages(data.documentId)
    expect(after.map(({ _id }) => _id)).toEqual([hidden._id, expect.not.stringMatching(String(delivery)), payment])
    expect(after.map(({ isEnabled }) => isEnabled)).toEqual([false, true, true])
    const vectors = await app.database.root
      .selectFrom('chunk_vectors')
      .where('knowledge_space_id', '=', knowledgeSpaceId)
      .select('chunk_id')
      .execute()
    expect(vectors).toEqual([{ chunk_id: payment }])
  })

  it('keeps passages hidden that a user hides meanwhile, and yields to a user’s edits', async () => {
    const { data, before } = await replaced(NEW)
    const [, payment, returns] = before.map(({ _id }) => _id)
    const change = (chunkId: Id<'chunks'> | undefined, patch: { isEnabled?: boolean; content?: string }) =>
      person.http.mutation(api.knowledge.chunks.update, { chunkId: chunkId as Id<'chunks'>, patch })
    let hidden: Id<'chunks'> | undefined
    const changing = pausing(async () => {
      const { _id: shown } = await change(returns, { isEnabled: true })
      hidden = (await change(shown, { isEnabled: false }))._id
      await change(payment, { content: 'Только наличными.', isEnabled: false })
    })
    await ingest(changing, data, never)
    const after = await passages(data.documentId)
    expect(after.map(({ isEnabled }) => isEnabled)).toEqual([false, true, true])
    expect(after.map(({ _id }) => _id)).toEqual([hidden, expect.any(String), payment])
    await tidy()
    expect([await found('четырнадцать дней'), await found('картой')]).toEqual([[], ['Картой или наличными.']])
  })

  it('ends when the document is deleted: nothing of it is found', async () => {
    const { data } = await replaced(NEW)
    const removing = pausing(async () => {
      await person.http.mutation(api.knowledge.documents.remove, { documentId: data.documentId })
      expect(await found('велосипедист')).toEqual([])
    })
    await ingest(removing, data, never)
    expect([await found('велосипедист'), await found('дрон'), await staged()]).toEqual([[], [], []])
  })
})

describe('failing', () => {
  const failing = (sent: object[]): IngestServices => ({
    ...app.services,
    files: { ...app.services.files, localPath: async () => Promise.reject(new Error('the disk is away')) },
    jobs: { ...app.services.jobs, send: async (_db, job, data) => void sent.push({ job: job.name, data }) },
  })

  it('for an unexpected reason is retried, three times in all', async () => {
    const data = await stored('Оплата картой.')
    const sent: object[] = []
    await ingest(failing(sent), data, never)
    expect(await document(data.documentId)).toMatchObject({ status: 'processing' })
    expect(sent).toEqual([{ job: 'knowledge.ingest', data: { ...data, tryNumber: 2 } }])
    await reapDocuments(app.services, new Date(Date.now() + STUCK_AFTER_MS + 60_000))
    expect(await document(data.documentId)).toMatchObject({ status: 'processing' })
    const last = ingest(failing(sent), { ...data, tryNumber: MAX_TRIES }, never)
    await expect(last).rejects.toThrow('the disk is away')
    expect(await document(data.documentId)).toMatchObject({ status: 'error', errorReason: 'failed' })
    expect(sent).toHaveLength(1)
  })

  it('because the server stops leaves the document to another', async () => {
    const data = await stored('Длинное предложение о доставке заказов. '.repeat(200_000))
    const stop = new AbortController()
    const work = ingest(app.services, data, stop.signal)
    await vi.waitFor(() => expect(livingParsers()).toBe(1), { timeout: 45_000 })
    stop.abort(new Error('stopping'))
    await expect(work).rejects.toThrow('stopping')
    expect(await document(data.documentId)).toMatchObject({ status: 'processing' })
    await vi.waitFor(() => expect(livingParsers()).toBe(0), { timeout: 45_000 })
  })

  it('does not happen to a document that was removed in between', async () => {
    const data = await stored('Оплата картой.')
    await person.http.mutation(api.knowledge.documents.remove, { documentId: data.documentId })
    await ingest(app.services, data, never)
    expect(await chunksOf(data.documentId)).toEqual([])
  })
})

describe('hanging', () => {
  it('ends after five minutes without a heartbeat, and only then', async () => {
    const now = new Date()
    const ago = (ms: number) => new Date(now.getTime() - ms)
    const hanging = await stored('а', { heartbeatAt: ago(STUCK_AFTER_MS + 1000) })
    const alive = await stored('б', { heartbeatAt: ago(STUCK_AFTER_MS - 60_000) })
    const waiting = await stored('в', { heartbeatAt: null })
    const lost = await stored('г', { status: 'uploading', heartbeatAt: ago(STUCK_AFTER_MS + 1000) })
    await reapDocuments(app.services, now)
    expect(await document(hanging.documentId)).toMatchObject({ status: 'error', errorReason: 'timeout' })
    expect(await document(alive.documentId)).toMatchObject({ status: 'processing' })
    expect(await document(waiting.documentId)).toMatchObject({ status: 'processing' })
    await expect(document(lost.documentId)).rejects.toMatchObject({ data: { code: 'not_found' } })
    await ingest(app.services, hanging, never)
    expect(await document(hanging.documentId)).toMatchObject({ status: 'error' })
  })

  it('in the queue ends after half an hour without work on any document, else later, unless a worker takes it after all', async () => {
    const { idle, busy } = WAITING_MAX_MS
    const now = new Date(Date.now() + 2 * busy) // no other work of these tests is running then
    const ago = (ms: number) => new Date(now.getTime() - ms)
    const forgotten = await stored('Оплата картой.', { updatedAt: ago(idle + 60_000) })
    const inLine = await stored('Оплата картой.', { updatedAt: ago(0) })
    const alive = await stored('Оплата картой.', { heartbeatAt: ago(60_000) })
    await reapDocuments(app.services, now)
    expect(await document(forgotten.documentId)).toMatchObject({ status: 'processing' })
    await person.http.mutation(api.knowledge.documents.remove, { documentId: alive.documentId })
    await reapDocuments(app.services, new Date(now.getTime() + STUCK_AFTER_MS + 60_000))
    expect(await document(forgotten.documentId)).toMatchObject({ status: 'error', errorReason: 'not_started' })
    expect(await document(inLine.documentId)).toMatchObject({ status: 'processing' })
    await ingest(app.services, forgotten, never)
    expect(await document(forgotten.documentId)).toMatchObject({ status: 'ready', errorReason: null })
    await stored('Оплата картой.', { heartbeatAt: ago(60_000) })
    const tooLong = await stored('Оплата картой.', { updatedAt: ago(busy + 60_000) })
    await reapDocuments(app.services, now)
    expect(await document(tooLong.documentId)).toMatchObject({ status: 'error', errorReason: 'not_started' })
  })
})
