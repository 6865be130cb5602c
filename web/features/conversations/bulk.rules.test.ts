// Many conversations changed at once: portions, failures, and what undo has to do.
import { describe, expect, it } from 'vitest'
import type { Bulk } from '#shared/conversations.ts'
import type { Id } from '#shared/ids.ts'
import { failuresOf, groupsBefore, portionsOf, ticketsOf } from './bulk.rules.ts'

const id = (name: string | number) => `${name}` as Id<'conversations'>
const results: Bulk<string | null> = [
  { conversationId: id('a'), error: null, before: 'olga' },
  { conversationId: id('b'), error: 'not_found', before: null },
  { conversationId: id('c'), error: null, before: null },
  { conversationId: id('d'), error: null, before: 'olga' },
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

  it('that were changed are taken back by what they were before, nobody being one of it', () => {
    expect(groupsBefore(results)).toEqual([
      { before: 'olga', ids: ['a', 'd'] },
      { before: null, ids: ['c'] },
    ])
  })

  it('that two portions have changed are taken back once, to what they were before the first', () => {
    const twice = [...results, { conversationId: id('a'), error: null, before: 'anna' }, ...results]
    expect(groupsBefore(twice)).toEqual(groupsBefore(results))
  })

  it('whose status was changed are taken back by their tickets, those that were so already by none', () => {
    const before = { status: 'active', ticket: 'a ticket' } as const
    expect(
      ticketsOf([
        { conversationId: id('a'), error: null, before },
        { conversationId: id('b'), error: null, before: { ...before, ticket: null } },
        { conversationId: id('c'), error: 'conversation_deleted', before },
      ]),
    ).toEqual(['a ticket'])
  })
})
