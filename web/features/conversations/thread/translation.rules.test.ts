// Into which language a message is translated first.
import { expect, it } from 'vitest'
import { translationTarget } from './translation.rules.ts'

it.each([
  ['Where is my order?', 'ru', 'ru'],
  ['Где мой заказ?', 'ru', 'en'],
  ['Тапсырысым қайда?', 'ru', 'ru'],
  ['Где мой заказ?', 'en', 'en'],
  ['Where’s my order?', 'en', 'ru'],
  ['Wo ist meine Bestellung für morgen?', 'en', 'en'],
] as const)('%s, read in %s, goes into %s', (text, own, target) => {
  expect(translationTarget(text, own)).toBe(target)
})
