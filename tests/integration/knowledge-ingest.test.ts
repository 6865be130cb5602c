// The processing of documents when things go wrong: cancellation, two workers, failures, stops, and what hangs.
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type IngestServices, ingest, MAX_TRIES } from '#server/features/knowledge/documents.ingest.ts'
import { reapDocuments, STUCK_AFTER_MS } from '#server/features/knowledge/documents.reaper.ts'
import { newId } from '#server/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { DocumentStatus } from '#shared/knowledge.ts'
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

/** A stored document in some state, for which no job is queued. */
async function stored(content: string, state: { status?: DocumentStatus; heartbeatAt?: Date | null } = {}) {
  const id = newId('documents')
  await app.services.files.put(id, new Blob([content]).stream(), 50_000_000)
  await app.database.organization(organizationId, (db) =>
    db
      .insertInto('documents')
      .values({
        id,
        organization_id: organizationId,
        knowledge_space_id: knowledgeSpaceId,
        name: 'файл.txt',
        format: 'txt',
        size_bytes: content.length,
        file_key: id,
        status: state.status ?? 'processing',
        error_reason: null,
        warnings: '[]',
        page_count: null,
        heartbeat_at: state.heartbeatAt ?? (null as unknown as Date),
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
    await vi.waitFor(() => expect(livingParsers()).toBe(1), { timeout: 20_000 })
    await person.http.mutation(api.knowledge.documents.cancel, { documentId: data.documentId })
    await work
    await vi.waitFor(() => expect(livingParsers()).toBe(0), { timeout: 20_000 })
    expect(await document(data.documentId)).toMatchObject({ status: 'error', errorReason: 'cancelled', chunks: 0 })
    expect(await chunksOf(data.documentId)).toEqual([])
    expect(await search('доставка')).toEqual([])
  })

  it('can be taken back by trying again', async () => {
    const data = await stored('Оплата картой.')
    await person.http.mutation(api.knowledge.documents.cancel, { documentId: data.documentId })
    await ingest(app.services, data, never)
    expect(await document(data.documentId)).toMatchObject({ status: 'error', errorReason: 'cancelled' })
    await person.http.mutation(api.knowledge.documents.retry, { documentId: data.documentId })
    await app.settle()
    expect(await document(data.documentId)).toMatchObject({ status: 'ready', errorReason: null, chunks: 1 })
  })
})

describe('two workers on one document', () => {
  it('at the same time cut it once', async () => {
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

  it('of which the first stalls until the second is done, leave the work of the second', async () => {
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

describe('failing', () => {
  const failing = (sent: object[]): IngestServices => ({
    ...app.services,
    files: { ...app.services.files, localPath: async () => Promise.reject(new Error('the disk is away')) },
    jobs: { send: async (_db, job, data) => void sent.push({ job: job.name, data }) },
  })

  it('for an unexpected reason is tried again, three times in all', async () => {
    const data = await stored('Оплата картой.')
    const sent: object[] = []
    await ingest(failing(sent), data, never)
    expect(await document(data.documentId)).toMatchObject({ status: 'processing' })
    expect(sent).toEqual([{ job: 'knowledge.ingest', data: { ...data, tryNumber: 2 } }])
    const last = ingest(failing(sent), { ...data, tryNumber: MAX_TRIES }, never)
    await expect(last).rejects.toThrow('the disk is away')
    expect(await document(data.documentId)).toMatchObject({ status: 'error', errorReason: 'failed' })
    expect(sent).toHaveLength(1)
  })

  it('because the server stops leaves the document to another', async () => {
    const data = await stored('Длинное предложение о доставке заказов. '.repeat(200_000))
    const stop = new AbortController()
    const work = ingest(app.services, data, stop.signal)
    await vi.waitFor(() => expect(livingParsers()).toBe(1), { timeout: 20_000 })
    stop.abort(new Error('stopping'))
    await expect(work).rejects.toThrow('stopping')
    expect(await document(data.documentId)).toMatchObject({ status: 'processing' })
    await vi.waitFor(() => expect(livingParsers()).toBe(0), { timeout: 20_000 })
  })

  it('does not happen to a document that was removed in between', async () => {
    const data = await stored('Оплата картой.')
    await person.http.mutation(api.knowledge.documents.remove, { documentId: data.documentId })
    await ingest(app.services, data, never)
    expect(await chunksOf(data.documentId)).toEqual([])
  })
})

describe('hanging', () => {
  it('ends after five minutes without a sign of life, and only then', async () => {
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
})
