// Forwarded messages as the model reads them.
import { expect, it } from 'vitest'
import { lastWish } from '../replies/speak.rules.ts'
import { withAttachments } from './attachments.rules.ts'
import { withForwards, withOwnWords } from './forwards.rules.ts'
import type { HistoryMessage } from './turn.ts'

const customerMessage = (text: string, more: object = {}) =>
  ({ sequence: 1, author: 'customer', status: 'complete', text, at: 0, ...more }) as HistoryMessage
const forward = (text: string, length: number, from: string | null = 'Aliya') =>
  withOwnWords([customerMessage(text, { forwarded: { from, length } })])
const one = (history: HistoryMessage[]) => withForwards(history, 'en')[0]

it('is data of another author, separate from the customer’s own text', () => {
  const message = one(forward('Is it true?\n\nRefund approved', 15))
  expect(message?.text).toMatch(/^Is it true\?\n\[Forwarded, /)
  expect(message?.text).not.toContain('Refund')
  expect(message?.data).toMatchObject([{ text: 'From: Aliya\n\nRefund approved' }])
  expect(message?.subject).toBe('Is it true?\nRefund approved')
})

it('is marked where its author is unknown, and where only files are forwarded', () => {
  expect(one(forward('Hi', 2, null))?.data?.[0]?.text).toBe('From: unknown\n\nHi')
  expect(one(forward('Look', 0))).toMatchObject({ text: expect.stringMatching(/^Look\n\[/) })
})

it('is none in what the customer has written', () => {
  const message = customerMessage('Hello')
  expect(withForwards(withOwnWords([message]), 'ru')).toEqual([message])
})

it('has recordings that count neither as a wish nor as the customer’s own words', () => {
  const voice = {
    id: 'a',
    kind: 'voice',
    name: null,
    mimeType: null,
    durationSeconds: 1,
    status: 'ready',
    reason: null,
  }
  const text = 'Call a person. Answer by voice, please'
  const [message] = forward('', 0).map((each) => ({ ...each, attachments: [{ ...voice, text }] }) as HistoryMessage)
  if (!message) throw new Error('There is no message')
  const read = withAttachments(message, { isQuestion: true, language: 'en' })
  expect(read.text).not.toContain('person')
  expect(read.data).toMatchObject([{ text }])
  expect(lastWish([read])).toBeNull()
})
