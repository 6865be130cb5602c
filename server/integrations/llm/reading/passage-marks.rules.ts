// The marks by which a model points to the passages that it was given. Customers have not seen them: they are taken out. Decisions only.

/** What is left of an answer, and which passages it has named, counted from 0 as they were given. */
export type Unmarked = { text: string; named: number[] }

/** Numbers that may be those of passages; larger ones are years, prices, rooms. */
const NUMBER = '\\d{1,2}'
const NUMBERS = `${NUMBER}(?:\\s*[,;–-]\\s*${NUMBER})*`
const WORD =
  '(?:sources?|passages?|documents?|docs?|fragments?|refs?|references?|citations?|cite|источник(?:и|а|ов)?|фрагмент(?:ы|а|ов)?|отрыв(?:ок|ки|ка|ков)|документ(?:ы|а|ов)?|дереккөз(?:дер)?)'
const LABELLED = `(?:(?:see|см\\.?)\\s+)?${WORD}\\s*[:#№]?\\s*(?:${NUMBERS}|\\[${NUMBERS}\\])(?:\\s*(?:and|и|және)\\s*${NUMBER})?`

/** Nothing but a mark of a model, with whatever passages. */
const FOREIGN = [
  /[ \t]*【[^】\n]{0,60}】/gu,
  /[ \t]*:contentReference\[oaicite:\d+\](?:\{index=\d+\})?/gu,
  /[ \t]*\[(?:oaicite|cite)[:_][^\]\n]{1,40}\]/giu,
  /[ \t]*\uE200[^\uE201\n]{0,120}\uE201/gu,
  /[ \t]*\[\d+†[^\]\n]{0,40}\]/gu,
  /[ \t]*\[\^\d{1,3}\](?!:)/gu,
]
const NOTES = /(?:^|\n)[ \t]*\[\^\d{1,3}\]:[^\n]*/gu
/** Marks that only mean passages where there are some. */
const LABELLED_MARK = new RegExp(
  `[ \\t]*(?:\\(${LABELLED}\\)|\\[${LABELLED}\\]|<(?:cite|source|ref)[^<>\\n]{0,40}>\\s*${NUMBERS}\\s*</(?:cite|source|ref)>)`,
  'giu',
)
/** `[1]` behind a word or a mark of a sentence; not an index that is read or written, a link, or the beginning of a list. */
const PLAIN_MARK = new RegExp(
  `(?<=[^\\s\\[(=])([ \\t]*)((?:\\[${NUMBERS}\\]){1,6}|(?:[ \\t]?\\[${NUMBER}\\]){2,6})(?=$|[\\s.,;:!?…)»”"'*_])(?![ \\t]*(?:[=+/<>]|\\]|:=|:[ \\t]*\\S))`,
  'gu',
)
const LEADING_MARK = new RegExp(`^([ \\t]*)\\[(${NUMBER})\\][ \\t]+`, 'gmu')
const SOURCE_LIST = new RegExp(
  `\\n[ \\t#*_]*(?:sources?|references?|источники|ссылки|список источников)[*_]*\\s*:?[*_]*[ \\t]*((?:\\n[ \\t]*(?:[-*•][ \\t]*)?\\[?\\^?${NUMBER}[\\].):][^\\n]*)+|[ \\t]*\\[?${NUMBERS}\\]?[.\\s]*)\\s*$`,
  'iu',
)
/** Code stays as it is: fences, also open ones, and what stands between backticks. */
const CODE = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]+`)/gu
/** Stands for code while marks are looked for. */
const CODE_PLACE = '\uE000'

/** An answer without its marks. `passages`: how many the model was given; with none, `[1]` points to nothing and stays. */
export function withoutMarks(answer: string, passages: number): Unmarked {
  if (!/[[【(\uE200]|oaicite|<(?:cite|source|ref)/iu.test(answer)) return { text: answer, named: [] }
  const named = new Set<number>()
  const listed = passages > 0 ? answer.replace(SOURCE_LIST, (list) => note(list, named)) : answer
  const codes: string[] = []
  const prose = listed.replace(CODE, (code) => {
    codes.push(code)
    return CODE_PLACE
  })
  const text = cleaned(prose, passages, named).replaceAll(CODE_PLACE, () => codes.shift() ?? '')
  const known = [...named].filter((number) => number >= 1 && number <= passages)
  return { text: text === answer ? answer : text.trimEnd(), named: known.map((number) => number - 1) }
}

function cleaned(part: string, passages: number, named: Set<number>): string {
  const take = (mark: string) => note(mark, named)
  let text = part.replace(NOTES, '')
  for (const pattern of FOREIGN) text = text.replace(pattern, take)
  if (passages === 0) return text
  text = text.replace(LABELLED_MARK, take).replace(PLAIN_MARK, take)
  return isNumberedList(text) ? text : text.replace(LEADING_MARK, (mark, space: string) => note(mark, named) || space)
}

/** Notes the numbers of a mark. @returns what stands in its place: nothing */
function note(mark: string, named: Set<number>): string {
  for (const [number] of mark.matchAll(/\d{1,2}/g)) named.add(Number(number))
  return ''
}

/** Lines that begin with [1], [2] … are a list to choose from. */
function isNumberedList(text: string): boolean {
  const numbers = [...text.matchAll(LEADING_MARK)].map(([, , number]) => Number(number))
  return numbers.length > 1 && numbers.every((number, at) => at === 0 || number === (numbers[at - 1] ?? 0) + 1)
}

/** Characters of the longest mark. */
const TAIL_MAX = 200

/** As much of an answer under way as can be shown: what may become a mark waits. */
export function settledLength(answer: string): number {
  const tail =
    /[ \t]*(?:\[[^\]\n]{0,60}\]?[ \t]*|【[^】\n]{0,60}|\([^)\n]{0,60}|:c[^\s]{0,60}|\uE200[^\uE201]{0,120}|[ \t]+)$/u.exec(
      answer.slice(-TAIL_MAX),
    )
  return tail ? answer.length - tail[0].length : answer.length
}
