// What is highlighted within a passage.
import { expect, it } from 'vitest'
import { answeringSentences } from './answering-sentences.ts'

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
