// The texts about a visit, in the customer's language and zone, and until when a reminder is sent.
import { expect, test } from 'vitest'
import { isTooLate, noticeText, outcomeKind } from './booking-words.rules.ts'

const from = Date.UTC(2026, 11, 4, 9, 30)
const HOUR = 3_600_000

test.each([
  ['booked', 'ru', null, /^Ваша запись подтверждена: пятница, 4 декабря.+14:30.+GMT\+5\.$/],
  ['cancelled', 'en', null, /^Your booking is cancelled: Friday,? 4 December.+14:30.+GMT\+5\.$/],
  ['failed', 'ru', 'Europe/Moscow', /^Записать вас не получилось: .+12:30.+Напишите/],
  ['booked', 'kk', null, /^Жазылуыңыз расталды: .+14:30/],
  ['moved', 'ru', null, /^Ваша запись перенесена на другое время: .+14:30/],
  ['moved', 'en', 'Europe/Moscow', /^Your booking has been moved to another time: .+12:30/],
  ['reminder', 'ru', null, /^Напоминаем о вашей записи: пятница, 4 декабря.+14:30.+GMT\+5\.$/],
  ['reminder', 'en', 'Europe/Moscow', /^A reminder of your booking: Friday.+12:30/],
  ['reminder', 'kk', null, /^Жазылуыңызды еске саламыз: .+14:30/],
] as const)('%s, %s, zone %s', (kind, language, timeZone, expected) => {
  expect(noticeText(kind, { from, timeZone }, language, 'Asia/Almaty')).toMatch(expected)
})

test.each([
  ['booked', false, 'booked'],
  ['booked', true, 'moved'],
  ['cancelled', true, 'cancelled'],
  ['failed', false, 'failed'],
] as const)('%s, moved in the calendar %s: %s', (status, movedInCalendar, kind) => {
  expect(outcomeKind({ status, movedInCalendar })).toBe(kind)
})

test('a reminder may be late by an hour, and by half of what is left until the visit', () => {
  const dayBefore = { dueAt: from - 24 * HOUR, from }
  expect(isTooLate(dayBefore, dayBefore.dueAt + HOUR)).toBe(false)
  expect(isTooLate(dayBefore, dayBefore.dueAt + HOUR + 1)).toBe(true)
  const halfHour = { dueAt: from - HOUR / 2, from }
  expect(isTooLate(halfHour, halfHour.dueAt + HOUR / 4)).toBe(false)
  expect(isTooLate(halfHour, halfHour.dueAt + HOUR / 4 + 1)).toBe(true)
})
