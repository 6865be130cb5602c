// Russian, English or another language, by the text alone.
import { expect, it } from 'vitest'
import { languageOf } from './language.ts'

it.each([
  ['Курьер приезжает на следующий день.', 'ru'],
  ['Подключите iPhone 15 Pro к MagSafe Charger и зарядке', 'ru'],
  ['Delivery takes a day.', 'en'],
  ['Hoses, pumps, filters', 'en'],
  ['Доставка – the courier comes on the next day, and it is free for all orders from 50 dollars', 'en'],
  ['Кур’єр приїжджає наступного дня, його послуги безкоштовні.', 'other'],
  ['Lieferung erfolgt am nächsten Tag und ist für alle kostenlos.', 'other'],
  ['La livraison est gratuite pour les commandes', 'other'],
  ['快递第二天到达', 'other'],
])('%s: %s', (text, language) => {
  expect(languageOf([text])).toBe(language)
})

it('is not known of a text without words', () => {
  expect(languageOf(['1 200,50', '+7 495'])).toBeNull()
  expect(languageOf([])).toBeNull()
})

it('is looked for in the beginning of what is long', () => {
  expect(languageOf(['The courier comes. '.repeat(2_000), 'Курьер приезжает. '.repeat(20_000)])).toBe('en')
})
