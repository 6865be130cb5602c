// The scope of a visitor's token: for whom, for which widget, for how long.
import { expect, it } from 'vitest'
import { createSecrets } from '#server/platform/lib/secrets.aes.ts'
import { WEBCHAT_SESSION_MS, WEBCHAT_VISITOR_MS } from '#shared/limits.ts'
import { newVisitorId, returningVisitor, sessionToken, visitorOf } from './webchat.sessions.ts'

const secrets = createSecrets('a secret of the tests, long enough')
const NOW = Date.UTC(2026, 10, 21)

it('recognizes a visitor by their token for as long as a session lasts', () => {
  const visitor = { visitorId: newVisitorId(), signedName: null }
  const token = sessionToken(secrets, 'widget', visitor, NOW)
  expect(visitorOf(secrets, 'widget', token, NOW + WEBCHAT_SESSION_MS)).toEqual(visitor)
  expect(visitorOf(secrets, 'widget', token, NOW + WEBCHAT_SESSION_MS + 1)).toBeNull()
})

it('resumes a visitor after the session has ended, but not for ever', () => {
  const visitor = { visitorId: newVisitorId(), signedName: null }
  const token = sessionToken(secrets, 'widget', visitor, NOW)
  expect(returningVisitor(secrets, 'widget', token, NOW + WEBCHAT_VISITOR_MS)).toBe(visitor.visitorId)
  expect(returningVisitor(secrets, 'widget', token, NOW + WEBCHAT_VISITOR_MS + 1)).toBeNull()
})

it('rejects a token of another widget, of another installation, or with a changed letter', () => {
  const token = sessionToken(secrets, 'widget', { visitorId: newVisitorId(), signedName: null }, NOW)
  const other = createSecrets('a secret of another installation')
  const at = token.length - 10
  const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
  expect(visitorOf(secrets, 'other', token, NOW)).toBeNull()
  expect(visitorOf(other, 'widget', token, NOW)).toBeNull()
  for (const wrong of [changed, '', 'v1', token.slice(0, -1)])
    expect(visitorOf(secrets, 'widget', wrong, NOW)).toBeNull()
})

it('resumes no session of a signed visitor by a token alone', () => {
  const token = sessionToken(secrets, 'widget', { visitorId: 'signed', signedName: 'Anna' }, NOW)
  expect(visitorOf(secrets, 'widget', token, NOW)).toEqual({ visitorId: 'signed', signedName: 'Anna' })
  expect(returningVisitor(secrets, 'widget', token, NOW)).toBeNull()
})
