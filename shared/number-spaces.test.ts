// Which spaces hold.
import { expect, it } from 'vitest'
import { keepNumbersWhole, keepNumbersWholeInMarkdown } from './number-spaces.ts'

const shown = (text: string) => text.replaceAll('\u00a0', '_')

it.each([
  ['Чай – 1 500 тенге за кг', 'Чай – 1_500_тенге за кг'],
  ['1 250 000 ₸ и 5 000 руб.', '1_250_000_₸ и 5_000_руб.'],
  ['10 % от 300 рублей', '10_% от 300_рублей'],
  ['2 kg for 15 EUR', '2_kg for 15_EUR'],
  ['В 2026 году 3 места', 'В 2026 году 3 места'],
  ['room 12 and 5 minutes', 'room 12 and 5 minutes'],
  ['+7 700 123 45 67', '+7_700_123 45 67'],
])('%s', (text, expected) => {
  expect(shown(keepNumbersWhole(text))).toBe(expected)
})

it('leaves code and addresses as they are', () => {
  const text = 'Цена 1 500 ₸, `1 500 ₸`\n```\n1 500 ₸\n```\nи 2 000 ₸ [here](<https://shop.example/1 500>)'
  expect(shown(keepNumbersWholeInMarkdown(text))).toBe(
    'Цена 1_500_₸, `1 500 ₸`\n```\n1 500 ₸\n```\nи 2_000_₸ [here](<https://shop.example/1 500>)',
  )
})
