// Customers who write Kazakh get the built-in notices in Kazakh.
import { describe, expect, it } from 'vitest'
import { STAND_IN_NOTICE } from '#shared/channels/stand-ins.ts'
import { noOperatorText } from '../handoff/no-operator-notice-text.ts'
import { pressAnswer, ratingQuestion, ratingThanks } from '../ratings/ratings-text.ts'
import { askBack, handoffNotice, stopNotice } from '../turns/notice-text.ts'
import type { Turn } from '../turns/turn.ts'
import { withOpenings } from './context/opening.rules.ts'

/** Letters that Kazakh has and Russian has not. */
const KAZAKH = /[әғқңөұүһі]/i

/** @param language what the customer's messenger is set to */
function turnWith(text: string, language: string | null): Turn {
  const history = [{ sequence: 1, author: 'customer', text }]
  return { agent: { settings: { handoff: { text: '' } } }, history, limits: { language } } as unknown as Turn
}

describe.each([
  ['who writes it in a Russian messenger', 'Сәлеметсіз бе! Жеткізу қанша тұрады?', 'ru'],
  ['whose messenger is set to it, while their words do not show it', 'iPhone 15?', 'kk'],
])('a customer %s', (_who, text, language) => {
  it.each([
    ['a person is called', handoffNotice],
    ['they are asked back', askBack],
    ['answers stop', stopNotice],
  ])('are in Kazakh when %s', (_when, notice) => {
    expect(notice(turnWith(text, language))).toMatch(KAZAKH)
  })
})

it('a customer whose messenger is set to Kazakh is greeted in it', () => {
  const [opening] = withOpenings(turnWith('/start', 'kk'))
  expect(opening?.text).toMatch(KAZAKH)
})

it.each([
  ['that no operator is free', noOperatorText('kk', new Date('2026-11-30T04:00:00Z'), 'Asia/Almaty')],
  ['to rate the help', ratingQuestion('kk', false)],
  ['thanks', ratingThanks('kk', 4)],
  ['that the rating is taken', pressAnswer('kk', 4)],
  ['that it is not', pressAnswer('kk', null)],
  ['that another number writes', STAND_IN_NOTICE.kk],
])('the notice is in Kazakh: %s', (_what, notice) => {
  expect(notice).toMatch(KAZAKH)
})
