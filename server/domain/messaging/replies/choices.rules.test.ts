// Choices that an agent offers with its answer.
import { expect, it } from 'vitest'
import type { HistoryMessage } from '../turns/turn.ts'
import type { Answered } from './answer.ts'
import { choicesOf, withList, withOffers } from './choices.rules.ts'

function made(text: string, choices: string[] = ['Yes', 'No'], hasCalled = false): Answered {
  const handoff = { request: hasCalled ? { reason: 'policy', note: null } : null }
  return { answer: { text }, context: { offer: { choices }, handoff } } as unknown as Answered
}

it('are those of the model, as long as its own answer is sent and no person takes over', () => {
  expect(choicesOf(made('Shall we?'), made('Shall we?'))).toEqual(['Yes', 'No'])
  expect(choicesOf(made('Shall we?'), made('A text of the settings.'))).toEqual([])
  const called = made('A colleague comes.', ['Yes', 'No'], true)
  expect(choicesOf(called, called)).toEqual([])
})

it('are listed by number where there are no buttons, and nothing is added without them', () => {
  expect(withList('Shall we?', ['Yes', 'No'])).toBe('Shall we?\n\n1. Yes\n2. No')
  expect(withList('Fine.', [])).toBe('Fine.')
})

it('are part of the model’s own message in its context', () => {
  const asked = { text: 'Shall we?', choices: ['Yes', 'No'] } as HistoryMessage
  const plain = { text: 'Hi', choices: null } as HistoryMessage
  expect(withOffers([asked, plain]).map(({ text }) => text)).toEqual(['Shall we?\n\n1. Yes\n2. No', 'Hi'])
})
