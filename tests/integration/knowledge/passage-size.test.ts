// Passage size of a space's documents: a setting of the space for later documents, and on demand for existing ones.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { type KnowledgeDocument, PASSAGE_SIZE } from '#shared/knowledge/knowledge.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'

const TEXT = Array.from(
  { length: 60 },
  (_, n) => `Sentence number ${n} tells when parcels of kind ${n} are sent.`,
).join(' ')
const SHORT = { length: 300, overlap: 0 }

let app: TestApp
let person: Person
let knowledgeSpaceId: Id<'knowledgeSpaces'>

beforeAll(async () => {
  app = await startApp()
  person = await app.signUp()
})
afterAll(() => app.close())
beforeEach(async () => {
  knowledgeSpaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Help' }))._id
})

async function upload(name: string, body: string): Promise<Id<'documents'>> {
  const answer = await fetch(`${app.url}/api/files/documents?${new URLSearchParams({ knowledgeSpaceId, name })}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await person.token()}` },
    body,
  })
  expect(answer.status).toBe(201)
  await app.settle()
  return ((await answer.json()) as KnowledgeDocument)._id
}

const setSize = (passages: { length: number; overlap: number }) =>
  person.http.mutation(api.knowledge.spaces.update, { knowledgeSpaceId, patch: { passages } })
const countOtherwise = () => person.http.query(api.knowledge.passages.countOtherwise, { knowledgeSpaceId })

/** Lengths of the passages of a document, except the last one, which is the remainder. */
async function lengthsOf(documentId: Id<'documents'>): Promise<number[]> {
  const rows = await app.database.organization(person.organization._id, (db) =>
    db.selectFrom('chunks').where('source_id', '=', documentId).select('body').orderBy('ordinal').execute(),
  )
  return rows.slice(0, -1).map(({ body }) => body.length)
}

async function cutAnew(): Promise<void> {
  await person.http.mutation(api.knowledge.passages.cutAnew, { knowledgeSpaceId })
  await app.settle()
}

it('defaults to 700 characters, of which 120 overlap', async () => {
  expect(await person.http.query(api.knowledge.spaces.get, { knowledgeSpaceId })).toMatchObject({
    passages: PASSAGE_SIZE,
  })
  const lengths = await lengthsOf(await upload('parcels.txt', TEXT))
  expect(Math.min(...lengths)).toBeGreaterThan(600)
  expect(await countOtherwise()).toBe(0)
})

it('applies to later documents; existing ones stay as they are until they are chunked again', async () => {
  const before = await upload('before.txt', TEXT)
  const longest = Math.max(...(await lengthsOf(before)))
  await setSize(SHORT)
  const after = await upload('after.txt', TEXT)
  expect(Math.max(...(await lengthsOf(after)))).toBeLessThanOrEqual(SHORT.length)
  expect(Math.max(...(await lengthsOf(before)))).toBe(longest)
  expect(await countOtherwise()).toBe(1)

  await cutAnew()
  expect(await countOtherwise()).toBe(0)
  expect(await lengthsOf(before)).toEqual(await lengthsOf(after))
  const found = await person.http.query(api.knowledge.search.run, { knowledgeSpaceId, query: 'parcels of kind 42' })
  expect(found[0]).toMatchObject({ content: expect.stringContaining('kind 42') })
})

it('does not read again documents with the current size', async () => {
  const documentId = await upload('parcels.txt', TEXT)
  const ids = () =>
    app.database.organization(person.organization._id, (db) =>
      db.selectFrom('documents').where('id', '=', documentId).select('attempt').execute(),
    )
  const before = await ids()
  await cutAnew()
  expect(await ids()).toEqual(before)
})

it('refuses invalid sizes, and an overlap of more than half', async () => {
  for (const wrong of [
    { length: 100, overlap: 0 },
    { length: 5000, overlap: 0 },
    { length: 700, overlap: 351 },
    { length: 700.5, overlap: 0 },
  ])
    await expect(setSize(wrong)).rejects.toMatchObject({ data: { code: 'invalid_arguments' } })
  expect(await person.http.query(api.knowledge.spaces.get, { knowledgeSpaceId })).toMatchObject({
    passages: PASSAGE_SIZE,
  })
})
