// Which requests wait for which others.
import { expect, it } from 'vitest'
import { STRANGERS } from '../scheduling/fair-scheduler.ts'
import { RequestTurns } from './request-turns.ts'

const request = (path: string, headers: Record<string, string> = {}) =>
  new Request(`http://parley.test${path}`, { headers })

const ADDRESS = '10.0.0.1'

it.each([
  ['/webhooks/telegram/abc', '/webhooks/telegram/abc'],
  ['/api/webchat/key/messages', '/api/webchat/key'],
  ['/api/channels/http/id/messages', '/api/channels/http/id'],
])('what is sent to %s is among strangers until it was taken once', (path, group) => {
  const turns = new RequestTurns(2)
  turns.answered(request(path), 404)
  expect(turns.partyOf(request(path), ADDRESS)).toEqual({ group: STRANGERS, member: ADDRESS })
  turns.answered(request(path), 200)
  expect(turns.partyOf(request(path), ADDRESS)).toEqual({ group, member: ADDRESS })
})

it.each([['authorization'], ['cookie']])('a request with %s is among strangers until it was taken once', (header) => {
  const turns = new RequestTurns(2)
  const [good, other] = ['good', 'other'].map((value) => request('/api/query', { [header]: value }))
  if (!good || !other) throw new Error('no requests')
  turns.answered(good, 401)
  expect(turns.partyOf(good, ADDRESS).group).toBe(STRANGERS)
  turns.answered(good, 200)
  expect(turns.partyOf(good, ADDRESS).group).not.toBe(STRANGERS)
  expect(turns.partyOf(other, ADDRESS).group).toBe(STRANGERS)
})

it('who was given a token of the realtime connection is known by the cookie', () => {
  const turns = new RequestTurns(2)
  turns.answered(request('/api/auth/token', { cookie: 'session' }), 200)
  expect(turns.partyOf(request('/api/auth/get-session', { cookie: 'session' }), ADDRESS).group).not.toBe(STRANGERS)
})

it('an answer that everybody gets shows nothing of the credentials', () => {
  const turns = new RequestTurns(2)
  const asked = request('/api/config', { cookie: 'invented' })
  turns.answered(asked, 200)
  expect(turns.partyOf(asked, ADDRESS).group).toBe(STRANGERS)
})

it('remembers a bounded number of senders', () => {
  const turns = new RequestTurns(2)
  const nth = (at: number) => request(`/api/webchat/${at}/messages`)
  for (let at = 0; at <= 20_000; at++) turns.answered(nth(at), 200)
  expect([0, 1, 20_000].map((at) => turns.partyOf(nth(at), ADDRESS).group)).toEqual([
    STRANGERS,
    '/api/webchat/1',
    '/api/webchat/20000',
  ])
})

it('a stranger who invents an address or a token for each request has no more than one group', async () => {
  const now = 0
  const turns = new RequestTurns(2, () => now)
  const known = request('/api/webchat/neighbour/messages')
  turns.answered(known, 200)
  let hostile = 0
  await turns.take(known, 'neighbour')
  for (let at = 0; at < 900; at++) {
    const invented =
      at % 2 ? request(`/webhooks/telegram/${at}`) : request('/api/query', { authorization: `Bearer ${at}` })
    void turns.take(invented, ADDRESS).then(() => hostile++)
  }
  await turns.take(known, 'neighbour')
  expect(hostile).toBeLessThanOrEqual(500)
})

it('a flood for one organization waits, while what another is sent goes through', async () => {
  let now = 0
  const turns = new RequestTurns(2, () => now)
  const passed = { hostile: 0, neighbour: 0 }
  const send = async (who: keyof typeof passed) => {
    if (await turns.take(request(`/api/webchat/${who}/messages`), who)) passed[who]++
  }
  for (const who of ['hostile', 'neighbour']) turns.answered(request(`/api/webchat/${who}/messages`), 200)
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
