// The development sets: JSON lines of passages and questions, and the recorded vectors of both. See the README in their folder.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Embeddings } from '#server/llm/embeddings.ts'
import { quantise } from '#server/retrieval/vectors/quantised.ts'
import { trustOf, trustQuestions } from '#server/retrieval/vectors/trust.ts'

export type Passage = { id: string; title: string | null; text: string }
export type Query = { id: string; query: string; relevant: string[]; kind?: string }
/** One file of passages with its questions, of which a set may be those of one kind. */
export type EvalSet = { name: string; passages: Passage[]; queries: Query[]; vectors: Vectors | null }
/** By the id of a passage or question. `trust`: how far their model is to be trusted with these passages; null: not known. */
export type Vectors = {
  passages: Map<string, Float32Array>
  queries: Map<string, Float32Array>
  trust: number | null
}
/** A trust question has the id of the passage from which it comes. */
type VectorLine = { kind: 'passage' | 'query' | 'trust question'; id: string; vector: number[] }

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

/** Asks an embedding model for the vectors of a file's passages and questions, and keeps them for later runs. */
export async function recordVectors(embeddings: Embeddings, place: { folder: string; vectors: string; file: string }) {
  const { folder, vectors, file } = place
  const passages = readLines<Passage>(join(folder, `${file}.passages.jsonl`))
  const queries = readLines<Query>(join(folder, `${file}.queries.jsonl`))
  const texts = [
    ...passages.map((passage) => {
      const text = [titleOf(passage), passage.text].filter(Boolean).join('\n')
      return { kind: 'passage', id: passage.id, text }
    }),
    ...queries.map(({ id, query }) => ({ kind: 'query', id, text: query })),
    ...trustQuestions(passages.map(({ text }) => text)).map(({ at, text }) => {
      return { kind: 'trust question', id: passages[at]?.id ?? '', text }
    }),
  ]
  const lines: string[] = []
  for (let at = 0; at < texts.length; at += TEXTS_PER_REQUEST) {
    const batch = texts.slice(at, at + TEXTS_PER_REQUEST)
    const signal = AbortSignal.timeout(60_000)
    const made = await embeddings.embed(
      batch.map(({ text }) => text),
      { signal },
    )
    for (const [index, { kind, id }] of batch.entries()) {
      const vector = Array.from(made.vectors[index] ?? [], (value) => Math.round(value * 1e5) / 1e5)
      lines.push(JSON.stringify({ kind, id, vector }))
    }
  }
  writeFileSync(vectorsFile(vectors, file), `${lines.join('\n')}\n`)
}

function vectorsFile(folder: string, file: string): string {
  return join(folder, `${file}.vectors.jsonl`)
}

function readVectors(file: string): Vectors | null {
  if (!existsSync(file)) return null
  const passages = new Map<string, Float32Array>()
  const queries = new Map<string, Float32Array>()
  const asked: { id: string; vector: Float32Array }[] = []
  for (const line of readLines<VectorLine>(file)) {
    const { kind, id, vector } = { ...line, vector: Float32Array.from(line.vector) }
    if (kind === 'trust question') asked.push({ id, vector })
    else (kind === 'passage' ? passages : queries).set(id, vector)
  }
  return { passages, queries, trust: trustAmong(passages, asked) }
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
