// The locks on documents, where transactions run at the same time.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { someoneWaits } from '#tests/locks.ts'
import { addOrganization } from '#tests/rows.ts'
import { startRemoval, takePages } from '../sites/sites.removal.store.ts'
import { insertSite } from '../sites/sites.store.ts'
import { addPages, claimSite, recordPage, startRound } from '../sites/sites.sync.store.ts'
import { insertSpace } from '../spaces/spaces.store.ts'
import type { WriteContext } from '../spaces/writes.ts'
import { insertChunks } from './chunks/chunks.store.ts'
import { claimDocument, finishAttempt } from './documents.ingest.store.ts'
import { replaceChunks, stageChunks } from './documents.staging.store.ts'
import { insertDocument, startProcessing } from './documents.store.ts'
import { removeDocument, removeDocuments } from './documents.write.ts'

describe('removing a document', () => {
  let test: TestDatabase
  let organizationId: Id<'organizations'>
  let knowledgeSpaceId: Id<'knowledgeSpaces'>
  let documentId: Id<'documents'>
  let attempts: number
  beforeAll(async () => {
    test = await openTestDatabase()
    organizationId = await addOrganization(test.database)
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    knowledgeSpaceId = newId('knowledgeSpaces')
    const space = { id: knowledgeSpaceId, slug: knowledgeSpaceId, name: 'Space', description: '' }
    await transact((ctx) => insertSpace(ctx, space, ctx.now))
    documentId = await addDocument()
    attempts = 0
  })

  it('never stands in a circle with the end of its processing: both take the document before its chunks', async () => {
    const claimed = await transact((ctx) => claimDocument(ctx, documentId))
    if (!claimed) throw new Error('not claimed')
    await transact((ctx) => stageChunks(ctx, claimed, [chunk('новый')]))
    await together(
      async (ctx) => {
        const extent = { pageCount: null }
        await finishAttempt(ctx, claimed, {
          status: 'ready',
          chunkCount: 1,
          tokenCount: 1,
          extent,
          passages: claimed.passages,
          language: null,
          warnings: [],
          fileHash: 'hash',
        })
      },
      (ctx) => replaceChunks(ctx, claimed),
    )
  })

  it('never stands in a circle with the removal of its site: both take the page before the document', async () => {
    const siteId = await addSite()
    let taken: Id<'documents'>[] | undefined
    await together(
      async (ctx) => {
        taken = await takePages(ctx, siteId, 10)
      },
      (ctx) => removeDocuments(ctx, taken ?? []),
    )
  })

  /** One transaction does two things, and the document is removed in between by another. */
  async function together(
    first: (ctx: WriteContext) => Promise<unknown>,
    then: (ctx: WriteContext) => Promise<unknown>,
  ) {
    const [begun, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const one = transact(async (ctx) => {
      attempts++
      await first(ctx)
      begun.resolve()
      await mayGoOn.promise
      await then(ctx)
    })
    await begun.promise
    const other = transact((ctx) => {
      attempts++
      return removeDocument(ctx, documentId)
    })
    await Promise.race([other, someoneWaits(test.database.root)])
    mayGoOn.resolve()
    const [, removed] = await Promise.allSettled([one, other])
    await one
    if (removed.status === 'rejected') expect(removed.reason).toMatchObject({ data: { code: 'not_found' } })
    expect(attempts).toBe(2) // a circle is broken by repeating one of the two
    const left = await test.database.root.selectFrom('chunks').where('source_id', '=', documentId).selectAll().execute()
    expect(left).toEqual([])
  }

  function transact<T>(run: (ctx: WriteContext) => Promise<T>): Promise<T> {
    const jobs = { send: async () => {}, sendAll: async () => {} }
    return test.database.organization(organizationId, (db) => run({ db, organizationId, jobs, now: new Date() }), {
      isolation: 'read committed',
    })
  }

  /** In processing, with a chunk that is found. */
  async function addDocument(): Promise<Id<'documents'>> {
    const id = newId('documents')
    await transact(async (ctx) => {
      const file = { id, knowledgeSpaceId, name: 'a.txt', format: 'txt' as const, fileKey: id }
      await insertDocument(ctx, file, ctx.now)
      await startProcessing(ctx, id, 'uploading', { now: ctx.now })
      const source = { knowledgeSpaceId, kind: 'document' as const, id, title: 'a.txt', alsoAskedAs: [] }
      await insertChunks(ctx, source, [chunk('старый')])
    })
    return id
  }

  /** With one page, whose document it is. */
  async function addSite(): Promise<Id<'sites'>> {
    const id = newId('sites')
    await transact(async (ctx) => {
      const how = { mode: 'crawl' as const, maxPages: 1, maxDepth: 0, everyHours: null }
      await insertSite(ctx, { id, knowledgeSpaceId, url: 'https://shop.example/', ...how }, ctx.now)
      await startRound(ctx, id, ctx.now)
      const claimed = await claimSite(ctx, id)
      if (!claimed) throw new Error('not claimed')
      await addPages(ctx, claimed, ['https://shop.example/'], 0)
      const page = await ctx.db
        .selectFrom('site_pages')
        .where('site_id', '=', id)
        .select('id')
        .executeTakeFirstOrThrow()
      await recordPage(ctx, page.id, { status: 'done', reason: null, documentId })
      await startRemoval(ctx, id, ctx.now)
    })
    return id
  }
})

function chunk(body: string) {
  const place = { page: null, lastPage: null, sheet: null, firstRow: null, lastRow: null }
  const text = { headingPath: [], body, startOffset: 0, endOffset: body.length, tokens: 1, contentHash: body }
  return { id: newId('chunks'), ordinal: 0, ...place, ...text }
}
