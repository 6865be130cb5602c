// Parameters that are kept across the pages of knowledge.
import { expect, it } from 'vitest'
import { keptQuery } from './kept-query.ts'

it('keeps the origin of the visit, and nothing else', () => {
  expect(keptQuery('?from=agent&agentId=a1&orgId=o1&feature=rag&document=d1&q=hello')).toBe(
    '?from=agent&agentId=a1&orgId=o1&feature=rag',
  )
  expect(keptQuery('?part=notes')).toBe('')
})

it('adds what the link needs, escaped', () => {
  expect(keptQuery('?from=a%26b', { spaceSlug: 'terms' })).toBe('?spaceSlug=terms&from=a%26b')
})
