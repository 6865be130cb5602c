// Learning from a reply: what the model receives, what is redacted, and how its answer is parsed. Pure.
import { spokenPart } from '#server/integrations/llm/reading/answer-reader.ts'
import { stemOf, wordsOf } from '#server/integrations/llm/words.ts'
import { isRange } from '#server/platform/lib/text/number-words.ts'
import { FRAGMENT_CONTENT_MAX, FRAGMENT_NAME_MAX } from '#shared/limits.ts'

/** One message of a conversation to learn from. */
export type DialogueLine = { id: string; author: 'customer' | 'agent' | 'operator'; text: string }

/** Messages before a reply that show what it answers. */
const BEFORE = 8
const LINE_CHARACTERS = 1000
/** Replaces personal data. */
const HIDDEN = '…'

const SPEAKERS = { customer: 'Customer', agent: 'Agent', operator: 'Colleague' } as const

/**
 * The reply that begins with a message, including all messages sent in one go, below what it answers. Personal data are redacted before any
 * model reads them.
 */
export function dialogueFor(lines: DialogueLine[], first: string, names: string[]): string {
  const at = lines.findIndex(({ id }) => id === first)
  const end = lines.findIndex(({ author }, index) => index > at && author !== 'operator')
  return lines
    .slice(Math.max(0, at - BEFORE), end < 0 ? undefined : end)
    .map(
      ({ author, text }) =>
        `${SPEAKERS[author]}: ${hidePersonal(author === 'agent' ? spokenPart(text) : text, names)
          .replace(/\s+/g, ' ')
          .slice(0, LINE_CHARACTERS)
          .toWellFormed()}`,
    )
    .join('\n')
}

const EMAIL = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}.-]{1,255}\.\p{L}{2,}/gu
const PHONE = /(?<![\p{L}\p{N}])\+?\(?\d[\d\s\u00a0\u00ad\u2007-\u2015\u202f\u2060\u2212()-]{7,22}\d(?![\p{L}\p{N}])/gu
const HANDLE = /(?<![\p{L}\p{N}@])@[A-Za-z]\w{3,}/gu
/** An order number by the words before it, a number behind a number sign, or one too long to be a quantity. */
const ORDER =
  /(?<before>(?:заказ|заявк|трек|договор|сч[её]т|order|request|tracking|invoice|contract)\p{L}*\s*(?:number|номер|no\.?)?\s*:?\s*)(?:\p{L}{1,4}-?)?\d{4,}(?:-\d+)*(?!\d|[.,]\d|\s*(?:₽|руб|р\.|\$|€|₸|тг|тенге|usd|eur|dollars?|roubles?|rubles?|euros?|%))|(?:№|#)\s*(?:\p{L}{1,4}-?)?\d[\p{L}\d-]*|(?<![\d.,])\d{7,}(?!\d)/giu

/** A text without addresses, telephone numbers, numbers of orders and the given names, in any inflection. */
export function hidePersonal(text: string, names: string[]): string {
  const hidden = text
    .replace(EMAIL, HIDDEN)
    .replace(PHONE, (found) => (found.replace(/\D/g, '').length >= 9 && !isRange(found) ? HIDDEN : found))
    .replace(HANDLE, HIDDEN)
    .replace(ORDER, (...[, before]: (string | undefined)[]) => `${before ?? ''}${HIDDEN}`)
  const stems = new Set(names.flatMap(wordsOf).flatMap((word) => (word.length > 2 ? [stemOf(word)] : [])))
  if (stems.size === 0) return hidden
  return hidden.replace(/\p{Lu}[\p{L}\p{M}]+/gu, (word) => (stems.has(stemOf(wordsOf(word)[0] ?? '')) ? HIDDEN : word))
}

/** A model's proposal; null: it found nothing of use to others, or did not keep to the format. */
export function readProposal(written: string, names: string[]): { question: string; answer: string } | null {
  const match = /^\s*\**Q\s*:\**\s*(.+?)\s*\n+\s*\**A\s*:\**\s*([\s\S]+)$/iu.exec(written)
  if (!match) return null
  const [question = '', answer = ''] = match.slice(1).map((part) => hidePersonal(part, names).trim())
  const isEmpty = [question, answer].some((part) => !/\p{L}{2}/u.test(part))
  if (isEmpty || question.length > FRAGMENT_NAME_MAX || answer.length > FRAGMENT_CONTENT_MAX) return null
  return { question, answer }
}
