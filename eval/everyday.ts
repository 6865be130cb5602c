// Everyday questions to three small businesses, answered as the product does without any provider: documents are cut, indexed and searched, and
// the built-in model quotes what was found. An answer is right when it quotes what is expected, a refusal when it is in the language asked in.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { cutChunks } from '#server/domain/knowledge/search/chunking/chunker.ts'
import { buildSegment } from '#server/domain/knowledge/search/index/build-segment.ts'
import { IndexPart, OpenSegment, SearchedIndex } from '#server/domain/knowledge/search/index/searched-index.ts'
import { noneDeleted, openSegment } from '#server/domain/knowledge/search/index/segment.ts'
import { textBlocks } from '#server/domain/knowledge/search/parsers/text-file.ts'
import { rank } from '#server/domain/knowledge/search/query/ranking.ts'
import type { IndexedChunk } from '#server/domain/knowledge/search/retrieval.ts'
import { generateExtractive } from '#server/integrations/llm/extractive/extractive.ts'
import { EXTRACTIVE_TEXTS } from '#server/integrations/llm/extractive/extractive-texts.ts'
import type { AnswerLanguage } from '#server/integrations/llm/language.ts'
import type { Passage } from '#server/integrations/llm/llm.ts'
import type { Id } from '#shared/ids.ts'
import { ANSWER_PASSAGES } from '#shared/limits.ts'

/** `expected`: pieces that the answer holds; null: the documents do not answer it. `mixed` is of several languages, any of which will do. */
export type EverydayQuestion = {
  id: string
  world: string
  language: AnswerLanguage | 'mixed'
  isMistyped: boolean
  query: string
  expected: string[] | null
}

export type EverydayAnswer = { question: EverydayQuestion; text: string; isRight: boolean }

/** As a space has it by default. */
const ENOUGH_WORDS = 0.1
const LANGUAGES: AnswerLanguage[] = ['ru', 'en', 'kk']

/** @param folder of the set, one folder a business in it @param name `questions` or `held-back` */
export function readEveryday(folder: string, name: string): EverydayQuestion[] {
  const lines = readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => JSON.parse(line))
}

/** Every question with its answer, in order. */
export async function answerEveryday(folder: string, questions: EverydayQuestion[]): Promise<EverydayAnswer[]> {
  const worlds = new Map<string, World>()
  const answers: EverydayAnswer[] = []
  for (const question of questions) {
    const world = worlds.get(question.world) ?? openWorld(join(folder, question.world))
    worlds.set(question.world, world)
    const text = await answer(world, question.query)
    answers.push({ question, text, isRight: isRight(question, text) })
  }
  return answers
}

type World = { chunks: IndexedChunk[]; index: SearchedIndex }

function openWorld(folder: string): World {
  const chunks = readdirSync(folder).flatMap((file) => {
    const cut = cutChunks(textBlocks(readFileSync(join(folder, file), 'utf8')))
    return cut.map(({ headingPath, body }) => ({ title: basename(file), headingPath, body, alsoAskedAs: [] }))
  })
  const numbered = chunks.map((chunk, number) => ({ ...chunk, id: String(number).padStart(32, '0') as Id<'chunks'> }))
  const segment = new OpenSegment(openSegment(buildSegment(numbered)))
  return { chunks: numbered, index: new SearchedIndex([new IndexPart(segment, noneDeleted(numbered.length))]) }
}

async function answer({ chunks, index }: World, query: string): Promise<string> {
  const { chunks: ranked, evidence } = rank(index, query, ANSWER_PASSAGES)
  const passages = ranked.flatMap(({ chunkId, score }): Passage[] => {
    const chunk = chunks[Number(chunkId)]
    if (!chunk) return []
    const heading = chunk.headingPath.length > 0 ? `# ${chunk.headingPath.join(' › ')}:\n` : ''
    return [{ id: chunkId, source: chunk.title, page: null, text: heading + chunk.body, score }]
  })
  const isWeakEvidence = evidence * (ranked[0]?.scores.words ?? 0) < ENOUGH_WORDS
  const { text } = await generateExtractive({
    ...{ model: 'parley-extractive', temperature: 0, system: '', tools: [] },
    messages: [{ role: 'user', text: query }],
    passages,
    isWeakEvidence,
    signal: new AbortController().signal,
  })
  return text
}

function isRight({ language, expected }: EverydayQuestion, text: string): boolean {
  const texts = LANGUAGES.filter((each) => language === 'mixed' || each === language).map(
    (each) => EXTRACTIVE_TEXTS[each],
  )
  if (expected === null) return texts.some(({ unknown }) => text === unknown)
  return expected.every((piece) => text.includes(piece)) && texts.some(({ source }) => text.includes(`${source}: `))
}
