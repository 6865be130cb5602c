// Signatures of a site about its visitors, and the example of docs/web-chat.md.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { identityHash, readIdentity, signedVisitorId } from './webchat.identity.ts'
import { newVisitorId } from './webchat.sessions.ts'

const anna = { userId: 'user-42', name: 'Anna' }
const hash = identityHash('secret', anna)

it('accepts the id and the name that the site has signed', () => {
  expect(readIdentity('secret', { ...anna, hash })).toEqual(anna)
  const nameless = { userId: 'user-42', name: null }
  expect(readIdentity('secret', { userId: 'user-42', hash: identityHash('secret', nameless) })).toEqual(nameless)
})

it.each([
  ['another id', 'secret', { ...anna, userId: 'user-43', hash }],
  ['another name', 'secret', { ...anna, name: 'Support', hash }],
  ['no name', 'secret', { userId: 'user-42', hash }],
  ['another secret', 'other', { ...anna, hash }],
  ['no hash', 'secret', { ...anna, hash: '' }],
])('accepts nothing with %s', (_, secret, claimed) => {
  expect(readIdentity(secret, claimed)).toBeNull()
})

it('gives one id to one visitor of one widget, which no unsigned visitor can have', () => {
  const id = signedVisitorId('widget', anna)
  expect(signedVisitorId('widget', { userId: 'user-42' })).toBe(id)
  expect(signedVisitorId('other', anna)).not.toBe(id)
  expect(newVisitorId().length).toBeLessThan(id.length)
})

it('matches the example of the documentation', () => {
  const page = readFileSync(new URL('../../../../docs/web-chat.md', import.meta.url), 'utf8')
  expect(page).toContain(`data-user-hash="${identityHash('an example secret', anna)}"`)
})
