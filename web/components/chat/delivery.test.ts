// Which state a message of several parts shows.
import { describe, expect, it } from 'vitest'
import type { Message, PartState } from '#shared/messaging/conversations.ts'
import { deliveryOf } from './delivery.ts'

function parts(...statuses: PartState[]): Pick<Message, 'deliveries'> {
  return {
    deliveries: statuses.map((status, index) => ({
      _id: `p${index}` as Message['deliveries'][number]['_id'],
      status,
      error: status === 'failed' ? 'blocked by the user' : null,
      waitsUntil: null,
    })),
  }
}

describe('the delivery of a message', () => {
  it('is nothing for a message that no channel sends', () => {
    expect(deliveryOf(parts())).toBeNull()
  })

  it.each<[PartState[], string]>([
    [['sent', 'sent'], 'sent'],
    [['read', 'read'], 'read'],
    [['read', 'delivered'], 'delivered'],
    [['read', 'sent'], 'sent'],
    [['sent', 'queued'], 'queued'],
    [['sent', 'claimed'], 'queued'],
    [['sent', 'sending', 'queued'], 'sending'],
    [['sent', 'failed', 'queued'], 'failed'],
    [['failed', 'unknown', 'sent'], 'unknown'],
  ])('of parts %j is %s', (statuses, state) => {
    expect(deliveryOf(parts(...statuses))?.state).toBe(state)
  })

  it('is withheld when a pause held the parts back, and failed when the channel refused one of them', () => {
    const held = { ...parts('failed').deliveries[0], error: 'paused' } as Message['deliveries'][number]
    expect(deliveryOf({ deliveries: [held] })?.state).toBe('withheld')
    expect(deliveryOf({ deliveries: [{ ...held, error: 'rating_taken_back' }] })?.state).toBe('withheld')
    expect(deliveryOf({ deliveries: [held, ...parts('failed').deliveries] })?.state).toBe('failed')
  })

  it('counts the parts and offers only those that may not have arrived', () => {
    expect(deliveryOf(parts('sent', 'unknown', 'failed'))).toMatchObject({
      sentParts: 1,
      totalParts: 3,
      error: 'blocked by the user',
      resendable: ['p1', 'p2'],
    })
  })

  it('waits for the cap that its first waiting part waits for, and only while nothing worse is known', () => {
    const [sent, waiting] = parts('sent', 'queued').deliveries
    if (!sent || !waiting) throw new Error('there are two')
    const capped = { ...waiting, error: 'cap_day', waitsUntil: 1000 }
    const waits = { until: 1000, reason: 'cap_day' }
    expect(deliveryOf({ deliveries: [sent, capped] })).toMatchObject({ state: 'queued', error: null, waits })
    expect(deliveryOf({ deliveries: [sent, waiting] })?.waits).toBeNull()
    const failed = parts('failed').deliveries
    expect(deliveryOf({ deliveries: [capped, ...failed] })).toMatchObject({ error: 'blocked by the user', waits: null })
  })
})
