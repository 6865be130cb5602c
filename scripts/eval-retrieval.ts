// `npm run eval:retrieval -- <folder>`: how often search finds the right passage of the development sets, beside plain BM25 and
// PostgreSQL's own full-text search. Also with a typing error in each question. The sets are JSON lines; see the README in their folder.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stem } from '#server/retrieval/analysis/stem.ts'
import { wordsOf } from '#server/retrieval/analysis/words.ts'
import { buildSegment } from '#server/retrieval/index/build-segment.ts'
import { IndexPart, OpenSegment, SearchedIndex } from '#server/retrieval/index/searched-index.ts'
import { noneDeleted, openSegment } from '#server/retrieval/index/segment.ts'
import { scoreGroups } from '#server/retrieval/query/bm25.ts'
import { rank } from '#server/retrieval/query/ranking.ts'
import type { IndexedChunk } from '#server/retrieval/retrieval.ts'
import type { Id } from '#shared/ids.ts'
import { type FullText, type FullTextMode, openFullText } from './eval/full-text.ts'

type Passage = { id: string; title: string | null; text: string }
type Query = { id: string; query: string; relevant: string[]; kind?: string }
type Finder = (query: string) => string[] | Promise<string[]>
type Figures = { at1: number; at5: number; at10: number; mrr: number }
type Row = { set: string; method: string } & Figures

const SETS = [
  { name: 'known-item ru', file: 'phpdoc.ru', kind: 'known-item' },
  { name: 'known-item en', file: 'phpdoc.en', kind: 'known-item' },
  { name: 'faq ru', file: 'phpdoc.ru', kind: 'faq' },
  { name: 'faq en', file: 'phpdoc.en', kind: 'faq' },
  { name: 'pubmedqa en', file: 'pubmedqa.en', kind: undefined },
]
const DEPTH = 10

const folder = process.argv[2] ?? '../shared/data/retrieval'
const rows: Row[] = []
for (const set of SETS) rows.push(...(await evaluate(set.name, set.file, set.kind)))
console.table(rows.map(({ set, method, ...figures }) => ({ set, method, ...rounded(figures) })))

async function evaluate(name: string, file: string, kind: string | undefined): Promise<Row[]> {
  const passages = readLines<Passage>(join(folder, `${file}.passages.jsonl`))
  const queries = readLines<Query>(join(folder, `${file}.queries.jsonl`)).filter((query) => query.kind === kind)
  const { index, passageIds } = indexOf(passages)
  const fullText = await openFullText(passages.map((passage) => ({ ...passage, title: titleOf(passage) })))
  const methods: [string, Finder][] = [
    ...fullTextMethods(fullText),
    ['BM25', (query) => plainBm25(index, query).map((id) => passageIds.get(id) ?? '')],
    ['search', (query) => rank(index, query, DEPTH).chunks.map((chunk) => passageIds.get(chunk.chunkId) ?? '')],
  ]
  const withTypos = queries.map((query) => ({ ...query, query: withTypo(query.query) }))
  const rows: Row[] = []
  for (const [suffix, asked] of [['', queries] as const, [', typos', withTypos] as const]) {
    for (const [method, find] of methods) {
      rows.push({ set: name, method: method + suffix, ...(await figures(asked, find)) })
    }
  }
  await fullText.close()
  return rows
}

function fullTextMethods(fullText: FullText): [string, Finder][] {
  const modes: FullTextMode[] = ['all words', 'any word']
  return modes.map((mode) => [`PostgreSQL, ${mode}`, (query) => fullText.find(query, mode, DEPTH)])
}

/** The title of an FAQ passage repeats its question, so it is left out. */
function titleOf(passage: Passage): string {
  return passage.id.startsWith('faq:') ? '' : (passage.title ?? '')
}

function indexOf(passages: Passage[]): { index: SearchedIndex; passageIds: Map<string, string> } {
  const passageIds = new Map<string, string>()
  const chunks = passages.map((passage, number): IndexedChunk => {
    const id = String(number).padStart(32, '0') as Id<'chunks'>
    passageIds.set(id, passage.id)
    return { id, title: titleOf(passage), headingPath: [], body: passage.text, alsoAskedAs: [] }
  })
  const part = new IndexPart(new OpenSegment(openSegment(buildSegment(chunks))), noneDeleted(chunks.length))
  return { index: new SearchedIndex([part]), passageIds }
}

/** Exact stems, stop words as heavy as others: what the search must beat. */
function plainBm25(index: SearchedIndex, query: string): string[] {
  const groups = wordsOf(query).map((word) => ({ queryWeight: 1, terms: new Map([[stem(word), 1]]) }))
  const scores = scoreGroups(index, 'stems', groups, { k1: 1.2, b: 0.75 }).parts[0] ?? new Float32Array()
  return Array.from(scores, (score, local) => ({ score, local }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.local - b.local)
    .slice(0, DEPTH)
    .map(({ local }) => index.parts[0]?.open.segment.chunkIdAt(local) ?? '')
}

/** Swaps the third and fourth character of the first longest word; words under five characters are left alone. */
function withTypo(query: string): string {
  const words = query.match(/[\p{L}\p{N}]+/gu) ?? []
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '')
  if (longest.length < 5) return query
  const typo = longest.slice(0, 2) + longest[3] + longest[2] + longest.slice(4)
  return query.replace(longest, typo)
}

async function figures(queries: Query[], find: Finder): Promise<Figures> {
  const ranks: number[] = []
  for (const { query, relevant } of queries) {
    ranks.push((await find(query)).findIndex((id) => relevant.includes(id)) + 1)
  }
  const within = (depth: number) => ranks.filter((rank) => rank > 0 && rank <= depth).length / ranks.length
  const reciprocal = ranks.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0)
  return { at1: within(1), at5: within(5), at10: within(DEPTH), mrr: reciprocal / ranks.length }
}

function rounded({ at1, at5, at10, mrr }: Figures): Record<string, string> {
  const percent = (share: number) => (share * 100).toFixed(1)
  return { 'R@1': percent(at1), 'R@5': percent(at5), 'R@10': percent(at10), MRR: percent(mrr) }
}

function readLines<Line>(path: string): Line[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Line)
}
