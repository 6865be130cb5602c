// Texts and timestamps of the protocol.
import { describe, expect, it } from 'vitest'
import { JSON_BOUNDS } from '#server/platform/lib/http/bounded-json.ts'
import { Clock, clockOffset } from './clock.ts'
import * as protocol from './protocol.ts'

describe('timestamps', () => {
  it('survive their encoding', () => {
    for (const value of [0n, 1n, 2n ** 40n + 5n, 2n ** 63n - 1n]) {
      expect(protocol.decodeU64(protocol.encodeU64(value))).toBe(value)
    }
  })

  it('of one clock always grow', () => {
    const clock = new Clock()
    const values = Array.from({ length: 1000 }, () => clock.next())
    expect(values.every((value, index) => index === 0 || value > (values[index - 1] ?? value))).toBe(true)
  })

  it('are shifted for a client that has seen later ones, and for no other', () => {
    expect(clockOffset(100n, null)).toBe(0n)
    expect(clockOffset(100n, 99n)).toBe(0n)
    expect(100n + clockOffset(100n, 500n)).toBeGreaterThan(500n)
  })
})

describe('messages', () => {
  const version = { querySet: 1, identity: 0, ts: protocol.encodeU64(1n) }

  const versions = { start: version, end: version, serverTs: 5_000_000_000n }
  const whole = (pieces: protocol.OwnOpening[], own: string) => pieces.map(({ opening, rest }) => opening(own) + rest)

  it('put a shared result into the Transition of one client', () => {
    const result = protocol.resultText({ ok: true, value: { a: 'я' } }, null)
    const modifications = [protocol.modification(3, result), protocol.removal(4)]
    const pieces = protocol.transition(versions, modifications, { transitionId: () => 'id' })
    const [text = ''] = whole(pieces, protocol.clockSkewText(-17))
    expect(JSON.parse(text)).toEqual({
      type: 'Transition',
      clientClockSkew: -17,
      serverTs: 5e9,
      startVersion: version,
      endVersion: version,
      modifications: [
        { type: 'QueryUpdated', queryId: 3, value: { a: 'я' }, logLines: [], journal: null },
        { type: 'QueryRemoved', queryId: 4 },
      ],
    })
    expect(JSON.parse(whole(pieces, protocol.clockSkewText(null))[0] ?? '')).not.toHaveProperty('clientClockSkew')
  })

  it('carry failures with and without data', () => {
    const failed = (outcome: Parameters<typeof protocol.resultText>[0]) =>
      JSON.parse(protocol.modification(1, protocol.resultText(outcome, 'j')))
    expect(failed({ ok: false, message: 'no', data: { code: 'x' } })).toMatchObject({
      errorData: { code: 'x' },
      journal: 'j',
    })
    expect(failed({ ok: false, message: 'no' })).not.toHaveProperty('errorData')
  })

  it('answer requests', () => {
    const ok = JSON.parse(protocol.mutationResponse(7, { ok: true, value: null }, version.ts))
    expect(ok).toEqual({
      type: 'MutationResponse',
      requestId: 7,
      success: true,
      result: null,
      ts: version.ts,
      logLines: [],
    })
    const failed = JSON.parse(protocol.actionResponse(8, { ok: false, message: 'no', data: 1 }))
    expect(failed).toEqual({
      type: 'ActionResponse',
      requestId: 8,
      success: false,
      result: 'no',
      errorData: 1,
      logLines: [],
    })
  })

  it('that are large are cut into pieces that join to the same text, also in the middle of a character', () => {
    const result = protocol.modification(1, protocol.resultText({ ok: true, value: '👋'.repeat(50) }, null))
    const cut = (size?: number) =>
      protocol.transition(versions, [result], { transitionId: () => 'id', ...(size && { size }) })
    const [message] = whole(cut(), '"clientClockSkew":3,')
    const pieces = whole(cut(7), '"clientClockSkew":3,').map((piece) => JSON.parse(piece))
    expect(pieces.length).toBeGreaterThan(20)
    expect(pieces.map(({ chunk }) => chunk).join('')).toBe(message)
    expect(pieces.map(({ partNumber }) => partNumber)).toEqual(pieces.map((_, index) => index))
    expect(new Set(pieces.map(({ totalParts, transitionId }) => `${totalParts}${transitionId}`)).size).toBe(1)
  })

  it('of clients are taken with fields that a newer client may add, and refused when they are no messages', () => {
    const connect = {
      type: 'Connect',
      sessionId: 'abcdefgh',
      connectionCount: 0,
      lastCloseReason: null,
      clientTs: 5,
      isNew: true,
    }
    expect(protocol.parseClientMessage(JSON.stringify(connect), JSON_BOUNDS)).toMatchObject({
      type: 'Connect',
      sessionId: 'abcdefgh',
    })
    for (const text of [
      '',
      'null',
      '[]',
      '{"type":"Connect"}',
      '{"type":"Mutation","requestId":-1,"udfPath":"a:b","args":[{}]}',
    ]) {
      expect(protocol.parseClientMessage(text, JSON_BOUNDS)).toBeUndefined()
    }
  })
})
