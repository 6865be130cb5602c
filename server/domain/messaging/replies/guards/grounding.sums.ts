// Calculations that a sentence writes out: «2 кресла по 7 500 – 15 000», «7 500 + 12 900 = 20 400». Where one is right and its price is held
// by the evidence, its result is as true as the price, though the evidence does not hold it.
import type { Fact } from './grounding.facts.ts'

/** Numbers of a calculation, as places among the facts of the sentence. `given`: each has to be held; `derived`: true then. */
type Calculation = { given: number[]; derived: number[] }
type Figure = { value: number; unit: string | null; index: number; from: number; to: number }

/** Stands between how many and the price of one, or the other way around. */
const TIMES =
  /(?:[×xх*·]|(?<!\p{L})(?:по|at|from)|(?<!\p{L})(?:цен\p{L}+|стоимост\p{L}+)(?: по)?)[\s–—:]*$|^\s*[×xх*·]/iu
const PLUS = /\+[^\d+]*$/u
/** Stands before the result of a calculation. */
const EQUALS =
  /[=–—:]\s*$|(?<!\p{L})(?:равно|итого|всего|вместе|выйд\p{L}+|выходит|получ\p{L}+|буд\p{L}+|обойд\p{L}+|стоит|стоят|сумм\p{L}+|total|together|altogether|makes?|is|are|барлығы|болады)(?:\s(?:в|на|стоить|составит|to|of|for))?[\s:–—]*$/iu
/** Says that what stands before is added up. */
const TOGETHER = /(?<!\p{L})(?:вместе|итого|всего|в сумме|total|together|altogether|in all|барлығы)(?!\p{L})/iu
/** Of the number that follows. */
const SIGN_BEFORE = /[$€₽₸]\s*$/u
/** More of one thing are not asked for in a chat. */
const COUNT_MAX = 1000

/** The origins of facts, with those of right calculations added. @param origins by fact; null where nothing holds it */
export function withWorkedOut<Origin>(text: string, facts: Fact[], origins: (Origin | null)[]): (Origin | null)[] {
  if (!origins.includes(null)) return origins
  const found = [...origins]
  for (const { given, derived } of calculationsIn(text, facts)) {
    const [first] = given
    if (first === undefined || given.some((index) => origins[index] === null)) continue
    for (const index of derived) found[index] ??= origins[first] ?? null
  }
  return found
}

/** The calculations of a sentence that are right. */
function calculationsIn(text: string, facts: Fact[]): Calculation[] {
  const figures = figuresIn(text, facts)
  const between = (left: Figure, right: Figure) => text.slice(left.to, right.from).replace(SIGN_BEFORE, '')
  return figures.flatMap((result, at): Calculation[] => {
    const [one, other] = [figures[at - 2], figures[at - 1]]
    if (!one || !other) return []
    const lead = between(other, result)
    if (!EQUALS.test(lead) && !TOGETHER.test(lead)) return []
    const isProduct = TIMES.test(between(one, other)) && isSame(one.value * other.value, result.value)
    return [
      ...(isProduct ? productsOf(one, other, result) : []),
      ...sumsOf(figures.slice(0, at), result, { text, lead }),
    ]
  })
}

/** Either factor may be the price: the other one is a count then, which the customer decides. */
function productsOf(one: Figure, other: Figure, result: Figure): Calculation[] {
  const isCount = ({ value, unit }: Figure) => unit === null && Number.isInteger(value) && value <= COUNT_MAX
  return [
    ...(isCount(one) ? [{ given: [other.index], derived: [one.index, result.index] }] : []),
    ...(isCount(other) ? [{ given: [one.index], derived: [other.index, result.index] }] : []),
  ]
}

/** Sums of the last two or more figures before the result, with a plus between each or a word for all of them. */
function sumsOf(before: Figure[], result: Figure, { text, lead }: { text: string; lead: string }): Calculation[] {
  let sum = 0
  for (let at = before.length - 1; at >= 0; at--) {
    const figure = before[at] as Figure
    const next = before[at + 1]
    if (next && !PLUS.test(text.slice(figure.to, next.from)) && !TOGETHER.test(lead)) return []
    sum += figure.value
    const added = before.slice(at)
    if (added.length > 1 && isSame(sum, result.value))
      return [{ given: added.map(({ index }) => index), derived: [result.index] }]
  }
  return []
}

/** The numbers of a sentence in their order; one that can be read in two ways is none. */
function figuresIn(text: string, facts: Fact[]): Figure[] {
  let from = 0
  return facts.flatMap((fact, index): Figure[] => {
    if (fact.kind !== 'number') return []
    const [value, second] = fact.values
    const at = text.indexOf(fact.text, from)
    if (value === undefined || at < 0) return []
    from = at + fact.text.length
    return second === undefined ? [{ value, unit: fact.unit, index, from: at, to: from }] : []
  })
}

function isSame(one: number, other: number): boolean {
  return Math.abs(one - other) < 0.005
}
