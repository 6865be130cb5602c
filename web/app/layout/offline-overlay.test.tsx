// When the offline overlay appears, and how it goes away.
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { startI18n } from '#web/lib/i18n.ts'
import { watchDatabase } from '#web/lib/server/database-health.ts'
import { OfflineOverlay } from './offline-overlay.tsx'

const connection = vi.hoisted(() => ({ isConnected: true, hasEverConnected: true, reconnectNow: () => {} }))
fakeConvex(() => ({
  useConnection: () => ({ ...connection }),
  reconnectNow: () => connection.reconnectNow(),
}))

beforeAll(() => startI18n('en'))

describe('the offline overlay', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    // jsdom has the element but not its behaviour.
    HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
      this.open = true
    }
    HTMLDialogElement.prototype.close ??= () => {}
    Object.assign(connection, { isConnected: false, hasEverConnected: true })
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))

  it('appears after the connection has been lost for 1.5 s, not before', async () => {
    render(<OfflineOverlay />)
    await pass(1499)
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument()
    await pass(1)
    expect(screen.getByRole('alertdialog', { name: 'No connection to the server' })).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Reload the page' })).toBeInTheDocument()
  })

  it('stays hidden when the connection is back in time, and restarts the delay', async () => {
    const { rerender } = render(<OfflineOverlay />)
    await pass(1400)
    connection.isConnected = true
    rerender(<OfflineOverlay />)
    connection.isConnected = false
    rerender(<OfflineOverlay />)
    await pass(1400)
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument()
  })

  it('closes by itself when the connection is back', async () => {
    const { rerender } = render(<OfflineOverlay />)
    await pass(1500)
    connection.isConnected = true
    rerender(<OfflineOverlay />)
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument()
  })

  it('names the database when the server answers and its database does not', async () => {
    vi.stubGlobal('fetch', async () => Response.json({ database: 'unavailable' }, { status: 503 }))
    const stop = watchDatabase()
    render(<OfflineOverlay />)
    await pass(2000)
    expect(screen.getByRole('alertdialog', { name: 'The database is unavailable' })).toBeInTheDocument()
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch')
    })
    await pass(2000)
    expect(screen.getByRole('alertdialog', { name: 'No connection to the server' })).toBeInTheDocument()
    stop()
  })

  it('keeps what is typed in the page below', async () => {
    const page = () => (
      <>
        <textarea aria-label="Reply" />
        <OfflineOverlay />
      </>
    )
    connection.isConnected = true
    const { rerender } = render(page())
    fireEvent.change(screen.getByRole('textbox'), { target: { value: 'Half a' } })
    connection.isConnected = false
    rerender(page())
    await pass(1500)
    expect(screen.getByRole('alertdialog')).toBeInTheDocument()
    connection.isConnected = true
    rerender(page())
    expect(screen.getByRole('textbox')).toHaveValue('Half a')
  })

  it('stays hidden before the first connection', async () => {
    connection.hasEverConnected = false
    render(<OfflineOverlay />)
    await pass(10_000)
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument()
  })

  it('reconnects as soon as the server is ready', async () => {
    connection.reconnectNow = vi.fn()
    const fetch = vi.fn().mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue(new Response())
    vi.stubGlobal('fetch', fetch)
    render(<OfflineOverlay />)
    await pass(1500)
    await pass(2000)
    expect(connection.reconnectNow).not.toHaveBeenCalled()
    await pass(2000)
    expect(connection.reconnectNow).toHaveBeenCalledTimes(1)
  })
})
