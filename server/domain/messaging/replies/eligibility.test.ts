// When a turn is not answered.
import { describe, expect, it } from 'vitest'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import { startTrace } from '../turns/trace.ts'
import { unanswered } from '../turns/turn.rules.ts'
import type { Turn } from '../turns/turn.ts'
import { checkEligibility } from './eligibility.ts'

const open = {
  turnId: 'turn',
  epoch: 1,
  crashes: 0,
  organizationId: 'organization',
  conversationId: 'conversation',
  failedAttempts: 0,
  conversation: { status: 'active', pauseEpoch: 0, answeredThrough: 2, channel: 'telegram', chatId: '1' },
  connection: { id: 'connection', status: 'connected', isOff: false },
  agent: { id: 'agent', name: '', settings: agentSettings.parse({ model: 'a/b' }), isDeleted: false, spaceIds: [] },
  timeZone: 'UTC',
  history: [
    { sequence: 1, author: 'customer', status: 'complete', text: 'old' },
    { sequence: 2, author: 'agent', status: 'complete', text: 'answer' },
    { sequence: 3, author: 'customer', status: 'complete', text: 'new' },
  ],
} as unknown as Turn

describe('checkGates', () => {
  const cases: [string, Partial<Turn>, string | null][] = [
    ['an open conversation', {}, null],
    ['a paused one', { conversation: { ...open.conversation, status: 'paused' } }, 'paused'],
    ['an ended one', { conversation: { ...open.conversation, status: 'ended' } }, 'ended'],
    ['a removed agent', { agent: { ...open.agent, isDeleted: true } }, 'agent_deleted'],
    [
      'a channel that was switched off',
      { connection: { ...open.connection, isOff: true } as Turn['connection'] },
      'connection_off',
    ],
    [
      'a refused token',
      { connection: { ...open.connection, status: 'error' } as Turn['connection'] },
      'connection_error',
    ],
    ['nothing new', { conversation: { ...open.conversation, answeredThrough: 3 } }, 'nothing_to_answer'],
    ['a turn that ends every server that works on it', { crashes: 8 }, 'gave_up'],
    ['a turn that was stopped and tried again as planned', { epoch: 30 }, null],
    ['the test chat, which has no connection', { connection: null }, null],
  ]
  it.each(cases)('%s', (_, changes, expected) => {
    const turn = { ...open, ...changes }
    expect(checkEligibility(turn, startTrace(turn), 0)?.reason ?? null).toBe(expected)
  })
})

describe('unanswered', () => {
  it('is what the customer wrote after the last answer', () => {
    expect(unanswered(open).map((message) => message.text)).toEqual(['new'])
  })
})
