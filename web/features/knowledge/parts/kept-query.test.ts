// Parameters that survive the way through knowledge.
import { expect, it } from 'vitest'
import { keptQuery } from './kept-query.ts'

it('keeps where somebody came from, and nothing else', () => {
  expect(keptQuery('?from=agent&agentId=a1&orgId=o1&feature=rag&document=d1&q=hello')).toBe(
    '?from=agent&agentId=a1&orgId=o1&feature=rag',
  )
  expect(keptQuery('?part=notes')).toBe('')
})

it('adds what the link needs, escaped', () => {
  expect(keptQuery('?from=a%26b', { spaceSlug: 'terms' })).toBe('?spaceSlug=terms&from=a%26b')
})
