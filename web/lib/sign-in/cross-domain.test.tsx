// Cookies and session of a page on another origin than its server.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cookieHeader, withCookies } from './cross-domain.ts'

const NOW = Date.parse('2026-11-26T12:00:00Z')

describe('the cookie map', () => {
  it('keeps several cookies of one response, whose dates have commas', () => {
    const header =
      'parley.session_token=a.b%3D; Max-Age=60; Path=/; HttpOnly, parley.other=c; Expires=Fri, 27 Nov 2026 12:00:00 GMT; Path=/'
    const kept = withCookies({}, header, NOW)
    expect(kept).toMatchObject({ 'parley.session_token': { value: 'a.b%3D' }, 'parley.other': { value: 'c' } })
    expect(cookieHeader(kept, NOW)).toBe('parley.session_token=a.b%3D; parley.other=c')
    expect(cookieHeader(kept, NOW + 61_000)).toBe('parley.other=c')
  })

  it('drops cookies that a response expires, and keeps the others', () => {
    const kept = { one: { value: '1', expires: null }, two: { value: '2', expires: null } }
    expect(withCookies(kept, 'one=; Max-Age=0; Path=/', NOW)).toEqual({ two: kept.two })
  })
})

describe('a page on another origin', () => {
  beforeEach(() => {
    vi.resetModules()
    localStorage.clear()
    document.head.innerHTML = '<meta name="parley-server" content="https://parley.example/">'
  })
  afterEach(() => {
    vi.unstubAllGlobals()
    document.head.innerHTML = ''
    vi.resetModules()
  })

  it('sends and keeps its cookies in headers, and its session in storage until sign-out', async () => {
    const asked: { url: string; cookie: string | null; credentials: unknown }[] = []
    vi.stubGlobal('fetch', async (url: string, { headers, credentials }: { headers: Headers; credentials: string }) => {
      asked.push({ url, cookie: headers.get('better-auth-cookie'), credentials })
      return Response.json({}, { headers: { 'set-better-auth-cookie': 'parley.session_token=a.b; Max-Age=60' } })
    })
    const { authFetch, cachedSession, cacheSession, forgetCrossDomain } = await import('./cross-domain.ts')
    await authFetch('/api/auth/sign-in/email', { method: 'POST' })
    await authFetch('/api/auth/token')
    const url = 'https://parley.example/api/auth'
    expect(asked).toEqual([
      { url: `${url}/sign-in/email`, cookie: '', credentials: 'omit' },
      { url: `${url}/token`, cookie: 'parley.session_token=a.b', credentials: 'omit' },
    ])
    const session = { session: { expiresAt: new Date(Date.now() + 60_000).toISOString() } }
    cacheSession(session)
    expect(cachedSession()).toEqual(session)
    cacheSession({ session: { expiresAt: new Date(Date.now() - 1).toISOString() } })
    expect(cachedSession()).toBeNull()
    forgetCrossDomain()
    expect(localStorage.length).toBe(0)
  })
})
