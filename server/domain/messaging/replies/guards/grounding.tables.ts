// Figures of an answer compared with the rows of tables that the model has seen: each has to stand in the row, and in the column, that its
// sentence names. A figure of another row stands in the evidence all the same, and is as wrong as one that is made up.

import { evenLetter } from '#server/domain/knowledge/search/parsers/tables/even-text.ts'
import { isStopWord, stemOf, wordsOf } from '#server/integrations/llm/words.ts'
import { countKazakhWords, foldKazakh, kazakhStem } from '#server/platform/lib/text/kazakh.ts'
import { type Fact, factsIn, isMoney, isSameFact } from './grounding.facts.ts'
import type { Unit } from './grounding.measures.ts'

/** A result of a table: its rows as they stand in the file, and what was computed of them, as texts. */
export type TableEvidence = { columns: string[]; rows: string[][]; computed: string[] }

/** Words of a name by their stems: in a Kazakh sentence other endings are taken off. */
type Name = Record<'kazakh' | 'other', Set<string>>
/** `others`: texts of other columns by which it is known as well: the surgeon; `named`: the figures in its name. */
type Row = { name: Name; others: Name[]; named: Fact[]; cells: Fact[][] }
type Holding = 'price' | 'stock' | null
type Table = { columns: Name[]; units: (Unit | null)[]; holdings: Holding[]; rows: Row[]; computed: Fact[] }
/** The rows that a sentence speaks of. */
export type NamedRows = { table: Table; row: Row }[]
type NumberFact = Extract<Fact, { kind: 'number' }>
type Mention = { row: Row; at: number }

/** Part of the words of a row's name that a sentence has to say for the row to be named. */
const NAME_SAID = 0.6
/** Joins what is counted after what was counted before. */
const AFTER_AND = /(?:(?<!\p{L})(?:и|а|and|және|мен)|[,;])\s*$/iu
/** Shorter stems would become too much alike without a vowel. */
const FLEETING_LEAST = 4
/** What divides a sentence into parts that speak of one column each. */
const PARTS = /[,;()—–]|\s(?:и|а|но|and|but|with)\s/gu
/** Columns of prices, and of what is left. */
const PRICES = /цен[аы]|стоим|тариф|прайс|price|cost|rate|баға|құны/iu
const STOCKS = /остат|налич|склад|кол-?во|количеств|штук|stock|qty|quantity|қалды|саны/iu
/** Before a number of things that are left, and behind it. */
const LEFT_BEFORE =
  /(?:остал[оа]сь|остается|остаётся|в наличии|на складе|in stock|қалды)[:\s–—-]*(?:ещ[её]|всего|только|лишь|only|just)?\s*$/iu
const LEFT_BEHIND = /^\s*(?:шт(?!\p{L})|штук|pcs|pieces|(?:are |is )?left|in stock|дана)/iu
/** Says again what was named before. */
const STILL_IT = /(?<!\p{L})(?:он[аои]?|е[её]|его|их|it|its|they|them|their|ол|оның|олар|олардың)(?!\p{L})/iu
/** Before a number that is only near. */
const ABOUT =
  /(?:около|примерно|порядка|почти|приблизительно|шамамен|about|around|roughly|nearly|approximately|~|≈)\s*$/iu
/** Sentences that count or add up what a shop has. */
const COUNTING =
  /всего|итого|ассортимент|каталог|товар|позици|услуг|наименован|модел|вариант|вид[аов]|средн|сумм|в наличии|штук|total|in all|altogether|items?\b|products?\b|services?\b|models?\b|options?\b|average|\bsum\b|in stock|барлығы|тауар|қызмет/iu

const FIGURE = /\d(?:[\d \u00a0\u202f.,]*\d)?/gu
/** Says of what a figure was computed. */
const COLUMN_NUMBER = /\bcolumn \d+/gu

/** Reads tables once for all sentences of an answer. */
export function readTables(tables: TableEvidence[]): Table[] {
  return tables.map(({ columns, rows, computed }) => {
    const headings = columns.map(headingOf)
    const telling = tellingColumns(rows)
    return {
      columns: headings.map(({ text }) => nameOf(text)),
      units: headings.map(({ unit }) => unit),
      holdings: columns.map((column) => (PRICES.test(column) ? 'price' : STOCKS.test(column) ? 'stock' : null)),
      rows: rows.map((cells) => readRow(cells, telling)),
      computed: computed.flatMap((line) => factsIn(line.replace(COLUMN_NUMBER, ''))),
    }
  })
}

function readRow(cells: string[], telling: number[]): Row {
  const name = nameIn(cells)
  const others = telling.flatMap((at) => (cells[at] && cells[at] !== name ? nameOf(cells[at] ?? '') : []))
  return { name: nameOf(name), others, named: factsIn(name), cells: cells.map(factsIn) }
}

/** The name of a column without the unit behind it: `Срок, мес`. */
function headingOf(column: string): { text: string; unit: Unit | null } {
  const [, text = column, tail = ''] = /^(.*\p{L}.*?)\s*[,(]\s*([^,(]*)\)?$/u.exec(column) ?? []
  const [fact] = factsIn(`1 ${tail}`)
  const unit = fact?.kind === 'number' ? fact.unit : null
  return { text: unit === null ? column : text, unit }
}

/** Columns of words of which every row has its own: each tells its row as well as the name does. */
function tellingColumns(rows: string[][]): number[] {
  return [...(rows[0] ?? []).keys()].filter((at) => {
    const texts = rows.flatMap((cells) => cells[at]?.trim().toLowerCase() || [])
    const areWords = texts.every((text) => /\p{L}{3,}/u.test(text) && !/\p{N}/u.test(text) && !isStopWord(text))
    return texts.length > 1 && areWords && new Set(texts).size === texts.length
  })
}

/** All rows that a sentence names; where it names none, those of which it says a part of the name. */
export function rowsNamedIn(sentence: string, tables: Table[]): NamedRows {
  const named = tables.flatMap((table) => mentionsIn(table.rows, sentence).map(({ row }) => ({ table, row })))
  return named.length > 0 ? named : rowsHintedIn(sentence, tables)
}

/**
 * Whether a sentence gives a row a figure that is none of it, or one of another column than it names. False where the figure was computed.
 *
 * @param before the rows that the sentences before it named: it speaks of them where it names none, but says "it", a column or a price; null:
 *   the figure was said of something else, and only a row that is plainly named can contradict
 */
export function isOfAnotherRow(fact: Fact, sentence: string, tables: Table[], before: NamedRows | null): boolean {
  if (
    fact.kind !== 'number' ||
    tables.some(({ computed }) => computed.some((given) => agrees(fact, given, sentence)))
  ) {
    return false
  }
  const at = sentence.indexOf(fact.text)
  const part = partAround(sentence, at)
  const named = tables.flatMap((table) => {
    const rows = rowInTurn(table, sentence, fact) ?? nearestRows(table, sentence, at)
    return rows.map((row) => ({ table, row }))
  })
  const isHeld = ({ table, row }: NamedRows[number]) => {
    const own = namedColumns(table, part)
    const columns = own.length > 0 ? own : namedColumns(table, leadTo(sentence, at))
    return holds(row, columns.length > 0 ? columns : columnsFor(fact, { table, sentence, at }), fact, sentence)
  }
  if (named.some(({ row }) => row.named.some((given) => isSameFact(fact, given)))) return false
  if (named.length > 0) return ![...named, ...otherRowsHinted(part, named, tables)].some(isHeld)
  if (before === null) return false
  const hinted = rowsHintedAt(sentence, at, tables)
  const speaksOn = before.filter(
    ({ table }) => isMoney(fact) || STILL_IT.test(part) || namedColumns(table, part).length > 0,
  )
  const meant = hinted.length > 0 ? hinted : speaksOn
  const isInTable = meant.some(({ table }) => table.rows.some((row) => holds(row, [], fact, sentence)))
  return isInTable && !meant.some(isHeld)
}

/**
 * A word of another row next to the figure may mean that one: «диван угловой 12 900, кресло 7 500». A word that the named row has as well
 * means no other.
 */
function otherRowsHinted(part: string, named: NamedRows, tables: Table[]): NamedRows {
  const hinted = rowsHintedIn(part, tables)
  return hinted.some(({ row }) => named.some((each) => each.row === row)) ? [] : hinted
}

/** What a sentence says between the figure or the comma before and this one: `в низкий сезон – 15 000`. */
function leadTo(sentence: string, at: number): string {
  const lead = sentence.slice(0, at)
  const figures = [...lead.matchAll(FIGURE)]
  const last = figures.at(-1)
  const from = last ? last.index + last[0].length : 0
  return lead.slice(Math.max(from, ...[...lead.matchAll(/[,;(]/g)].map(({ index }) => index + 1)))
}

/** The rows of which a sentence says a part of the name next to a figure: before it, else behind it, else anywhere. */
function rowsHintedAt(sentence: string, at: number, tables: Table[]): NamedRows {
  const figures = [...sentence.matchAll(FIGURE)].map(({ 0: text, index }) => ({ from: index, to: index + text.length }))
  const own = figures.find(({ from, to }) => from <= at && at < to) ?? { from: at, to: at }
  const start = Math.max(0, ...figures.filter(({ to }) => to <= own.from).map(({ to }) => to))
  const end = Math.min(sentence.length, ...figures.filter(({ from }) => from >= own.to).map(({ from }) => from))
  const sides = [sentence.slice(start, own.from), sentence.slice(own.to, end)]
  const isCounted = AFTER_AND.test(sentence.slice(0, own.from)) && /^\s?\p{L}/u.test(sentence.slice(own.to))
  for (const piece of [...(isCounted ? sides.toReversed() : sides), sentence]) {
    const hinted = rowsHintedIn(piece, tables)
    if (hinted.length > 0) return hinted
  }
  return []
}

/** The rows that share most words with a text, though it says too little to name them. */
function rowsHintedIn(text: string, tables: Table[]): NamedRows {
  const language = languageOf(text)
  const stated = new Set(
    wordsOf(plain(text))
      .filter((word) => /^\p{L}{3,}$/u.test(word) && !isStopWord(word))
      .map((word) => stemIn(language, word)),
  )
  const rated = tables.flatMap((table) => {
    const said = [...stated].filter((stem) => !table.columns.some((column) => column[language].has(stem)))
    return table.rows.map((row) => ({ table, row, shared: said.filter((stem) => row.name[language].has(stem)).length }))
  })
  const most = Math.max(1, ...rated.map(({ shared }) => shared))
  return rated.filter(({ shared }) => shared === most).map(({ table, row }) => ({ table, row }))
}

/** Columns that can hold a figure where none is named: what is left is in no column of prices, a price in none of what is left. */
function columnsFor(fact: Fact, { table, sentence, at }: { table: Table; sentence: string; at: number }): number[] {
  const unit = fact.kind === 'number' && !isMoney(fact) ? fact.unit : null
  const ofUnit = [...table.units.keys()].filter((column) => unit !== null && table.units[column] === unit)
  if (ofUnit.length > 0) return ofUnit
  const behind = sentence.slice(at + leadOf(fact.text).length)
  const isLeft = !isMoney(fact) && (LEFT_BEFORE.test(sentence.slice(0, at)) || LEFT_BEHIND.test(behind))
  const excluded: Holding = isMoney(fact) ? 'stock' : isLeft ? 'price' : null
  if (excluded === null) return []
  return [...table.holdings.keys()].filter((column) => table.holdings[column] !== excluded)
}

/** Whether two numbers say the same: as they are, or the first as the second rounded to its last decimal, or "about" so much. */
export function agrees(stated: Fact, given: Fact, sentence = ''): boolean {
  if (isSameFact(stated, given)) return true
  if (stated.kind !== 'number' || given.kind !== 'number') return false
  if (stated.unit !== null && given.unit !== null && stated.unit !== given.unit) return false
  const step = stepOf(stated, sentence)
  return stated.values.some((value) =>
    given.values.some((exact) => exact % step !== 0 && Math.abs(value - exact) <= step / 2 + 1e-9),
  )
}

/** Whether a number counts or adds up what the organization has. */
export function isCount(fact: Fact, sentence: string): boolean {
  return fact.kind === 'number' && COUNTING.test(sentence)
}

/** The size of the last digit that a number says: 0.1 of 7,5; 100 of "about 7 500"; of 7,5 thousand 100. */
function stepOf(stated: Fact, sentence: string): number {
  if (/\d\D+\d{1,2}\s*(?:к|коп\p{L}*|тиын\p{L}*|цент\p{L}*|cents?)\.?$/iu.test(stated.text)) return 0.01
  const [, digits = '', decimals = ''] =
    /^\D*([\d \u00a0\u202f'’.,]*?)(?:[.,](\d{1,2}))?(?!\d)\D*$/u.exec(stated.text) ?? []
  const at = sentence.indexOf(stated.text)
  const isAbout = at >= 0 && ABOUT.test(sentence.slice(0, at))
  const scale = at < 0 ? 1 : scaleBehind(sentence.slice(at + leadOf(stated.text).length))
  const zeros = /0*$/.exec(digits.replace(/\D/g, ''))?.[0].length ?? 0
  if (scale === 1 && decimals === '' && isAbout) return 10 ** zeros
  return scale / 10 ** decimals.length
}

/** The digits with which a number begins. */
function leadOf(text: string): string {
  return /^[\d\s.,'’]*\d/u.exec(text)?.[0] ?? ''
}

function scaleBehind(text: string): number {
  if (/^\s*(?:тыс|мың|thousand|k(?!\p{L}))/iu.test(text)) return 1000
  return /^\s*(?:млн|миллион|million)/iu.test(text) ? 1e6 : 1
}

/** The row that is meant where a sentence names several and then gives as many figures, in turn; null where it does not. */
function rowInTurn({ rows }: Table, sentence: string, fact: Fact): Row[] | null {
  const mentions = mentionsIn(rows, sentence).sort((a, b) => a.at - b.at)
  if (new Set(mentions.map(({ at }) => at)).size < 2) return null
  const numbers = factsIn(sentence).filter((each) => each.kind === 'number')
  const figures = (isSumOfOthers(numbers.at(-1), numbers) ? numbers.slice(0, -1) : numbers)
    .map(({ text }) => ({ text, at: sentence.indexOf(text) }))
    .sort((a, b) => a.at - b.at)
  const areInTurn = figures.length === mentions.length && (mentions.at(-1)?.at ?? 0) < (figures[0]?.at ?? 0)
  const mention = areInTurn ? mentions[figures.findIndex(({ text }) => text === fact.text)] : undefined
  return mention ? [mention.row] : null
}

function isSumOfOthers(last: NumberFact | undefined, numbers: NumberFact[]): boolean {
  if (!last || numbers.length < 3) return false
  const sum = numbers.slice(0, -1).reduce((total, { values: [value = 0] }) => total + value, 0)
  return last.values.includes(sum)
}

/** The rows that a figure counts, «4 кресла и 7 диванов», that are named nearest before it, else nearest behind it. */
function nearestRows({ rows }: Table, sentence: string, at: number): Row[] {
  const mentions = mentionsIn(rows, sentence)
  if (AFTER_AND.test(sentence.slice(0, at))) {
    const counted = mentions.filter((mention) => /^[\d\s\u00a0]+(?:шт\.?\s+)?$/u.test(sentence.slice(at, mention.at)))
    if (counted.length > 0) return counted.map(({ row }) => row)
  }
  const before = mentions.filter((mention) => mention.at <= at)
  const nearest =
    before.length > 0 ? Math.max(...before.map((each) => each.at)) : Math.min(...mentions.map((each) => each.at))
  return mentions.filter((mention) => mention.at === nearest).map(({ row }) => row)
}

/** Rows of which a sentence says most of the name, with where it begins; where it says none, those known by another text. */
function mentionsIn(rows: Row[], sentence: string): Mention[] {
  const byName = saidIn(sentence, rows, ({ name }) => [name])
  return byName.length > 0 ? byName : saidIn(sentence, rows, ({ others }) => others)
}

/** Of rows with names alike those that a sentence says most of. */
function saidIn(sentence: string, rows: Row[], namesOf: (row: Row) => Name[]): Mention[] {
  const language = languageOf(sentence)
  const stated = [...plain(sentence).matchAll(/[\p{L}\p{N}]+/gu)].map((word) => ({
    stem: stemIn(language, wordsOf(word[0])[0] ?? ''),
    at: word.index,
  }))
  const stems = new Set(stated.map(({ stem }) => stem))
  const named = rows.flatMap((row) => namesOf(row).map((name) => ({ row, name: name[language] })))
  const rated = named.flatMap(({ row, name }) => {
    const shared = [...name].filter((stem) => stems.has(stem))
    if (shared.length === 0 || shared.length < NAME_SAID * name.size) return []
    const at = Math.min(...stated.filter(({ stem }) => name.has(stem)).map((word) => word.at))
    return [{ row, at, shared: shared.length }]
  })
  return rated.filter(({ at, shared }) => !rated.some((other) => other.at === at && other.shared > shared))
}

/** Columns that a part of a sentence calls by all words of their name, without that of the names of rows. */
function namedColumns({ columns }: Table, part: string): number[] {
  const language = languageOf(part)
  const stated = stemsOf(part, language)
  return [...columns.keys()].filter((at) => {
    const own = columns[at]?.[language] ?? new Set()
    return own.size > 0 && [...own].every((stem) => stated.has(stem))
  })
}

function holds({ cells }: Row, columns: number[], fact: Fact, sentence: string): boolean {
  const numeric = columns.filter((at) => cells[at]?.some(({ kind }) => kind === 'number'))
  const within = numeric.length > 0 ? numeric.map((at) => cells[at] ?? []) : cells
  return within.some((facts) => facts.some((given) => agrees(fact, given, sentence)))
}

function partAround(sentence: string, at: number): string {
  let from = 0
  for (const divider of sentence.matchAll(PARTS)) {
    const isDecimal = /\d$/.test(sentence.slice(0, divider.index)) && /^[,:]\d/.test(sentence.slice(divider.index))
    if (isDecimal) continue
    if (divider.index >= at) return sentence.slice(from, divider.index)
    from = divider.index + divider[0].length
  }
  return sentence.slice(from)
}

/** The first cell that has words: the name of a row. */
function nameIn(cells: string[]): string {
  return cells.find((cell) => /\p{L}{3,}/u.test(cell) && !/^[\d\s.,]+\p{L}*\.?$/u.test(cell)) ?? ''
}

function nameOf(text: string): Name {
  return { kazakh: stemsOf(text, 'kazakh'), other: stemsOf(text, 'other') }
}

function languageOf(sentence: string): keyof Name {
  return countKazakhWords(sentence) > 0 ? 'kazakh' : 'other'
}

function stemsOf(text: string, language: keyof Name): Set<string> {
  return new Set(
    wordsOf(plain(text))
      .filter((word) => word.length > 1 || /\p{N}/u.test(word))
      .map((word) => stemIn(language, word)),
  )
}

/** Of a word with digits the letters in one alphabet: `3,5х35` and `3.5x35`, M8 and М8. */
function stemIn(language: keyof Name, word: string): string {
  if (/\p{N}/u.test(word)) return Array.from(word, evenLetter).join('')
  return language === 'kazakh' && /\p{Script=Cyrillic}/u.test(word)
    ? kazakhStem(foldKazakh(word))
    : withoutFleeting(stemOf(word))
}

/**
 * A Russian stem without the vowel that only some of its forms have: кресел and кресло, колец and кольцо, леек and лейка; and without the н that
 * the stemmer takes off «диван», but not off «диванов».
 */
function withoutFleeting(stem: string): string {
  if (stem.length < FLEETING_LEAST || !/^[а-я]+$/.test(stem)) return stem
  if (/.{3}ан$/.test(stem)) return stem.slice(0, -1)
  return stem.replace(/[ьй]/g, '').replace(/[ео](?=[бвгджзклмнпрстфхцчшщ]$)/, '')
}

/** The sign of multiplication as the letter it is mostly written with; every character stays in its place. */
function plain(text: string): string {
  return text.replace(/(?<=\d)[×*](?=\d)/gu, 'x')
}
