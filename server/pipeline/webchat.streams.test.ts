// Whom of the visitors a commit concerns.
import { expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { judge } from './webchat.streams.ts'

const organizationId = 'shop' as Id<'organizations'>
const known = { organizationId, conversationId: 'c1' as Id<'conversations'> }
const fresh = { organizationId, conversationId: null }

it('tells a visitor of changes to their own conversation only', () => {
  for (const table of ['messages', 'turns', 'outbox']) {
    const changed = (id: string) => judge([{ table, keys: [{ organization_id: 'shop', conversation_id: id }] }])
    expect(changed('c1')(known)).toBe(true)
    expect(changed('c2')(known)).toBe(false)
    expect(changed('c1')(fresh)).toBe(false)
  }
})

it('tells a visitor without a conversation of every new one in the organization', () => {
  const changed = (organization: string) =>
    judge([{ table: 'conversations', keys: [{ organization_id: organization, id: 'c2', agent_id: 'a' }] }])
  expect(changed('shop')(fresh)).toBe(true)
  expect(changed('other')(fresh)).toBe(false)
  expect(changed('shop')(known)).toBe(false)
})

it('tells everybody when it is not known what has changed, and nobody of other tables', () => {
  expect(judge(null)(known)).toBe(true)
  expect(judge([{ table: 'outbox', keys: null }])(fresh)).toBe(true)
  expect(judge([{ table: 'documents', keys: null }])(known)).toBe(false)
})
