// Which visitors a commit concerns.
import { expect, it } from 'vitest'
import type { Change } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { conversationsIn, judge as judgeChanged } from './webchat.streams.ts'

const judge = (changes: Change[] | null, begun: Parameters<typeof judgeChanged>[1]) =>
  judgeChanged(conversationsIn(changes), begun)
const connectionId = 'widget' as Id<'channelConnections'>
const known = { connectionId, visitorId: 'v1', conversationId: 'c1' as Id<'conversations'> }
const fresh = { connectionId, visitorId: 'v2', conversationId: null }

it('notifies a visitor of changes to their own conversation only', () => {
  for (const table of ['messages', 'turns', 'outbox', 'conversation_ratings', 'conversation_typing']) {
    const changed = (id: string) => judge([{ table, keys: [{ organization_id: 'shop', conversation_id: id }] }], [])
    expect(changed('c1')(known)).toBe(true)
    expect(changed('c2')(known)).toBe(false)
    expect(changed('c1')(fresh)).toBe(false)
  }
})

it('notifies a visitor without a conversation of the one that has become theirs', () => {
  const changed = (visitorId: string, id = connectionId) =>
    judge(
      [{ table: 'conversations', keys: [{ organization_id: 'shop', id: 'c2', agent_id: 'a' }] }],
      [{ connectionId: id, visitorId }],
    )
  expect(changed('v2')(fresh)).toBe(true)
  expect(changed('v3')(fresh)).toBe(false)
  expect(changed('v2', 'another' as Id<'channelConnections'>)(fresh)).toBe(false)
  expect(changed('v1')(known)).toBe(false)
})

it('notifies all watchers when it is not known what has changed, and none of other tables', () => {
  expect(judge(null, [])(known)).toBe(true)
  expect(judge(null, [])(fresh)).toBe(true)
  expect(judge([{ table: 'outbox', keys: null }], [])(fresh)).toBe(true)
  expect(judge([{ table: 'documents', keys: null }], [])(known)).toBe(false)
})
