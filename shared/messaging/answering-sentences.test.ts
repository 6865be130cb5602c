// What is highlighted within a passage.
import { describe, expect, it } from 'vitest'
import { answeringSentences, excerptFor } from './answering-sentences.ts'

const PASSAGE =
  'Доставка по городу занимает два дня. Возврат товара возможен в течение 14 дней после покупки. Курьер звонит за час до приезда.'
const highlighted = (other: string, passage = PASSAGE) =>
  answeringSentences(passage, other).map(({ start, end }) => passage.slice(start, end))

it('is the sentence that the answer repeats', () => {
  expect(highlighted('Да, вернуть можно: возврат товара возможен в течение 14 дней.')).toEqual([
    'Возврат товара возможен в течение 14 дней после покупки.',
  ])
})

it('is the sentence that a question is about, whatever the endings', () => {
  expect(highlighted('сколько дней занимает доставка?')).toEqual(['Доставка по городу занимает два дня.'])
})

it('is found by short words whatever their endings', () => {
  const credit =
    'Выдаём до трёх миллионов рублей на срок до 84 месяцев. Погасить досрочно можно в любой день без комиссии.'
  expect(highlighted('на какие сроки?', credit)).toEqual(['Выдаём до трёх миллионов рублей на срок до 84 месяцев.'])
  expect(highlighted('о ценах', 'Мы рядом. Цена по запросу.')).toEqual(['Цена по запросу.'])
  const account = 'Children can have an account. Both parents sign for it.'
  expect(highlighted('is a parent signing', account)).toEqual(['Both parents sign for it.'])
})

it('are several when the answer rests on several', () => {
  expect(highlighted('Доставка по городу занимает два дня, курьер звонит за час до приезда.')).toEqual([
    'Доставка по городу занимает два дня.',
    'Курьер звонит за час до приезда.',
  ])
})

it('is nothing where no word is shared', () => {
  expect(highlighted('Hello there')).toEqual([])
  expect(highlighted('', 'Text.')).toEqual([])
})

it('leaves the white space around sentences alone', () => {
  expect(highlighted('second sentence', '  First thing.\n\nSecond sentence.  ')).toEqual(['Second sentence.'])
})

describe('an excerpt', () => {
  const before = 'Мы открыты каждый день. '.repeat(20)
  const long = `${before}${PASSAGE}`
  const answer = 'Возврат товара возможен в течение 14 дней.'

  it('is the whole of a short passage', () => {
    expect(excerptFor(PASSAGE, answer, 400)).toBe(PASSAGE)
  })
  it('begins with the passage when that is what answers, or when nothing does', () => {
    expect(excerptFor(long, 'Открыты ли вы каждый день?', 100)).toBe(long.slice(0, 100))
    expect(excerptFor(long, 'Bonjour!', 100)).toBe(long.slice(0, 100))
  })
  it('holds the sentence that answers, however far back it stands', () => {
    expect(excerptFor(long, answer, 100)).toMatch(/^Возврат товара возможен в течение 14 дней после покупки\./)
    expect(long).toContain(excerptFor(long, answer, 100))
  })
})
