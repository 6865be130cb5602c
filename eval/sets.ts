// The development sets: JSON lines of passages and questions, and the recorded vectors of both. See the README in their folder.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { quantise } from '#server/domain/knowledge/search/vectors/quantised.ts'
import { trustOf, trustQuestions } from '#server/domain/knowledge/search/vectors/trust.ts'
import type { Embeddings } from '#server/integrations/llm/embeddings.ts'

export type Passage = { id: string; title: string | null; text: string }
export type Query = { id: string; query: string; relevant: string[]; kind?: string }
/** A question about a passage of a collection, and the same question with its words in other forms. */
export type Pair = Query & { collection: string; inflected: string }
/** One file of passages with its questions, of which a set may be those of one kind. */
export type EvalSet = { name: string; passages: Passage[]; queries: Query[]; vectors: RecordedVectors | null }
/** By the id of a passage or question. `trust`: how far their model is to be trusted with these passages; null: not known. */
export type Vectors = {
  passages: Map<string, Float32Array>
  queries: Map<string, Float32Array>
  trust: number | null
}
/** As they were recorded, with those of the questions that hold a typing error. */
export type RecordedVectors = Vectors & { mistyped: Map<string, Float32Array> }
/** A trust question has the id of the passage from which it comes. `vector`: quantised, in base64. */
type VectorLine = { kind: 'passage' | 'query' | 'mistyped query' | 'trust question'; id: string; vector: string }

const TEXTS_PER_REQUEST = 32

/** The questions of one kind over the passages of a file; vectors as they were recorded there, if they were. */
export function readSet(
  name: string,
  place: { folder: string; vectors: string; file: string; kind?: string },
): EvalSet {
  const { folder, vectors, file, kind } = place
  const queries = readLines<Query>(join(folder, `${file}.queries.jsonl`))
  return {
    name,
    passages: readLines<Passage>(join(folder, `${file}.passages.jsonl`)),
    queries: queries.filter((query) => query.kind === kind || kind === undefined),
    vectors: readVectors(vectorsFile(vectors, file)),
  }
}

/** The pairs of one language. */
export function readPairs(folder: string, language: string): Pair[] {
  return readLines<Pair>(join(folder, `inflected.${language}.jsonl`))
}

/** The title of an FAQ passage repeats its question, so it is left out. */
export function titleOf(passage: Passage): string {
  return passage.id.startsWith('faq:') ? '' : (passage.title ?? '')
}

/** Swaps the third and fourth character of the first longest word; words under five characters are left alone. */
export function withTypo(query: string): string {
  const words = query.match(/[\p{L}\p{N}]+/gu) ?? []
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '')
  if (longest.length < 5) return query
  const typo = longest.slice(0, 2) + longest[3] + longest[2] + longest.slice(4)
  return query.replace(longest, typo)
}

/** Those of questions that were asked with a typing error; recorded before such were asked for, they are those of the questions without. */
export function mistypedVectors(vectors: RecordedVectors): Vectors {
  const { passages, queries, mistyped, trust } = vectors
  return { passages, queries: mistyped.size > 0 ? mistyped : queries, trust }
}

/** Asks an embedding model for the vectors of a file's passages and questions, and keeps them for later runs. */
export async function recordVectors(embeddings: Embeddings, place: { folder: string; vectors: string; file: string }) {
  const texts = textsToRecord(place)
  const lines: string[] = []
  for (let at = 0; at < texts.length; at += TEXTS_PER_REQUEST) {
    const batch = texts.slice(at, at + TEXTS_PER_REQUEST)
    const signal = AbortSignal.timeout(60_000)
    const made = await embeddings.embed(
      batch.map(({ text }) => text),
      { signal },
    )
    for (const [index, { kind, id }] of batch.entries()) {
      const vector = Buffer.from(quantise(made.vectors[index] ?? new Float32Array())).toString('base64')
      lines.push(JSON.stringify({ kind, id, vector } satisfies VectorLine))
    }
  }
  mkdirSync(place.vectors, { recursive: true })
  writeFileSync(vectorsFile(place.vectors, place.file), `${lines.join('\n')}\n`)
}

function textsToRecord({ folder, file }: { folder: string; file: string }) {
  const passages = readLines<Passage>(join(folder, `${file}.passages.jsonl`))
  const queries = readLines<Query>(join(folder, `${file}.queries.jsonl`))
  return [
    ...passages.map((passage) => {
      const text = [titleOf(passage), passage.text].filter(Boolean).join('\n')
      return { kind: 'passage' as const, id: passage.id, text }
    }),
    ...queries.map(({ id, query }) => ({ kind: 'query' as const, id, text: query })),
    ...queries.map(({ id, query }) => ({ kind: 'mistyped query' as const, id, text: withTypo(query) })),
    ...trustQuestions(passages.map(({ text }) => text)).map(({ at, text }) => {
      return { kind: 'trust question' as const, id: passages[at]?.id ?? '', text }
    }),
  ]
}

function vectorsFile(folder: string, file: string): string {
  return join(folder, `${file}.vectors.jsonl`)
}

function readVectors(file: string): RecordedVectors | null {
  if (!existsSync(file)) return null
  const lines = readLines<VectorLine>(file).map(({ kind, id, vector }) => {
    return { kind, id, vector: Float32Array.from(new Int8Array(Buffer.from(vector, 'base64'))) }
  })
  const ofKind = (kind: VectorLine['kind']) => lines.filter((line) => line.kind === kind)
  const byId = (kind: VectorLine['kind']) => new Map(ofKind(kind).map(({ id, vector }) => [id, vector]))
  const passages = byId('passage')
  const trust = trustAmong(passages, ofKind('trust question'))
  return { passages, queries: byId('query'), mistyped: byId('mistyped query'), trust }
}

/** How far a model is to be trusted that has these vectors for passages and for words of some of them. */
export function trustAmong(
  passages: Map<string, Float32Array>,
  asked: { id: string; vector: Float32Array }[],
): number | null {
  const places = new Map([...passages.keys()].map((id, at) => [id, at]))
  return trustOf(
    [...passages.values()].map(quantise),
    asked.flatMap(({ id, vector }) => {
      const at = places.get(id)
      return at === undefined ? [] : [{ at, vector }]
    }),
  )
}

function readLines<Line>(path: string): Line[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Line)
}
