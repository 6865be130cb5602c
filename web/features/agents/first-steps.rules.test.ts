// When each of the first steps counts as done.
import { expect, it } from 'vitest'
import type { Agent } from '#shared/agents/agents.ts'
import { stepsTaken } from './first-steps.rules.ts'

const agent = (...spaces: string[]) => ({ knowledgeSpaceIds: spaces as Agent['knowledgeSpaceIds'] })

it('counts no step as done in an empty organization', () => {
  expect([...stepsTaken({ agents: [], spaces: [], connections: [] })]).toEqual([])
})

it('does not count an empty space, an unlinked agent or a bot without messages', () => {
  const taken = stepsTaken({
    agents: [agent()],
    spaces: [{ documents: 0, fragments: 0, tables: 0 }],
    connections: [{ status: 'error', lastInboundAt: null }],
  })
  expect([...taken]).toEqual(['createAgent'])
})

it('counts every step as done in an organization that answers customers', () => {
  const taken = stepsTaken({
    agents: [agent(), agent('space')],
    spaces: [{ documents: 0, fragments: 1, tables: 0 }],
    connections: [{ status: 'connected', lastInboundAt: 1 }],
  })
  expect(taken.size).toBe(5)
})
