// The demonstration's own logins: accepted at the door that everyone signs up through.
import { expect, it } from 'vitest'
import { isGuessable } from '#server/platform/auth/password-rules.ts'
import { DEMO_LOGINS } from './demo.ts'

it.each(DEMO_LOGINS)('the password of $email is not refused as easy to guess', ({ email, password }) => {
  expect(isGuessable(password, email)).toBe(false)
})
