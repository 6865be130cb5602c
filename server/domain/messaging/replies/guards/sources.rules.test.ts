// Which sources an agent may use: those that hold now, and have a tag that it is kept to.
import { expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { mayUse, spacesWith } from './sources.rules.ts'

const NOW = 1_000
const space = 's' as Id<'knowledgeSpaces'>
const source = (over: Partial<Parameters<typeof mayUse>[1]> = {}) => ({
  ...{ knowledgeSpaceId: space, tags: [], validFrom: null, validUntil: null, language: null },
  ...over,
})

it.each([
  ['holds for ever', {}, true],
  ['holds now', { validFrom: NOW, validUntil: NOW + 1 }, true],
  ['does not hold yet', { validFrom: NOW + 1 }, false],
  ['holds no more', { validUntil: NOW }, false],
])('a source that %s: %o, %s', (_, over, isUsed) => {
  expect(mayUse({ tags: {}, languages: {} }, source(over), NOW)).toBe(isUsed)
})

it('an agent that is kept to tags uses what has one of them, in that space alone', () => {
  const languages = {}
  const agent = { tags: { [space]: ['shops', 'prices'] }, languages }
  expect(mayUse(agent, source({ tags: ['prices'] }), NOW)).toBe(true)
  expect(mayUse(agent, source({ tags: ['people'] }), NOW)).toBe(false)
  expect(mayUse(agent, source(), NOW)).toBe(false)
  expect(mayUse({ tags: { [space]: [] }, languages }, source(), NOW)).toBe(true)
  expect(mayUse({ tags: { other: ['shops'] }, languages }, source(), NOW)).toBe(true)
})

it('an agent that is kept to languages uses what is in one of them or in none that is known', () => {
  const agent = { tags: {}, languages: { [space]: ['ru' as const] } }
  expect(mayUse(agent, source({ language: 'ru' }), NOW)).toBe(true)
  expect(mayUse(agent, source({ language: 'en' }), NOW)).toBe(false)
  expect(mayUse(agent, source({ language: null }), NOW)).toBe(true)
  expect(mayUse({ tags: {}, languages: { [space]: [] } }, source({ language: 'en' }), NOW)).toBe(true)
})

it('an agent asks only spaces in which the source is on', () => {
  const agent = { spaceIds: [space, 't' as typeof space], disabledSources: { t: ['tables' as const] } }
  expect(spacesWith(agent, 'tables')).toEqual([space])
})
