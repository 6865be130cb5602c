// Whether a customer has agreed to what they were asked. Pure: a model has no say in it.
import type { HistoryMessage } from '../turns/turn.ts'

/** `other`: anything that is neither, so that nothing is done. */
export type Consent = 'yes' | 'no' | 'other'

const YES = new Set([
  ...[
    'да',
    'ага',
    'угу',
    'подтверждаю',
    'да подтверждаю',
    'согласен',
    'согласна',
    'да согласен',
    'да согласна',
    'верно',
  ],
  ...['да верно', 'да все верно', 'все верно', 'хорошо', 'да хорошо', 'ок', 'окей', 'конечно', 'да конечно', 'да да'],
  ...['выполняйте', 'выполнить', 'да выполняйте', 'давайте', 'да давайте'],
  ...[
    'yes',
    'y',
    'yep',
    'yeah',
    'yes i confirm',
    'i confirm',
    'confirm',
    'confirmed',
    'yes confirm',
    'ok',
    'okay',
    'sure',
  ],
  ...['yes sure', 'go ahead', 'yes go ahead'],
  ...[
    'иә',
    'ия',
    'иа',
    'растаймын',
    'иә растаймын',
    'ия растаймын',
    'жарайды',
    'иә жарайды',
    'келісемін',
    'иә келісемін',
  ],
  ...['1', '+'],
])
const NO = new Set([
  ...['нет', 'неа', 'не надо', 'не нужно', 'нет не надо', 'нет не нужно', 'отмена', 'отбой', 'передумал', 'передумала'],
  ...['no', 'nope', 'no thanks', 'cancel', 'dont', 'do not', 'жоқ', 'жок', 'керек емес', 'жоқ керек емес', '2'],
])
/** Words of politeness, which say nothing by themselves. */
const POLITE = /(?<!\p{L})(?:пожалуйста|спасибо|благодарю|please|thanks|thank you|рақмет|рахмет)(?!\p{L})/gu

/**
 * What the customer's messages since the question come to. Each has to agree: “yes” followed by a condition is none.
 *
 * @param questions the customer's messages since the question, oldest first
 */
export function consentOf(questions: readonly HistoryMessage[]): Consent {
  const words = questions.map(wordOf)
  if (words.includes('no')) return 'no'
  return words.includes('yes') && words.every((word) => word === 'yes' || word === 'polite') ? 'yes' : 'other'
}

/** Only what the customer has written themselves counts: nothing forwarded, no recording, nothing of others in a group. */
function wordOf(message: HistoryMessage): Consent | 'polite' {
  const { text, passedOn, attachments, speaker } = message
  if (passedOn || speaker || (attachments && attachments.length > 0)) return 'other'
  const whole = plain(text)
  const word = plain(whole.replace(POLITE, ' '))
  if (word === '') return whole === '' ? 'other' : 'polite'
  if (NO.has(word) || NO.has(whole)) return 'no'
  return YES.has(word) ? 'yes' : 'other'
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^\p{L}\p{N}+?]+/gu, ' ')
    .trim()
}
