// The way from the list to a conversation on a page of its own, and back.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import type { ComponentProps } from 'react'
import { MemoryRouter, Route, Routes, useLocation } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { ConversationPage } from '../conversation-page.tsx'
import type { ConversationPanel } from '../panel/conversation-panel.tsx'
import { ConversationList } from './conversation-list.tsx'
import { keepScroll, readScroll } from './scroll-restoration.ts'

const asked = vi.hoisted(() => vi.fn())
fakeConvex(() => ({
  useQuery: () => undefined,
  usePaginatedQuery: (_query: unknown, _args: unknown, { initialNumItems }: { initialNumItems: number }) => {
    asked(initialNumItems)
    return { results: [], status: 'LoadingFirstPage', loadMore: () => undefined }
  },
}))
vi.mock('../panel/conversation-panel.tsx', () => ({
  ConversationPanel: ({ onClose }: ComponentProps<typeof ConversationPanel>) => (
    <button type="button" onClick={onClose}>
      Back
    </button>
  ),
}))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})
beforeEach(() => {
  sessionStorage.clear()
  asked.mockClear()
})

const left = { offset: 900, seen: [], firstId: 'c0', loaded: 150, openedId: null, isToReveal: false }

function Address() {
  const { pathname, search } = useLocation()
  return <output>{pathname + search}</output>
}

it('what was loaded of a list is loaded at once when it is shown again, as much as is sent at once', () => {
  const list = (search: string) =>
    render(
      <MemoryRouter>
        <NuqsTestingAdapter searchParams={search}>
          <ConversationList
            filter={{}}
            isFiltered={false}
            selectedId={null}
            isUnused={false}
            onCount={() => undefined}
          />
        </NuqsTestingAdapter>
      </MemoryRouter>,
    )
  keepScroll('', left)
  keepScroll('?status=ended', { ...left, loaded: 7000 })
  list('')
  list('?status=ended')
  list('?status=paused')
  expect(asked.mock.calls.flat()).toEqual([150, 500, 50])
})

it('a conversation that is open on a page of its own is the one to which its list leads back, under the same filters', async () => {
  keepScroll('?status=paused', left)
  render(
    <MemoryRouter initialEntries={['/conversations/c7?status=paused']}>
      <NuqsTestingAdapter searchParams="?status=paused">
        <Address />
        <Routes>
          <Route path="/conversations/:conversationId" element={<ConversationPage />} />
        </Routes>
      </NuqsTestingAdapter>
    </MemoryRouter>,
  )
  await userEvent.setup().click(screen.getByRole('button', { name: 'Back' }))
  expect(screen.getByText('/chats?status=paused')).toBeInTheDocument()
  expect(readScroll('?status=paused')).toEqual({ ...left, openedId: 'c7', isToReveal: true })
})
