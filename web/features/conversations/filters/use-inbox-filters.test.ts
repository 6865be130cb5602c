// The list query that results from the URL.
import { describe, expect, it } from 'vitest'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { Id } from '#shared/ids.ts'
import { filterOf, type InboxQuery, isFiltered, NO_FILTERS } from './use-inbox-filters.ts'

const me = 'u1' as Id<'users'>
const other = 'u2' as Id<'users'>
const agent = { _id: 'a1', slug: 'helper', name: 'Helper' } as unknown as AgentSummary
const known = {
  agents: [agent],
  members: [
    { _id: me, name: 'Me', avatar: null, jobTitle: '' },
    { _id: other, name: 'Other', avatar: null, jobTitle: '' },
  ],
  me,
}
const none: InboxQuery = { ...NO_FILTERS, sort: null, q: null, conversation: null }

describe('the filter of the list', () => {
  it('holds the filters of the URL', () => {
    expect(filterOf({ ...none, status: 'paused', agent: 'helper', tag: 'vip', sort: 'waiting' }, known)).toEqual({
      status: 'paused',
      agentId: 'a1',
      tag: 'vip',
      sort: 'waiting',
    })
    expect(filterOf({ ...none, status: 'needs-person', unread: true, problem: true }, known)).toEqual({
      needsPerson: true,
      isUnread: true,
      hasProblem: true,
    })
  })

  it('knows `me`, `nobody` and a colleague, and ignores unknown ids', () => {
    const assigneeOf = (assignee: string) => filterOf({ ...none, assignee }, known)
    expect(assigneeOf('me')).toEqual({ assigneeId: me })
    expect(assigneeOf('nobody')).toEqual({ assigneeId: null })
    expect(assigneeOf(other)).toEqual({ assigneeId: other })
    expect(assigneeOf('u3')).toEqual({})
  })

  it('ignores an unknown agent', () => {
    expect(filterOf({ ...none, agent: 'gone' }, known)).toEqual({})
  })

  it('includes both days, from the first midnight of the reader to the one after the last', () => {
    expect(filterOf({ ...none, from: '2026-03-01', to: '2026-03-31' }, known)).toEqual({
      since: new Date(2026, 2, 1).getTime(),
      until: new Date(2026, 3, 1).getTime(),
    })
  })
})

describe('isFiltered', () => {
  it('ignores the order and the open conversation', () => {
    expect(isFiltered({ ...none, sort: 'oldest', conversation: 'c1' })).toBe(false)
    expect(isFiltered({ ...none, unread: false })).toBe(false)
    expect(isFiltered({ ...none, folder: 'archived' })).toBe(true)
  })
})
