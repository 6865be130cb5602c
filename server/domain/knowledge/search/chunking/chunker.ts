// Blocks → chunks: structure first (headings, list items, table rows, question and answer pairs), then whole sentences.
import type { ChunkPlace } from '#shared/knowledge/chunks.ts'
import { PASSAGE_SIZE, type PassageSize } from '#shared/knowledge/knowledge.ts'
import type { Block, CutChunk } from './blocks.ts'
import { cutLong, type Span, sentencesOf } from './sentences.ts'

export type ChunkOptions = {
  /** Characters at which a chunk is full. */
  target: number
  /** Characters that no chunk exceeds. */
  most: number
  /** Characters of whole trailing sentences that the next chunk repeats at most. */
  overlap: number
}
/** Characters of a sentence that is not cut, for each of the length at which a chunk is full. */
const MOST_FOR_EACH = 10 / 7
export const CHUNK_OPTIONS = chunkOptions(PASSAGE_SIZE)

const ROWS_TOGETHER = 10
/** A rest shorter than this joins the chunk before it. */
const SHORT_REST = 100
const QUESTION = /^(?:(?:вопрос|question)\s*(?:№?\s*\d+)?\s*[:.)]|[вq]\s*\d*\s*:)/iu
const SENTENCE_ENDED = /[.!?…:;][»”"')\]]*$/u
const ANSWER = /^(?:(?:ответ|answer)\s*(?:№?\s*\d+)?\s*[:.)]|[оa]\s*\d*\s*:)/iu

/** A block with its place in the extracted text. */
type Placed = { block: Block; start: number; end: number }
type Section = { headingPath: string[]; heading: Placed | null; content: Placed[]; hasDeeper: boolean }
/** What is not cut further while packing, and the blocks in which it begins and ends. */
type Unit = Span & { first: Block; last: Block }
type Context = { text: string; options: ChunkOptions; headingPath: string[] }

/** For passages of this size. */
export function chunkOptions({ length, overlap }: PassageSize): ChunkOptions {
  return { target: length, most: Math.round(length * MOST_FOR_EACH), overlap }
}

/** The extracted text of a file, to which offsets refer. */
export function extractedText(blocks: Block[]): string {
  return blocks.map((block) => block.text).join('\n')
}

/** Chunks in reading order. No chunk crosses a heading. */
export function cutChunks(blocks: Block[], options: ChunkOptions = CHUNK_OPTIONS): CutChunk[] {
  const text = extractedText(blocks)
  return sectionsOf(blocks).flatMap((section) => {
    const context: Context = { text, options, headingPath: section.headingPath }
    if (section.content.length > 0) return runsOf(section.content).flatMap((run) => cutRun(run, context))
    if (!section.heading || section.hasDeeper) return []
    return cutFlow([section.heading], { ...context, headingPath: section.headingPath.slice(0, -1) })
  })
}

function sectionsOf(blocks: Block[]): Section[] {
  let section: Section = { headingPath: [], heading: null, content: [], hasDeeper: false }
  const sections = [section]
  const open: { level: number; text: string }[] = []
  let at = 0
  for (const block of blocks) {
    const placed = { block, start: at, end: at + block.text.length }
    at = placed.end + 1
    if (block.kind !== 'heading') {
      section.content.push(placed)
      continue
    }
    while ((open.at(-1)?.level ?? 0) >= block.level) open.pop()
    section.hasDeeper = section.heading !== null && open.length >= section.headingPath.length
    const isEnd = block.text === ''
    if (!isEnd) open.push({ level: block.level, text: block.text })
    const headingPath = open.map((heading) => heading.text)
    section = { headingPath, heading: isEnd ? null : placed, content: [], hasDeeper: false }
    sections.push(section)
  }
  return sections
}

/** Neighbouring blocks that are cut together: rows under one header, a question with its answer, everything else. */
function runsOf(content: Placed[]): Placed[][] {
  const runs: Placed[][] = []
  let kind = ''
  for (const [index, placed] of content.entries()) {
    const { block } = placed
    let next = kind.startsWith('pair') ? kind : 'flow'
    if (block.kind === 'row') next = `row ${block.header}`
    else if (isQuestion(content, index)) next = `pair ${index}`
    const run = runs.at(-1)
    if (run && next === kind) run.push(placed)
    else runs.push([placed])
    kind = next
  }
  return runs
}

/** A marked question that a marked answer follows. */
function isQuestion(content: Placed[], index: number): boolean {
  const question = content[index]?.block.text ?? ''
  return QUESTION.test(question) && ANSWER.test(content[index + 1]?.block.text ?? '')
}

function cutRun(run: Placed[], context: Context): CutChunk[] {
  const [first] = run
  if (!first) return []
  if (first.block.kind === 'row') return cutRows(run, first.block.header, context)
  return isQuestion(run, 0) ? cutPair(run, first, context) : cutFlow(run, context)
}

/** Whole; beyond the maximum each part keeps the question. */
function cutPair(run: Placed[], question: Placed, context: Context): CutChunk[] {
  const { most } = context.options
  const last = run.at(-1) ?? question
  const whole = { start: question.start, end: last.end, first: question.block, last: last.block }
  if (whole.end - whole.start <= most) return [chunkOf([whole], context)]
  const prefix = `${question.block.text.slice(0, most / 2)}\n`
  const options = withRoomFor(prefix, context.options)
  const units = run.slice(1).flatMap((placed) => unitsOf(placed, context.text, options.most))
  return pack(units, options).map((packed) => chunkOf(packed, context, prefix))
}

/** Up to ten short rows together, under their header. */
function cutRows(run: Placed[], header: string, context: Context): CutChunk[] {
  const prefix = header ? `${header.slice(0, context.options.most / 2)}\n` : ''
  const options = { ...withRoomFor(prefix, context.options), overlap: 0 }
  const units = run.flatMap((placed) =>
    placed.end - placed.start <= options.most ? [wholeOf(placed)] : unitsOf(placed, context.text, options.most),
  )
  return pack(units, options, ROWS_TOGETHER).map((packed) => chunkOf(packed, context, prefix))
}

function cutFlow(run: Placed[], context: Context): CutChunk[] {
  const units = run.flatMap((placed) => unitsOf(placed, context.text, context.options.most))
  return pack(acrossPages(units, context), context.options).map((packed) => chunkOf(packed, context))
}

/** A sentence that a page break divides is one unit: it stands whole in a chunk, which names both pages. */
function acrossPages(units: Unit[], { text, options }: Context): Unit[] {
  const joined: Unit[] = []
  for (const unit of units) {
    const before = joined.at(-1)
    const isDivided =
      before &&
      before.last.page !== unit.first.page &&
      !SENTENCE_ENDED.test(text.slice(before.start, before.end)) &&
      /^\p{Ll}/u.test(text.slice(unit.start, unit.end)) &&
      unit.end - before.start <= options.most
    if (isDivided) joined[joined.length - 1] = { ...before, end: unit.end, last: unit.last }
    else joined.push(unit)
  }
  return joined
}

/** A list item stays whole while it fits; other text is taken by sentences. */
function unitsOf(placed: Placed, text: string, most: number): Unit[] {
  const { block, start, end } = placed
  if (block.kind === 'item' && end - start <= most) return [wholeOf(placed)]
  return sentencesOf(text.slice(start, end))
    .map((span) => ({ start: start + span.start, end: start + span.end }))
    .flatMap((span) => cutLong(text, span, most))
    .map((span) => ({ ...span, first: block, last: block }))
}

function wholeOf({ block, start, end }: Placed): Unit {
  return { start, end, first: block, last: block }
}

function pack(units: Unit[], { target, most, overlap }: ChunkOptions, mostUnits = Number.POSITIVE_INFINITY): Unit[][] {
  const packs: Unit[][] = []
  let current: Unit[] = []
  for (const unit of units) {
    const length = lengthOf(current)
    const grown = lengthOf([...current.slice(0, 1), unit])
    const fits = grown <= target || (length < target / 2 && grown <= most)
    if (current.length > 0 && (!fits || current.length === mostUnits)) {
      packs.push(current)
      current = trailing(current, overlap)
      if (lengthOf([...current.slice(0, 1), unit]) > most) current = []
    }
    current.push(unit)
  }
  const last = packs.at(-1)
  const lastUnit = current.at(-1)
  if (!lastUnit) return packs
  const joined = last ? [...last, ...current.filter((unit) => unit.start >= (last.at(-1)?.end ?? 0))] : current
  const isShortRest = last && joined.length <= mostUnits && lastUnit.end - (last.at(-1)?.end ?? 0) < SHORT_REST
  if (isShortRest && lengthOf(joined) <= most) packs[packs.length - 1] = joined
  else packs.push(current)
  return packs
}

/** The last whole units that fit into the overlap; never all of them. */
function trailing(units: Unit[], overlap: number): Unit[] {
  let from = units.length
  while (from > 1 && lengthOf(units.slice(from - 1)) <= overlap) from--
  return units.slice(from)
}

function lengthOf(units: Unit[]): number {
  const [first] = units
  return first ? (units.at(-1)?.end ?? first.end) - first.start : 0
}

function withRoomFor(prefix: string, options: ChunkOptions): ChunkOptions {
  const most = options.most - prefix.length
  return { ...options, most, target: Math.min(options.target, most) }
}

function chunkOf(units: Unit[], { text, headingPath }: Context, prefix = ''): CutChunk {
  const start = units[0]?.start ?? 0
  const end = units.at(-1)?.end ?? start
  return {
    headingPath,
    body: prefix + text.slice(start, end),
    ...placeOf(units[0]?.first, units.at(-1)?.last),
    startOffset: start,
    endOffset: end,
  }
}

function placeOf(first: Block | undefined, last: Block | undefined): ChunkPlace {
  const row = first?.kind === 'row' ? first : null
  return {
    page: first?.page ?? null,
    lastPage: last?.page ?? null,
    sheet: row?.sheet ?? null,
    firstRow: row?.row ?? null,
    lastRow: last?.kind === 'row' ? (last.row ?? null) : null,
  }
}
