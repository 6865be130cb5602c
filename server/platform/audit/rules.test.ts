// What an entry says has changed, and what it never says.
import { expect, it } from 'vitest'
import { changesOf } from './changes.rules.ts'
import { withoutSecrets } from './secrets.rules.ts'

it('records the values that differ, of the names that were given', () => {
  expect(changesOf({ name: 'A', role: 'admin', tags: [1] }, { name: 'B', tags: [1], limit: 5 })).toEqual({
    before: { name: 'A', limit: null },
    after: { name: 'B', limit: 5 },
  })
  expect(changesOf({ name: 'A' }, { name: 'A' })).toEqual({ before: {}, after: {} })
})

it('hides what has the name of a secret, and only its text', () => {
  expect(
    withoutSecrets({ password: 'x', maxTokens: 5, tokenHash: 'y', at: new Date(0), list: [{ apiKey: 'z' }] }),
  ).toEqual({
    password: '•••',
    maxTokens: 5,
    tokenHash: '•••',
    at: '1970-01-01T00:00:00.000Z',
    list: [{ apiKey: '•••' }],
  })
})
