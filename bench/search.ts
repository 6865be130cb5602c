// How long a search takes in spaces of 10,000 and 100,000 chunks: the whole search inside the server, compared with a floor that only reads
// the found rows. And the nearest of as many vectors. On the database that Parley runs itself; no model is called.
import { createHash } from 'node:crypto'
import {
  type ChunkSource,
  insertChunks,
  type NewChunk,
} from '#server/domain/knowledge/documents/chunks/chunks.store.ts'
import { addSegment } from '#server/domain/knowledge/search/add-chunks.ts'
import { quantise } from '#server/domain/knowledge/search/vectors/quantised.ts'
import { VectorBlock } from '#server/domain/knowledge/search/vectors/vector-block.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import { api, startApp, type TestApp } from '#tests/app.ts'
import { seededRandom } from '#tests/random.ts'
import { percentile } from './measures.ts'
import { heading, print, short, table, target } from './report.ts'

type Space = {
  app: TestApp
  organizationId: Id<'organizations'>
  knowledgeSpaceId: Id<'knowledgeSpaces'>
  questions: string[]
  ids: Id<'chunks'>[]
}
/** Milliseconds; `cpu`: of this process, per search. */
type Times = { p50: number; p95: number; cpu: number }

const WORDS_A_CHUNK = 60
const VOCABULARY = 20_000
const CHUNKS_A_SEGMENT = 12_500
const CHUNKS_A_SOURCE = 500
const RESULTS = 10
const DIMENSIONS = 1_024
const SYLLABLES = ['ва', 'ло', 'ми', 'ст', 'ре', 'ка', 'до', 'пу', 'ни', 'гор', 'зе', 'тра', 'фи', 'вен', 'шка', 'бо']
/** Limit and target, milliseconds. */
const TARGETS: Record<number, { p50: [string, string]; p95: [string, string] }> = {
  10000: { p50: ['≤ 15', '5'], p95: ['≤ 60', '20'] },
  100000: { p50: ['≤ 50', '15'], p95: ['≤ 150', '50'] },
}

/** @param isQuick only the smaller space */
export async function benchSearch(isQuick: boolean): Promise<void> {
  heading('Search of knowledge')
  for (const size of isQuick ? [10_000] : [10_000, 100_000]) {
    const app = await startApp()
    try {
      await benchSpace(await fillSpace(app, size), size)
    } finally {
      await app.close()
    }
    const near = benchVectors(size)
    print(
      `Nearest of ${size} vectors of ${DIMENSIONS} dimensions: p50 ${short(near.p50)} ms, p95 ${short(near.p95)} ms.`,
    )
  }
}

async function benchSpace(
  { app, organizationId, knowledgeSpaceId, questions, ids }: Space,
  size: number,
): Promise<void> {
  const { retrieval } = app.services
  const read = <T>(run: Parameters<typeof app.database.organization<T>>[1]) =>
    app.database.organization(organizationId, run, { readOnly: true })
  const search = (query: string) =>
    read((db) => retrieval.search({ db, organizationId }, { spaceIds: [knowledgeSpaceId], query, limit: RESULTS }))
  const openingMs = await timeOf(() => search('открыть'))
  const stages = new Map<string, number[]>()
  const searches = await timesOf(questions, async (question) => {
    for (const { stage, elapsedMs } of (await search(question)).stages) {
      stages.set(stage, [...(stages.get(stage) ?? []), elapsedMs])
    }
  })
  const floor = await timesOf(questions, (_, at) =>
    read((db) =>
      db
        .selectFrom('chunks')
        .selectAll()
        .where('id', 'in', ids.slice(at * RESULTS, (at + 1) * RESULTS))
        .execute(),
    ),
  )
  print(`\n${size} chunks; the first search, which opens the index, took ${short(openingMs)} ms.`)
  table(
    ['', 'p50 ms', 'p95 ms', 'CPU ms'],
    [
      ['search', searches.p50, searches.p95, searches.cpu],
      ...Array.from(stages, ([stage, times]) => [`  ${stage}`, percentile(times, 0.5), percentile(times, 0.95), '']),
      ['floor', floor.p50, floor.p95, floor.cpu],
      ['ratio', searches.p50 / floor.p50, searches.p95 / floor.p95, searches.cpu / floor.cpu],
    ],
  )
  const goals = TARGETS[size]
  if (goals) target(`Search in ${size} chunks, p50 ms`, searches.p50, ...goals.p50)
  if (goals) target(`Search in ${size} chunks, p95 ms`, searches.p95, ...goals.p95)
}

/** Chunks of words that are as unevenly frequent as in texts; every third question is mistyped. */
async function fillSpace(app: TestApp, size: number): Promise<Space> {
  const random = seededRandom(size)
  const words = Array.from({ length: VOCABULARY }, () =>
    Array.from({ length: 2 + random.below(3) }, () => random.pick(SYLLABLES)).join(''),
  )
  const word = () => words[Math.floor(VOCABULARY ** (random.below(1_000_000) / 1_000_000)) - 1] ?? 'слово'
  const person = await app.signUp()
  const organizationId = person.organization._id
  const knowledgeSpaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Bench' }))._id
  const space: Space = { app, organizationId, knowledgeSpaceId, questions: [], ids: [] }
  for (let at = 0; at < size; at += CHUNKS_A_SEGMENT) {
    const count = Math.min(CHUNKS_A_SEGMENT, size - at)
    const chunks = Array.from({ length: count }, (_, ordinal) =>
      toChunk(Array.from({ length: WORDS_A_CHUNK }, word).join(' '), ordinal),
    )
    await store(space, chunks)
    for (const { id, body } of chunks.filter((_, index) => index % Math.ceil(size / 200) === 0)) {
      const asked = body.split(' ').slice(10, 15).join(' ')
      space.questions.push(space.questions.length % 3 === 0 ? asked.replace(/(\p{L})(\p{L})/u, '$2$1') : asked)
      space.ids.push(...chunks.slice(0, RESULTS - 1).map((chunk) => chunk.id), id)
    }
  }
  return space
}

async function store({ app, organizationId, knowledgeSpaceId }: Space, chunks: NewChunk[]): Promise<void> {
  const blob = await app.services.retrieval.buildSegment(
    chunks.map((chunk) => ({ ...chunk, title: '', alsoAskedAs: [] })),
  )
  const write = (run: (ctx: Parameters<typeof addSegment>[0]) => Promise<void>) =>
    app.database.organization(organizationId, (db) => run({ db, organizationId, jobs: app.services.jobs }))
  for (let at = 0; at < chunks.length; at += CHUNKS_A_SOURCE) {
    const source: ChunkSource = { knowledgeSpaceId, kind: 'fragment', id: newId(), title: '', alsoAskedAs: [] }
    await write((ctx) => insertChunks(ctx, source, chunks.slice(at, at + CHUNKS_A_SOURCE)))
  }
  await write((ctx) => addSegment(ctx, knowledgeSpaceId, blob, chunks.length))
}

function toChunk(body: string, ordinal: number): NewChunk {
  const place = { page: null, lastPage: null, sheet: null, firstRow: null, lastRow: null }
  const contentHash = createHash('sha256').update(body).digest('base64url')
  const measures = { tokens: WORDS_A_CHUNK * 2, startOffset: 0, endOffset: body.length }
  return { id: newId('chunks'), ordinal, headingPath: [], body, contentHash, ...place, ...measures }
}

function benchVectors(size: number): Pick<Times, 'p50' | 'p95'> {
  const random = seededRandom(size)
  const vector = () => Float32Array.from({ length: DIMENSIONS }, () => random.below(2_000) - 1_000)
  const block = new VectorBlock(DIMENSIONS, size)
  for (let at = 0; at < size; at++) block.add(quantise(vector()))
  const times = Array.from({ length: 50 }, vector).map((question) => {
    const startedAt = performance.now()
    block.nearest(question, 50)
    return performance.now() - startedAt
  })
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95) }
}

async function timesOf(questions: string[], run: (question: string, at: number) => Promise<unknown>): Promise<Times> {
  for (const [at, question] of questions.slice(0, 20).entries()) await run(question, at)
  const times: number[] = []
  const before = process.cpuUsage()
  for (const [at, question] of questions.entries()) times.push(await timeOf(() => run(question, at)))
  const { user, system } = process.cpuUsage(before)
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), cpu: (user + system) / 1000 / questions.length }
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await run()
  return performance.now() - startedAt
}
