// Which requests wait for which others.
import { expect, it } from 'vitest'
import { STRANGERS } from './fair-scheduler.ts'
import { RequestTurns, senderOf } from './request-turns.ts'

const request = (path: string, headers: Record<string, string> = {}) =>
  new Request(`http://parley.test${path}`, { headers })

it.each([
  ['/webhooks/telegram/abc', '/webhooks/telegram/abc'],
  ['/api/webchat/key/messages', '/api/webchat/key'],
  ['/api/channels/http/id/messages', '/api/channels/http/id'],
  ['/api/auth/sign-in/email', STRANGERS],
  ['/api/query', STRANGERS],
])('%s is sent by %s', (path, group) => {
  expect(senderOf(request(path), '10.0.0.1')).toEqual({ group, member: '10.0.0.1' })
})

it('a request with credentials is not among those of strangers', () => {
  expect(senderOf(request('/api/query', { authorization: 'Bearer x' }), 'a').group).not.toBe(STRANGERS)
})

it('a flood for one organization waits, while what another is sent goes through', async () => {
  let now = 0
  const turns = new RequestTurns(2, () => now)
  const passed = { hostile: 0, neighbour: 0 }
  const send = async (who: keyof typeof passed) => {
    if (await turns.take(request(`/api/webchat/${who}/messages`), who)) passed[who]++
  }
  await send('neighbour')
  const flood = Array.from({ length: 3_000 }, () => send('hostile'))
  await Promise.all(Array.from({ length: 20 }, () => send('neighbour')))
  expect(passed.neighbour).toBe(21)
  expect(passed.hostile).toBeLessThanOrEqual(500)
  // What would have waited for too long was refused; the rest is let through.
  now += 60_000
  await Promise.all(flood)
  expect(passed.hostile).toBeGreaterThanOrEqual(2_000)
  expect(passed.hostile).toBeLessThan(3_000)
})
