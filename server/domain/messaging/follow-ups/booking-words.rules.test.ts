// The text about a settled booking, in the customer's language and zone.
import { expect, test } from 'vitest'
import { outcomeOf } from './booking-words.rules.ts'

const from = Date.UTC(2026, 11, 4, 9, 30)

test.each([
  ['booked', 'ru', null, /^Ваша запись подтверждена: пятница, 4 декабря.+14:30.+GMT\+5\.$/],
  ['cancelled', 'en', null, /^Your booking is cancelled: Friday,? 4 December.+14:30.+GMT\+5\.$/],
  ['failed', 'ru', 'Europe/Moscow', /^Записать вас не получилось: .+12:30.+Напишите/],
  ['booked', 'kk', null, /^Жазылуыңыз расталды: .+14:30/],
] as const)('%s, %s, zone %s', (status, language, timeZone, expected) => {
  expect(outcomeOf({ status, from, timeZone }, language, 'Asia/Almaty')).toMatch(expected)
})
