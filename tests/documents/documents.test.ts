// What businesses write is found as they mean it: every fact of some three hundred small documents stands in a passage, no passage holds
// a number that is not in the facts, and nothing hidden or struck through reads as valid.
import { describe, expect, it } from 'vitest'
import { PARSE_LIMITS } from '#server/domain/knowledge/search/parsers/limits.ts'
import { parse } from '#server/domain/knowledge/search/parsers/parse.ts'
import { BUSINESSES, type Business } from './businesses.ts'
import { LAYOUTS } from './files.ts'

const OLD = /\((?:old price|старая цена): [^)]*\)/g

async function passagesOf(business: Business, layout: string): Promise<string[]> {
  const made = LAYOUTS[layout]?.make(business)
  if (!made) throw new Error(layout)
  const { chunks } = await parse(made.bytes, made.format, PARSE_LIMITS)
  return chunks.map(({ headingPath, body }) => [...headingPath, body].join('\n').replace(/[\u00a0\u202f]/g, ' '))
}

/** Digits in a row, with the spaces and points that divide them. */
function numbersIn(text: string): string[] {
  return Array.from(text.matchAll(/\d+(?:[ .,:]\d+)*/g), ([number]) => number.replace(/[ .,:]/g, ''))
}

function spelled(price: number): RegExp {
  const digits = String(price)
  return new RegExp(`(?<![\\d.,])${digits.slice(0, -3)} ?${digits.slice(-3)}(?!\\d)`)
}

describe.each(BUSINESSES.map((business) => [`${business.kind} ${business.language}`, business] as const))(
  '%s',
  (_, business) => {
    it.each(Object.entries(LAYOUTS))('%s', async (layout, { hasFaq, hasContacts }) => {
      const passages = await passagesOf(business, layout)
      const current = passages.map((passage) => passage.replace(OLD, ''))
      for (const { name, price } of business.items) {
        const line = current.flatMap((passage) => passage.split('\n')).filter((each) => each.includes(name))
        const isFound =
          line.some((each) => spelled(price).test(each)) ||
          current.some((each) => each.includes(name) && spelled(price).test(each))
        expect(isFound, `${name} ${price} in ${passages.join('\n--\n')}`).toBe(true)
      }
      if (hasFaq) {
        for (const { question, answer } of business.faq) {
          expect(
            current.some((each) => each.includes(question) && each.includes(answer)),
            `${question} in ${passages.join('\n--\n')}`,
          ).toBe(true)
        }
      }
      if (hasContacts) {
        for (const fact of [business.phone.slice(1), business.email, business.hours]) {
          expect(
            current.some((each) => each.includes(fact)),
            `${fact} in ${passages.join('\n--\n')}`,
          ).toBe(true)
        }
      }
      expect(current.join('\n')).not.toContain(business.secret.slice(0, 20))
      const known = knownNumbers(business)
      expect(
        current.flatMap(numbersIn).filter((number) => !known.has(number)),
        current.join('\n--\n'),
      ).toEqual([])
    })
  },
)

/** Every number that the makers write, as digits alone; old prices are not among them. */
function knownNumbers({ items, phone, email, hours }: Business): Set<string> {
  const prices = items.flatMap(({ price }) => [
    `${price}`,
    `${price}00`,
    `${price}50`,
    `00${price}`,
    `4600000000${price}12345`,
    `90071992547409${price}`,
  ])
  return new Set([...prices, ...numbersIn(phone), ...numbersIn(email), ...numbersIn(hours)])
}
