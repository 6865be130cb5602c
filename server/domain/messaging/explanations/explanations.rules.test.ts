// Which turns concern a message, and the explanation of how it stands.
import { describe, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { explain, type Facts, type TurnFacts } from './explanations.rules.ts'

const S = 1000

/** A message with the sequence 5, ten seconds in. */
function facts(
  more: Partial<Omit<Facts, 'conversation'>> & { conversation?: Partial<Facts['conversation']> } = {},
): Facts {
  return {
    message: { author: 'customer', sequence: 5, at: 10 * S, turnId: null, held: null, isRating: false },
    turns: [],
    operator: null,
    nextMessageAt: null,
    answers: [],
    ...more,
    conversation: {
      status: 'active',
      answeredThrough: 0,
      paused: null,
      resumeAt: null,
      followUpAt: null,
      isAgentDeleted: false,
      connection: 'works',
      ...more.conversation,
    },
  }
}

/** One that has read everything and ended, by default. */
function turn(id: string, more: Partial<TurnFacts> = {}): TurnFacts {
  return {
    id: id as Id<'turns'>,
    kind: 'reply',
    outcome: 'replied',
    hasRecord: true,
    answeredBefore: 0,
    readThrough: 5,
    waitingSince: 10 * S,
    createdAt: 10 * S,
    startedAt: 11 * S,
    notBefore: 10 * S,
    finishedAt: 12 * S,
    isRunning: false,
    hasBegun: true,
    failure: null,
    ...more,
  }
}
const open = { outcome: null, hasRecord: false, answeredBefore: null, readThrough: null, finishedAt: null }
const pending = { ...open, startedAt: null, hasBegun: false }
const written = (sequence: number, name: string | null = null) => {
  return { messageId: `m${sequence}` as Id<'messages'>, sequence, name, at: 20 * S }
}
const concerning = (found: Facts) => explain(found).turns.map(({ _id }) => _id)

describe('turns that concern a message', () => {
  it('are those that have read it unanswered, the newest first', () => {
    const superseded = turn('superseded', { outcome: 'superseded' })
    const answering = turn('answering', { readThrough: 7, finishedAt: 20 * S })
    const later = turn('later', { answeredBefore: 7, readThrough: 9, finishedAt: 30 * S })
    const earlier = turn('earlier', { readThrough: 4 })
    expect(concerning(facts({ turns: [earlier, superseded, answering, later] }))).toEqual(['answering', 'superseded'])
  })

  it('are also those that were made for it when an operator answered first', () => {
    const refused = turn('refused', { outcome: 'paused', answeredBefore: 6, readThrough: 6 })
    expect(concerning(facts({ turns: [refused], operator: written(6) }))).toEqual(['refused'])
    expect(concerning(facts({ turns: [refused] }))).toEqual([])
    expect(concerning(facts({ turns: [{ ...refused, waitingSince: 11 * S }], operator: written(6) }))).toEqual([])
  })

  it('are, without a record of what they had read, those that began after it', () => {
    const unknown = { readThrough: null, answeredBefore: null, outcome: 'merged' }
    const turns = [
      turn('merged', unknown),
      turn('before', { ...unknown, startedAt: 9 * S }),
      turn('of another', { ...unknown, waitingSince: 15 * S }),
      turn('old answer', { readThrough: null, answeredBefore: 4 }),
      turn('old later answer', { readThrough: null, answeredBefore: 5 }),
    ]
    expect(concerning(facts({ turns }))).toEqual(['old answer', 'merged'])
  })

  it('are not follow-ups, unless it is the message of the agent after which they stayed unsent', () => {
    const followUps = [
      turn('own', { finishedAt: 10 * S }),
      turn('night', { kind: 'follow_up', outcome: 'follow_up_later', finishedAt: 12 * S }),
      turn('sent', { kind: 'follow_up', finishedAt: 13 * S }),
      turn('after the next word', { kind: 'follow_up', outcome: 'follow_ups_off', finishedAt: 15 * S }),
    ]
    expect(concerning(facts({ turns: followUps.slice(1) }))).toEqual([])
    const message = { ...facts().message, author: 'agent' as const, turnId: 'own' as Id<'turns'> }
    const explained = explain(facts({ message, turns: followUps, nextMessageAt: 13 * S }))
    expect(explained.turns.map(({ _id }) => _id)).toEqual(['night', 'own'])
    expect(explained.turnId).toBe('own')
  })
})

describe('the explanation of a message', () => {
  const held = { reason: 'operator', since: 5 * S, by: 'Boris' } as const
  const standing = (found: Facts) => explain(found).standing

  it('names the agent or the operator who answered', () => {
    const conversation = { answeredThrough: 6 }
    const answers = [{ turnId: 't' as Id<'turns'>, ...written(6) }]
    const operator = written(8, 'Boris')
    expect(standing(facts({ conversation, turns: [turn('t')], answers, operator }))).toMatchObject({
      by: 'agent',
      messageId: 'm6',
    })
    expect(standing(facts({ conversation, operator }))).toMatchObject({
      kind: 'answered',
      by: 'operator',
      name: 'Boris',
    })
  })

  it.each<[string, Partial<Facts['conversation']>]>([
    ['paused', { status: 'paused', paused: held, resumeAt: 90 * S }],
    ['ended', { status: 'ended' }],
    ['agent_deleted', { isAgentDeleted: true }],
    ['connection_off', { connection: 'off' }],
    ['connection_error', { connection: 'error' }],
  ])('%s: it will not be answered', (kind, conversation) => {
    expect(standing(facts({ conversation, turns: [turn('t', { outcome: 'timeout' })] }))).toMatchObject({ kind })
  })

  it('says that it is being answered, or what it waits for', () => {
    const running = turn('running', { ...open, isRunning: true })
    const wait = (...turns: TurnFacts[]) => standing(facts({ turns }))
    expect(wait(running)).toEqual({ kind: 'answering', since: 11 * S })
    expect(wait(turn('p', { ...pending, notBefore: 70 * S }))).toMatchObject({ for: 'customer', until: 70 * S })
    expect(wait(turn('p', pending))).toMatchObject({ for: 'room' })
    expect(wait(turn('p', pending), { ...running, startedAt: 9 * S })).toMatchObject({ for: 'before' })
    const tried = turn('p', { ...pending, hasBegun: true, notBefore: 70 * S, failure: 'timeout' })
    expect(wait(tried)).toEqual({ kind: 'waiting', for: 'try', until: 70 * S, failure: 'timeout' })
  })

  it('rests on its turns alone, and is empty without any', () => {
    expect(standing(facts({ turns: [turn('t', { outcome: 'outside_hours' })] }))).toBeNull()
    expect(standing(facts())).toEqual({ kind: 'unrecorded' })
  })

  it('of the last message of the agent says when it writes again', () => {
    const message = { ...facts().message, author: 'agent' as const, turnId: 't' as Id<'turns'> }
    const last = facts({ message, conversation: { followUpAt: 99 * S } })
    expect(standing(last)).toEqual({ kind: 'follow_up', at: 99 * S })
    expect(standing({ ...last, nextMessageAt: 12 * S })).toBeNull()
  })
})
