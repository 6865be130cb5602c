// Leaving with unsaved changes, inside the product and in the browser.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, Link, RouterProvider } from 'react-router'
import { beforeAll, describe, expect, it } from 'vitest'
import { startI18n } from '#web/lib/i18n.ts'
import { UnsavedGuard } from './unsaved-guard.tsx'

beforeAll(() => startI18n('en'))

function open(isDirty: boolean) {
  const router = createMemoryRouter(
    [
      {
        path: '/form',
        element: (
          <>
            <h1>Form</h1>
            <Link to="/elsewhere">Go</Link>
            <Link to="/form?tab=2">Same page</Link>
            <UnsavedGuard isDirty={isDirty} />
          </>
        ),
      },
      { path: '/elsewhere', element: <h1>Elsewhere</h1> },
    ],
    { initialEntries: ['/form'] },
  )
  render(<RouterProvider router={router} />)
  return { user: userEvent.setup(), router }
}

/** Whether the browser would ask before closing the tab. */
function closesFreely(): boolean {
  return window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

describe('a page with unsaved changes', () => {
  it('is not left until the question is answered', async () => {
    const { user } = open(true)
    await user.click(screen.getByText('Go'))
    expect(await screen.findByRole('alertdialog', { name: 'Leave without saving?' })).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Stay' }))
    expect(screen.getByRole('heading', { name: 'Form' })).toBeInTheDocument()
    await user.click(screen.getByText('Go'))
    await user.click(await screen.findByRole('button', { name: 'Leave' }))
    expect(await screen.findByRole('heading', { name: 'Elsewhere' })).toBeInTheDocument()
  })

  it('does not ask when only the query changes', async () => {
    const { user, router } = open(true)
    await user.click(screen.getByText('Same page'))
    expect(router.state.location.search).toBe('?tab=2')
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument()
  })

  it('makes the browser ask before the tab is closed', () => {
    open(true)
    expect(closesFreely()).toBe(false)
  })
})

describe('a page without changes', () => {
  it('is left at once, and the tab closes freely', async () => {
    const { user } = open(false)
    expect(closesFreely()).toBe(true)
    await user.click(screen.getByText('Go'))
    expect(await screen.findByRole('heading', { name: 'Elsewhere' })).toBeInTheDocument()
  })
})
