// What an answer is made from, and for how long more words make it stale.
import { describe, expect, it } from 'vitest'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import { basisOf, isCalledOff } from './debounce.rules.ts'
import type { Turn } from './turn.ts'

function turnWith(changes: { kind?: Turn['kind']; channel?: string; bufferSeconds?: number }): Turn {
  const { kind = 'reply', channel = 'telegram', bufferSeconds = 0 } = changes
  return {
    kind,
    conversation: { pauseEpoch: 3, answeredThrough: 2, channel },
    agent: { settings: agentSettings.parse({ model: 'a/b', buffer: { seconds: bufferSeconds } }) },
    history: [
      { sequence: 1, author: 'customer' },
      { sequence: 2, author: 'agent' },
      { sequence: 3, author: 'customer' },
      { sequence: 5, author: 'customer' },
    ],
  } as unknown as Turn
}

describe('the basis of an answer', () => {
  it('is everything that waits for it, as the conversation stood', () => {
    expect(basisOf(turnWith({}))).toMatchObject({ pauseEpoch: 3, answersThrough: 5, supersedableSeconds: 15 })
  })

  it('may grow for longer where the agent waits for customers to finish', () => {
    expect(basisOf(turnWith({ bufferSeconds: 10 })).supersedableSeconds).toBe(55)
  })

  it('of a follow-up ends with the first word of the customer, however late', () => {
    expect(basisOf(turnWith({ kind: 'follow_up' })).supersedableSeconds).toBeNull()
  })

  it('never grows in the test chat: the answer is read while it is written', () => {
    expect(basisOf(turnWith({ channel: 'test' })).answersThrough).toBeNull()
  })
})

describe('an answer', () => {
  const basis = basisOf(turnWith({}))

  it('is called off by the words for a person, unless the customer takes them back', () => {
    expect(isCalledOff(basis, ['STOP. operator!'])).toBe(true)
    expect(isCalledOff(basis, ['operator!', 'no, go on'])).toBe(true)
    expect(isCalledOff(basis, ['operator!', 'continue'])).toBe(false)
  })

  it('is not called off by anything else', () => {
    expect(isCalledOff(basis, [])).toBe(false)
    expect(isCalledOff(basis, ['And the price?'])).toBe(false)
  })
})
