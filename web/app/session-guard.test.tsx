// Who gets through the guards, and what the others see.
import { act, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { startI18n } from '#web/lib/i18n.ts'
import { watchDatabase } from '#web/lib/server/database-health.ts'
import { SessionProvider } from '#web/lib/sign-in/session.tsx'
import { GuestGuard } from './guest-guard.tsx'
import { SessionGuard } from './session-guard.tsx'

beforeAll(() => startI18n('en'))
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function open(path: string, fetch: () => Promise<Response>) {
  vi.stubGlobal('fetch', fetch)
  const router = createMemoryRouter(
    [
      { element: <GuestGuard />, children: [{ path: '/signin', element: <h1>Sign in</h1> }] },
      { path: '/', element: <SessionGuard />, children: [{ path: '*', element: <h1>Inside</h1> }] },
    ],
    { initialEntries: [path] },
  )
  render(
    <SessionProvider>
      <RouterProvider router={router} />
    </SessionProvider>,
  )
  return router
}

describe('the session guard', () => {
  it('sends people without a session to sign in, and remembers page and query', async () => {
    const router = open('/chats?status=paused', async () => Response.json(null))
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible()
    const { pathname, search } = router.state.location
    expect(pathname).toBe('/signin')
    expect(new URLSearchParams(search).get('from')).toBe('/chats?status=paused')
  })

  it('shows a skeleton after 100 ms while the session is being looked for', () => {
    vi.useFakeTimers()
    open('/agents', () => new Promise(() => {}))
    act(() => void vi.advanceTimersByTime(99))
    expect(screen.queryByRole('status')).not.toBeInTheDocument()
    act(() => void vi.advanceTimersByTime(1))
    expect(screen.getByRole('status')).toHaveTextContent('Loading…')
  })

  it('says that the server cannot be reached when it cannot', async () => {
    open('/agents', async () => {
      throw new TypeError('Failed to fetch')
    })
    expect(await screen.findByRole('heading', { name: 'The server could not be reached' })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible()
  })

  it('names an outage of the database, and goes on by itself when that is over', async () => {
    vi.useFakeTimers()
    let database = 'unavailable'
    const answer = async (url: string) => {
      const status = database === 'ok' ? 200 : 503
      if (url.includes('health')) return Response.json({ database }, { status })
      return Response.json(status === 200 ? null : { code: 'database_unavailable' }, { status })
    }
    const stop = watchDatabase()
    open('/agents', answer as () => Promise<Response>)
    await act(() => vi.advanceTimersByTimeAsync(2000))
    expect(screen.getByRole('heading', { name: 'The database is unavailable' })).toBeVisible()
    database = 'ok'
    await act(() => vi.advanceTimersByTimeAsync(3000))
    expect(screen.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    stop()
  })

  it.each([
    ['exchanges one that this tab has asked for', 'verifier', ['/api/auth/cross-domain/one-time-token/verify ?tab=2']],
    ['lets be one that it has not asked for', null, []],
  ])('takes a one-time token out of the address before anything else, and %s', async (_what, verifier, exchanges) => {
    if (verifier) sessionStorage.setItem('parley-ott-verifier', verifier)
    window.history.replaceState(null, '', '/agents?ott=secret&tab=2')
    const asked: string[] = []
    open('/agents', (async (url: string) => {
      asked.push(`${url} ${window.location.search}`)
      return Response.json(null, { status: url.includes('one-time-token') ? 400 : 200 })
    }) as () => Promise<Response>)
    await screen.findByRole('heading', { name: 'Sign in' })
    // On a busy machine the session is asked for again before the page is there.
    expect([...new Set(asked)]).toEqual([...exchanges, '/api/auth/get-session ?tab=2'])
  })
})
