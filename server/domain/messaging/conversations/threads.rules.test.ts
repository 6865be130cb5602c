// Which of several chosen conversations are merged, and the reasons for the others.
import { expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { THREAD_MAX } from '#shared/limits.ts'
import { contactOfMost, divide, type Mergeable } from './threads.rules.ts'

function of(id: string, contact: string, more: Partial<Mergeable> = {}): Mergeable {
  const customer = contact as Id<'customers'>
  const standing = { folder: 'inbox', customerId: customer, personId: customer, threadId: null } as const
  return { id: id as Id<'conversations'>, ...standing, ...more }
}
const ids = (...named: string[]) => named as Id<'conversations'>[]
const contacts = (...named: string[]) => named as Id<'customers'>[]

it('the contact of most conversations is merged; of two with as many the first, and deleted ones do not count', () => {
  const held = [of('a', 'boris'), of('b', 'anna'), of('c', 'anna', { folder: 'deleted' }), of('d', 'anna')]
  expect(contactOfMost(ids('a', 'b', 'd'), held)).toBe('anna')
  expect(contactOfMost(ids('a', 'b', 'c'), held)).toBe('boris')
  expect(contactOfMost(ids('c'), held)).toBeNull()
})

it('gives the reason for each conversation that is left out, and includes what is shown with the others', () => {
  const thread = { threadId: 't' as Id<'threads'> }
  const held = [
    of('a', 'anna'),
    of('b', 'boris'),
    of('c', 'anna', thread),
    of('d', 'anna-by-whatsapp', thread),
    of('e', 'anna', { folder: 'deleted' }),
  ]
  const { merged, refused } = divide(ids('b', 'a', 'c', 'e', 'gone'), held, contacts('anna', 'anna-by-whatsapp'))
  expect(merged.map(({ id }) => id)).toEqual(['a', 'c', 'd'])
  expect(refused).toEqual([
    { conversationId: 'b', error: 'several_contacts' },
    { conversationId: 'e', error: 'conversation_deleted' },
    { conversationId: 'gone', error: 'not_found' },
  ])
})

it('merges no more than are shown as one', () => {
  const held = Array.from({ length: THREAD_MAX + 1 }, (_, i) => of(String(i), 'anna'))
  const wanted = held.map(({ id }) => id)
  const { merged, refused } = divide(wanted, held, contacts('anna'))
  expect(merged).toHaveLength(THREAD_MAX)
  expect(refused).toEqual([{ conversationId: String(THREAD_MAX), error: 'thread_too_long' }])
})
