// Where a new session of a conversation begins.
import { describe, expect, it } from 'vitest'
import { connectionSettings } from '#shared/channels/connection-settings.ts'
import { withinSession } from './session.rules.ts'
import type { HistoryMessage, Turn } from './turn.ts'

const MINUTE = 60_000

/** `[author, minute]` of each message. */
function turnWith(
  history: [HistoryMessage['author'], number][],
  changes: object = {},
  sessionMinutes: number | null = 30,
) {
  return {
    connection: { settings: connectionSettings.parse({ sessionMinutes }) },
    conversation: { answeredThrough: history.length - 1, summary: 'Of before.', summaryThrough: 0, ...changes },
    history: history.map(([author, minute], at) => ({ sequence: at + 1, author, text: '', at: minute * MINUTE })),
  } as unknown as Turn
}
const left = (turn: Turn) => withinSession(turn).history.map(({ sequence }) => sequence)

describe('a conversation', () => {
  it('begins a new session with the customer’s message after the silence', () => {
    const turn = turnWith([
      ['customer', 0],
      ['agent', 1],
      ['customer', 31],
    ])
    expect(left(turn)).toEqual([3])
    expect(withinSession(turn)).toMatchObject({ sessionFrom: 3, conversation: { summary: null } })
  })

  it('goes on while the silence is shorter, or nothing is set', () => {
    const turn = turnWith([
      ['customer', 0],
      ['agent', 1],
      ['customer', 30],
    ])
    expect(withinSession(turn)).toBe(turn)
    const always = turnWith(
      [
        ['customer', 0],
        ['customer', 9999],
      ],
      {},
      null,
    )
    expect(withinSession(always)).toBe(always)
  })

  it('is not split by a silence before the agent’s message', () => {
    const turn = turnWith([
      ['customer', 0],
      ['agent', 60],
      ['customer', 61],
    ])
    expect(left(turn)).toEqual([1, 2, 3])
  })

  it('keeps unanswered messages, however old they are', () => {
    const turn = turnWith(
      [
        ['customer', 0],
        ['customer', 60],
        ['customer', 120],
      ],
      { answeredThrough: 1 },
    )
    expect(left(turn)).toEqual([2, 3])
  })

  it('keeps a summary that was made since it began', () => {
    const turn = turnWith(
      [
        ['customer', 0],
        ['customer', 60],
        ['agent', 61],
        ['customer', 62],
      ],
      { summaryThrough: 3 },
    )
    expect(withinSession(turn).conversation.summary).toBe('Of before.')
  })
})
