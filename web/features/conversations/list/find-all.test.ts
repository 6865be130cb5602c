// Collecting all results of a search while new messages arrive.
import { expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { ConversationHits } from '#shared/messaging/conversations.ts'
import { findAll } from './find-all.ts'

const page = (names: string[], continueCursor: string | null) =>
  ({ hits: names.map((name) => ({ conversationId: name as Id<'conversations'> })), continueCursor }) as ConversationHits

it('includes a conversation that moved above the read part between two pages', async () => {
  let list = ['a', 'b', 'c', 'd']
  const search = async (cursor: string | null) => {
    const at = cursor === null ? 0 : list.indexOf(cursor) + 1
    const found = list.slice(at, at + 2)
    if (cursor === null && list[0] === 'a') list = ['d', 'a', 'b', 'c']
    return page(found, at + 2 < 4 ? (found.at(-1) ?? null) : null)
  }
  expect((await findAll(search)).toSorted()).toEqual(['a', 'b', 'c', 'd'])
})

it('makes one request when one page holds everything', async () => {
  let calls = 0
  await findAll(async () => {
    calls++
    return page(['a'], null)
  })
  expect(calls).toBe(1)
})
