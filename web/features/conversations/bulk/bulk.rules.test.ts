// Many conversations changed at once: portions, failures, and what undo has to do.
import { describe, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { AssigneeBefore, Bulk } from '#shared/messaging/conversations.ts'
import { failuresOf, portionsOf, ticketsOf } from './bulk.rules.ts'

const id = (name: string | number) => `${name}` as Id<'conversations'>
const olga = 'olga' as Id<'users'>
const results: Bulk<AssigneeBefore> = [
  { conversationId: id('a'), error: null, before: { assigneeId: olga, ticket: 'of a' } },
  { conversationId: id('b'), error: 'not_found', before: null },
  { conversationId: id('c'), error: null, before: { assigneeId: null, ticket: null } },
  { conversationId: id('d'), error: null, before: { assigneeId: olga, ticket: 'of d' } },
]

describe('many conversations', () => {
  it('go in portions, each once and in order', () => {
    const ids = Array.from({ length: 250 }, (_, index) => id(index))
    expect(portionsOf(ids).map((portion) => portion.length)).toEqual([100, 100, 50])
    expect(portionsOf(ids).flat()).toEqual(ids)
    expect(portionsOf([])).toEqual([])
  })

  it('that failed are named with why', () => {
    expect(failuresOf(results)).toEqual([{ conversationId: 'b', error: 'not_found' }])
  })

  it('that were changed are taken back by their tickets, those that were so already or were refused by none', () => {
    const refused = {
      conversationId: id('e'),
      error: 'conversation_deleted',
      before: { assigneeId: null, ticket: 'of e' },
    } as const
    expect(ticketsOf([...results, refused])).toEqual([['of a'], ['of d']])
  })

  it('that two portions have changed are taken back by both tickets at once, in their order', () => {
    const again = { conversationId: id('a'), error: null, before: { assigneeId: null, ticket: 'of a again' } }
    expect(ticketsOf([...results, again])).toEqual([['of a', 'of a again'], ['of d']])
  })
})
