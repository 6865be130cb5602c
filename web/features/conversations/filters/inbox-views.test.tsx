// Views of the inbox: what the address says is what is shown, kept, and marked.
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { NuqsAdapter } from 'nuqs/adapters/react-router/v8'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { InboxView } from '#shared/messaging/views.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { SearchField } from '../list/search-field.tsx'
import { useDefaultView } from './inbox-view-query.ts'
import { InboxViews } from './inbox-views.tsx'

const called = vi.fn()
fakeConvex(() => ({
  useMutation: (ref: Parameters<typeof getFunctionName>[0]) => async (args: unknown) => {
    called(getFunctionName(ref), args)
  },
}))

const user = userEvent.setup()
const waiting = view({ name: 'Waiting', query: '?status=paused&sort=waiting', isShared: true })
const mine = view({ name: 'Mine', query: '?assignee=me&unknown=1' })
const refunds = view({ name: 'Refunds', query: '?tag=vip&q=refund+money' })

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})
beforeEach(() => void called.mockClear())

function view(view: Partial<InboxView>): InboxView {
  return { _id: view.name, isShared: false, isDefault: false, ...view } as InboxView
}

/** The page, at an address. */
function open(address: string, views: InboxView[]) {
  function Page() {
    const isDecided = useDefaultView(views)
    return (
      <>
        <SearchField />
        {isDecided && <InboxViews views={views} />}
      </>
    )
  }
  const element = (
    <NuqsAdapter>
      <Page />
    </NuqsAdapter>
  )
  window.history.replaceState(null, '', address)
  render(<RouterProvider router={createBrowserRouter([{ path: '/chats', element }])} />)
}

const link = (name: string | RegExp) => screen.getByRole('link', { name })

it('marks the view that the address shows, in whatever order it says so', () => {
  open('/chats?sort=waiting&status=paused', [waiting, mine])
  expect(link(/Waiting/)).toHaveAttribute('aria-current', 'true')
  expect(link(/Mine/)).not.toHaveAttribute('aria-current')
  expect(link(/Mine/)).toHaveAttribute('href', '/chats?assignee=me')
  expect(screen.queryByRole('button', { name: 'Save view' })).not.toBeInTheDocument()
})

it('keeps what is shown under a name, for one or for all', async () => {
  open('/chats?tag=vip&conversation=c1&q=refund', [])
  await user.click(screen.getByRole('button', { name: 'Save view' }))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(screen.getByText('From 1 to 60 characters.')).toBeVisible()
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'VIP')
  await user.click(screen.getByRole('radio', { name: /Everyone/ }))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(called).toHaveBeenCalledWith('conversations/views:create', {
    name: 'VIP',
    query: '?tag=vip&q=refund',
    isShared: true,
  })
})

it('renames, removes, and chooses the one to begin with', async () => {
  open('/chats?assignee=me', [waiting, mine])
  const choose = async (item: string) => {
    await user.click(screen.getByRole('button', { name: 'Actions for the view “Mine”' }))
    await user.click(await screen.findByRole('menuitem', { name: item }))
  }
  await choose('Open this view first')
  expect(called).toHaveBeenLastCalledWith('conversations/views:setDefault', { viewId: 'Mine' })
  await choose('Rename or share…')
  await user.type(screen.getByRole('textbox', { name: 'Name' }), ' only{Enter}')
  const renamed = { viewId: 'Mine', name: 'Mine only', isShared: false }
  expect(called).toHaveBeenLastCalledWith('conversations/views:update', renamed)
  await choose('Delete')
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  expect(called).toHaveBeenLastCalledWith('conversations/views:remove', { viewId: 'Mine' })
})

it('begins with the reader’s own view when the address says nothing, and shows everything to who asks for it', async () => {
  open('/chats', [waiting, { ...mine, isDefault: true }])
  await expect.poll(() => window.location.search).toBe('?assignee=me')
  expect(link(/Mine/)).toHaveAttribute('aria-current', 'true')
  await act(() => user.click(link('All')))
  expect(window.location.search).toBe('')
  expect(link('All')).toHaveAttribute('aria-current', 'true')
})

it('keeps the words that are searched for, and searches for them again wherever it is opened from', async () => {
  open('/chats?status=paused&q=bread', [refunds, waiting])
  const words = screen.getByRole('textbox', { name: 'Search conversations' })
  expect(link(/Refunds/)).not.toHaveAttribute('aria-current')
  await act(() => user.click(link(/Refunds/)))
  expect(link(/Refunds/)).toHaveAttribute('aria-current', 'true')
  expect(words).toHaveValue('refund money')
  await new Promise((resolve) => setTimeout(resolve, 400)) // as long as the field waits for more to be typed
  expect(new URLSearchParams(window.location.search).get('q')).toBe('refund money')
  await user.type(words, ' back')
  await expect.poll(() => new URLSearchParams(window.location.search).get('q')).toBe('refund money back')
  expect(words).toHaveValue('refund money back')
  await act(() => user.click(link(/Waiting/)))
  expect(window.location.search).toBe('?status=paused&sort=waiting')
  expect(words).toHaveValue('')
})

it('begins with the words of the reader’s own view', async () => {
  open('/chats', [{ ...refunds, isDefault: true }])
  await expect.poll(() => link(/Refunds/)).toHaveAttribute('aria-current', 'true')
  expect(screen.getByRole('textbox', { name: 'Search conversations' })).toHaveValue('refund money')
})

it('leaves an address alone that says something', () => {
  open('/chats?conversation=c1', [{ ...mine, isDefault: true }])
  expect(window.location.search).toBe('?conversation=c1')
})
