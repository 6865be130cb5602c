// Fetching the realtime token through failures, with a scripted network and no real waiting.
import { describe, expect, it } from 'vitest'
import { createTokenSource, type TokenWorld } from './access-token.ts'
import { forgetWorkplace, settleWorkplace } from './workplace.ts'

const LIFETIME_MS = 600_000

function scriptedWorld(script: (number | 'down')[], { isOffline = false } = {}) {
  const waits: number[] = []
  let requests = 0
  let now = 1_000_000
  const world: TokenWorld = {
    fetch: async () => {
      requests++
      const answer = script.shift() ?? 200
      if (answer === 'down') throw new TypeError('Failed to fetch')
      return Response.json({ token: `token-${requests}`, expiresAt: now + LIFETIME_MS }, { status: answer })
    },
    sleep: async (milliseconds) => void waits.push(milliseconds),
    now: () => now,
    isOffline: () => isOffline,
  }
  function pass(milliseconds: number) {
    now += milliseconds
  }
  return { world, waits, requests: () => requests, pass }
}

describe('the token source', () => {
  it('keeps a token until a minute before it expires', async () => {
    const script = scriptedWorld([])
    const source = createTokenSource(script.world)
    expect(await source.get()).toBe('token-1')
    script.pass(LIFETIME_MS - 61_000)
    expect(await source.get()).toBe('token-1')
    script.pass(2000)
    expect(await source.get()).toBe('token-2')
  })

  it('fetches a new one when forced, and one for all who ask at the same time', async () => {
    const script = scriptedWorld([])
    const source = createTokenSource(script.world)
    await source.get()
    const both = await Promise.all([source.get({ forceRefreshToken: true }), source.get({ forceRefreshToken: true })])
    expect(both).toEqual(['token-2', 'token-2'])
    expect(script.requests()).toBe(2)
  })

  it('says null when there is no session, at once', async () => {
    const script = scriptedWorld([401])
    expect(await createTokenSource(script.world).get()).toBeNull()
    expect(script.waits).toEqual([])
  })

  it('asks again after 100 ms doubling to one second, ten times a round', async () => {
    const script = scriptedWorld(Array<'down'>(11).fill('down'))
    expect(await createTokenSource(script.world).get()).toBe('token-12')
    expect(script.waits).toEqual([100, 200, 400, 800, 1000, 1000, 1000, 1000, 1000, 1000, 1000])
  })

  it('waits between rounds from one second up to thirty, and never gives up', async () => {
    const rounds = 8
    const script = scriptedWorld(Array<'down'>(11 * rounds).fill('down'))
    expect(await createTokenSource(script.world).get()).not.toBeNull()
    const betweenRounds = script.waits.filter((_, index) => index % 11 === 10)
    expect(betweenRounds).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
  })

  it('waits at most fifteen seconds between rounds when the device is offline', async () => {
    const script = scriptedWorld(Array<'down'>(11 * 6).fill('down'), { isOffline: true })
    await createTokenSource(script.world).get()
    expect(Math.max(...script.waits)).toBe(15_000)
  })

  it('treats a failing server like a failing network', async () => {
    const script = scriptedWorld([503, 500])
    expect(await createTokenSource(script.world).get()).toBe('token-3')
  })

  it('forgets the token at sign-out', async () => {
    const script = scriptedWorld([200, 401])
    const source = createTokenSource(script.world)
    await source.get()
    source.forget()
    expect(await source.get()).toBeNull()
  })

  it('asks for the organization of the tab, and for the one of the session where the person is no member', async () => {
    settleWorkplace('gone')
    const asked: string[] = []
    const world: TokenWorld = {
      ...scriptedWorld([]).world,
      fetch: async (path) => {
        asked.push(String(path))
        if (String(path).endsWith('=gone')) return Response.json({ code: 'NOT_A_MEMBER' }, { status: 403 })
        return Response.json({ token: 'token', expiresAt: 1_000_000 + LIFETIME_MS, organizationId: 'own' })
      },
    }
    const source = createTokenSource(world)
    expect(await source.get()).toBe('token')
    await source.get({ forceRefreshToken: true })
    const path = '/api/auth/token?organizationId='
    expect(asked).toEqual([`${path}gone`, `${path}current`, `${path}own`])
    forgetWorkplace()
  })
})
