// The clock on the wall and the moment it means.
import { expect, it } from 'vitest'
import { localMoment, momentFrom } from './local-moment.ts'

it.each(['2026-03-01T09:30', '2026-07-15T00:00', '2026-12-31T23:59'])('brings %s back', (text) => {
  const at = momentFrom(text)
  expect(at).toBe(new Date(text).getTime())
  expect(localMoment(at ?? 0)).toBe(text)
})

it('is nothing while the field is incomplete', () => {
  expect(momentFrom('')).toBeUndefined()
  expect(momentFrom('2026-')).toBeUndefined()
})
