// How long toasts stay.
import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startI18n } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'
import { Toaster } from './toaster.tsx'

const TOAST_MS = 4000
/** sonner takes the toast away after this much animation. */
const LEAVING_MS = 500

beforeAll(() => startI18n('en'))

describe('toasts', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    window.matchMedia ??= () => ({ matches: false, addEventListener() {}, removeEventListener() {} }) as never
    render(<Toaster />)
  })
  afterEach(() => {
    vi.runAllTimers()
    vi.useRealTimers()
  })

  function show(message: string) {
    act(() => void toast.success(message))
    pass(20)
  }
  function pass(milliseconds: number) {
    act(() => void vi.advanceTimersByTime(milliseconds))
  }

  it('leave after four seconds', () => {
    show('Saved')
    pass(TOAST_MS - 100)
    expect(screen.getByText('Saved')).toBeInTheDocument()
    pass(100 + LEAVING_MS)
    expect(screen.queryByText('Saved')).not.toBeInTheDocument()
  })

  it('stay while one of them has the focus, and leave afterwards', () => {
    show('Deleted')
    const close = screen.getByRole('button', { name: 'Close' })
    act(() => close.focus())
    pass(TOAST_MS * 3)
    expect(screen.getByText('Deleted')).toBeInTheDocument()
    act(() => close.blur())
    pass(TOAST_MS + LEAVING_MS)
    expect(screen.queryByText('Deleted')).not.toBeInTheDocument()
  })

  it('are announced politely and named', () => {
    show('Copied')
    expect(screen.getByRole('region', { name: /Notifications/ })).toHaveAttribute('aria-live', 'polite')
  })
})
