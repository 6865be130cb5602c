// The banner of an outage on the screens, and what a failure is called meanwhile.
import { act, render, screen } from '@testing-library/react'
import { ConvexError } from 'convex/values'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { describeError, HttpError } from '#web/lib/errors.ts'
import { startI18n } from '#web/lib/i18n.ts'
import { watchDatabase } from '#web/lib/server/database-health.ts'
import { describeAuthError } from '#web/lib/sign-in/auth-errors.ts'
import { OutageBanner } from './outage-banner.tsx'

let database = 'ok'
let stop = () => {}

beforeAll(() => startI18n('en'))
beforeEach(() => {
  vi.useFakeTimers()
  database = 'ok'
  vi.stubGlobal('fetch', async () => Response.json({ database }, { status: database === 'ok' ? 200 : 503 }))
  stop = watchDatabase()
})
afterEach(async () => {
  await becomes('ok')
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function becomes(next: string) {
  database = next
  await act(() => vi.advanceTimersByTimeAsync(2000))
}

describe('during an outage of the database', () => {
  it('a banner comes by itself and goes by itself', async () => {
    render(<OutageBanner />)
    await becomes('ok')
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
    await becomes('unavailable')
    expect(screen.getByRole('alert')).toHaveTextContent('The database is unavailable.')
    await becomes('ok')
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })

  it('a failure is never called a bare server error', async () => {
    const bare = new Error('[CONVEX M(agents:create)] [Request ID: 7f3] Server Error')
    expect(describeError(bare).code).toBe('server_error')
    expect(describeError(new ConvexError({ code: 'database_unavailable' })).code).toBe('database_unavailable')
    await becomes('unavailable')
    expect(describeError(bare).code).toBe('database_unavailable')
    expect(describeError(new HttpError(500, 'Internal Server Error')).code).toBe('database_unavailable')
    expect(describeError(new ConvexError({ code: 'slug_taken' })).code).toBe('slug_taken')
    expect(describeError(new TypeError('Failed to fetch')).code).toBe('network')
  })

  it('signing in says so too', async () => {
    const words = describeError(new ConvexError({ code: 'database_unavailable' })).message
    expect(describeAuthError(new HttpError(503, '', 'database_unavailable'), 'Failed')).toBe(words)
    expect(describeAuthError(new HttpError(500, ''), 'Failed')).toBe('Failed')
    await becomes('unavailable')
    expect(describeAuthError(new HttpError(500, ''), 'Failed')).toBe(words)
  })
})
