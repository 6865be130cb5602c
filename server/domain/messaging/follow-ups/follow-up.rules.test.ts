// Whether a follow-up is sent, by a clock that the test sets.
import { describe, expect, it } from 'vitest'
import { type AgentSettings, agentSettings } from '#shared/agents/agent-settings.ts'
import { planFollowUp } from '../turns/turn.rules.ts'
import type { Turn } from '../turns/turn.ts'
import { followUpInstruction, judgeFollowUp, SILENCE } from './follow-up.rules.ts'

const steps: AgentSettings['followUps']['steps'] = [
  { afterMinutes: 30, mode: 'text', text: 'Any questions left?' },
  { afterMinutes: 600, mode: 'generated', text: 'Offer help with the last question.' },
]
const followUps = { isOn: true, steps, quietHours: null, maxPerCustomerADay: 2 }

/** A follow-up after the answer to one question, in Moscow: three hours before the clock of `at`. */
function turnWith(changes: Partial<AgentSettings['followUps']> = {}, more: Partial<AgentSettings> = {}): Turn {
  const settings = agentSettings.parse({ model: 'a/b', ...more, followUps: { ...followUps, ...changes } })
  return {
    kind: 'follow_up',
    followUp: { step: 0, sentToday: 0, isDelivered: true },
    conversation: { answeredThrough: 1, channel: 'telegram' },
    agent: { settings },
    timeZone: 'Europe/Moscow',
    history: [
      { sequence: 1, author: 'customer', status: 'complete', text: 'What does it cost?' },
      { sequence: 2, author: 'agent', status: 'complete', text: 'Ten euros.' },
    ],
  } as unknown as Turn
}

/** A Tuesday, by the clock in Moscow. */
const at = (time: string) => Date.parse(`2026-03-03T${time}+03:00`)

describe('a follow-up', () => {
  it('is sent when the last message is the agent’s', () => {
    expect(judgeFollowUp(turnWith(), at('12:00'))).toEqual({ kind: 'send' })
  })

  it('is dropped when the last message is not the agent’s, or a question is open', () => {
    const turn = turnWith()
    const endingWith = (author: string) =>
      ({ ...turn, history: [...turn.history, { sequence: 3, author, status: 'complete', text: '' }] }) as Turn
    for (const author of ['customer', 'operator']) {
      expect(judgeFollowUp(endingWith(author), at('12:00'))).toEqual({ kind: 'drop', reason: 'nothing_to_follow_up' })
    }
    const open = { ...turn, conversation: { ...turn.conversation, answeredThrough: 0 } }
    expect(judgeFollowUp(open, at('12:00'))).toEqual({ kind: 'drop', reason: 'nothing_to_follow_up' })
  })

  it('is dropped when the last message did not reach the customer', () => {
    const turn = { ...turnWith(), followUp: { step: 0, sentToday: 0, isDelivered: false } }
    expect(judgeFollowUp(turn, at('12:00'))).toEqual({ kind: 'drop', reason: 'follow_up_undelivered' })
  })

  it('is dropped where the customer may not be written to a day after they wrote', () => {
    const turn = (channel: string, sentAt: number) => {
      const { history, ...rest } = turnWith()
      return {
        ...rest,
        conversation: { ...rest.conversation, channel },
        history: history.map((message) => ({ ...message, at: sentAt })),
      } as Turn
    }
    const day = 24 * 3_600_000
    const dropped = { kind: 'drop', reason: 'follow_up_out_of_window' }
    expect(judgeFollowUp(turn('whatsappCloud', at('12:00') - day), at('12:00'))).toEqual(dropped)
    expect(judgeFollowUp(turn('whatsappCloud', at('12:00') - day + 1), at('12:00'))).toEqual({ kind: 'send' })
    expect(judgeFollowUp(turn('whatsapp', at('12:00') - day), at('12:00'))).toEqual({ kind: 'send' })
  })

  it('is dropped when follow-ups were switched off, or this one was removed', () => {
    const off = { kind: 'drop', reason: 'follow_ups_off' }
    expect(judgeFollowUp(turnWith({ isOn: false }), at('12:00'))).toEqual(off)
    expect(judgeFollowUp(turnWith({ steps: [] }), at('12:00'))).toEqual(off)
  })

  const hours: [string, { from: number; to: number }, string, string | null][] = [
    ['before the night', { from: 22, to: 9 }, '21:59', null],
    ['in the evening', { from: 22, to: 9 }, '22:00', '2026-03-04T09:00+03:00'],
    ['after midnight', { from: 22, to: 9 }, '03:10', '2026-03-03T09:00+03:00'],
    ['in the morning', { from: 22, to: 9 }, '09:00', null],
    ['in a pause at noon', { from: 12, to: 14 }, '13:59', '2026-03-03T14:00+03:00'],
    ['with hours that are none', { from: 8, to: 8 }, '08:00', null],
  ]
  it.each(hours)('%s waits for the end of the quiet hours', (_, quietHours, time, until) => {
    const expected = until === null ? { kind: 'send' } : { kind: 'later', at: Date.parse(until) }
    expect(judgeFollowUp(turnWith({ quietHours }), at(time))).toEqual(expected)
  })

  it('waits for the end of the quiet hours by the clock on the wall when clocks change', () => {
    const turn = { ...turnWith({ quietHours: { from: 22, to: 9 } }), timeZone: 'Europe/Berlin' }
    const night = Date.parse('2026-03-28T23:30+01:00')
    expect(judgeFollowUp(turn, night)).toEqual({ kind: 'later', at: Date.parse('2026-03-29T09:00+02:00') })
  })

  it('waits until the agent is at work', () => {
    const week = Array.from({ length: 7 }, (_, day) => (day < 5 ? [10, 11, 12] : []))
    const availability = { isLimited: true, hours: week, outside: 'text' as const, text: 'We are closed.' }
    const friday = Date.parse('2026-03-06T13:00+03:00')
    expect(judgeFollowUp(turnWith({}, { availability }), friday)).toEqual({
      kind: 'later',
      at: Date.parse('2026-03-09T10:00+03:00'),
    })
    const never = { ...availability, hours: week.map(() => []) }
    expect(judgeFollowUp(turnWith({}, { availability: never }), friday).kind).toBe('drop')
  })

  it('waits until the same time tomorrow when the customer has had enough today', () => {
    const turn = { ...turnWith({ maxPerCustomerADay: 1 }), followUp: { step: 1, sentToday: 1, isDelivered: true } }
    expect(judgeFollowUp(turn, at('12:00'))).toEqual({ kind: 'later', at: Date.parse('2026-03-04T12:00+03:00') })
    const night = { ...turnWith({ maxPerCustomerADay: 1, quietHours: { from: 20, to: 9 } }), followUp: turn.followUp }
    expect(judgeFollowUp(night, at('20:30'))).toEqual({ kind: 'later', at: Date.parse('2026-03-05T09:00+03:00') })
  })

  it('that is to be written needs a model that understands instructions', () => {
    const turn = {
      ...turnWith({}, { model: 'parley-extractive' }),
      followUp: { step: 1, sentToday: 0, isDelivered: true },
    }
    expect(judgeFollowUp(turn, at('12:00'))).toEqual({ kind: 'drop', reason: 'follow_up_needs_model' })
    expect(judgeFollowUp({ ...turn, followUp: { step: 0, sentToday: 0, isDelivered: true } }, at('12:00'))).toEqual({
      kind: 'send',
    })
  })
})

describe('the next follow-up', () => {
  it('is the first one after an answer, and the next one after each follow-up, as long as there is one', () => {
    const turn = turnWith()
    expect(planFollowUp({ ...turn, kind: 'reply', followUp: null })).toEqual({ step: 0, minutes: 30 })
    expect(planFollowUp(turn)).toEqual({ step: 1, minutes: 600 })
    expect(planFollowUp({ ...turn, followUp: { step: 1, sentToday: 1, isDelivered: true } })).toEqual({
      step: 2,
      minutes: null,
    })
  })

  it('is none where they are switched off, nor in the test chat', () => {
    const reply: Pick<Turn, 'kind' | 'followUp'> = { kind: 'reply', followUp: null }
    expect(planFollowUp({ ...turnWith({ isOn: false }), ...reply })).toBeNull()
    const test = turnWith()
    expect(planFollowUp({ ...test, ...reply, conversation: { ...test.conversation, channel: 'test' } })).toBeNull()
  })
})

describe('the instruction to the model', () => {
  it('holds what the step says, and is given for nothing else', () => {
    const turn = turnWith()
    const instruction = followUpInstruction({ ...turn, followUp: { step: 1, sentToday: 0, isDelivered: true } })
    expect(instruction).toContain('Offer help with the last question.')
    expect(instruction).toContain(SILENCE)
    expect(followUpInstruction(turn)).toBeNull()
    expect(followUpInstruction({ ...turn, kind: 'reply', followUp: null })).toBeNull()
  })
})
