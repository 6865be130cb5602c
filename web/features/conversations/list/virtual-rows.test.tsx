// Visible rows keep their place on screen: while others are inserted, and when the list is closed and shown again.
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { MemoryRouter } from 'react-router'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Conversation } from '#shared/messaging/conversations.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { TooltipProvider } from '#web/components/ui/tooltip.tsx'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { ROW_HEIGHT_PX } from './conversation-row.tsx'
import { keepOpened, shiftOf } from './scroll-restoration.ts'
import { VirtualRows } from './virtual-rows.tsx'

fakeConvex(() => ({
  useQuery: () => undefined,
  useMutation: () => vi.fn(),
  useAction: () => vi.fn(),
}))
vi.mock('#web/lib/sign-in/current-user.tsx', () => ({
  useCurrentUser: () => ({ _id: 'me', organizationRole: 'owner' }),
}))
vi.mock('#web/lib/browser/use-is-wide.ts', () => ({ useIsWide: () => false }))

/** Number of visible rows. */
const SEEN = 5
beforeAll(async () => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(SEEN * ROW_HEIGHT_PX)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(360)
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(1000 * ROW_HEIGHT_PX)
  Element.prototype.scrollTo = function (this: Element, options?: ScrollToOptions | number) {
    this.scrollTop = typeof options === 'object' ? (options.top ?? 0) : 0
  } as Element['scrollTo']
  await startI18n('en')
  await loadTexts('conversations')
})
afterAll(() => vi.restoreAllMocks())
beforeEach(() => sessionStorage.clear())

const named = (name: string) =>
  ({
    _id: name,
    customer: { name },
    status: 'active',
    tags: [],
    unreadCount: 0,
    createdAt: 0,
    channel: 'telegram',
  }) as unknown as Conversation
const numbered = Array.from({ length: 100 }, (_, index) => named(`c${index}`))
const ids = (list: Conversation[]) => list.map(({ _id }) => _id)

function page(conversations: Conversation[], search = '', selectedId: string | null = null) {
  return (
    <MemoryRouter>
      <NuqsTestingAdapter searchParams={search}>
        <TooltipProvider>
          <VirtualRows conversations={conversations} selectedId={selectedId} />
        </TooltipProvider>
      </NuqsTestingAdapter>
    </MemoryRouter>
  )
}
const list = () => screen.getByRole('list')
const viewport = () => list().parentElement as HTMLElement
/** What browsers do before the next paint. */
function settle() {
  fireEvent.scroll(viewport())
}
function scrollTo(top: number) {
  viewport().scrollTop = top
  settle()
}
/** The vertical position of a row in the window. */
function seenAt(name: string): number | undefined {
  const row = document.querySelector<HTMLElement>(`[data-conversation="${name}"]`)
  const start = /translateY\((\d+)px\)/.exec(row?.style.transform ?? '')?.[1]
  return start === undefined ? undefined : Number(start) - viewport().scrollTop
}

it('new conversations above do not move the visible rows, and are counted', () => {
  const { rerender } = render(page(numbered))
  scrollTo(30 * ROW_HEIGHT_PX + 7)
  expect(seenAt('c30')).toBe(-7)
  rerender(page([...['n1', 'n2', 'n3'].map(named), ...numbered]))
  settle()
  expect(seenAt('c30')).toBe(-7)
  expect(seenAt('c34')).toBe(4 * ROW_HEIGHT_PX - 7)
  expect(screen.getByRole('button', { name: '3 new' })).toBeInTheDocument()
})

it('nor do more than are rendered around the visible ones', () => {
  const { rerender } = render(page(numbered))
  scrollTo(30 * ROW_HEIGHT_PX)
  rerender(page([...Array.from({ length: 60 }, (_, index) => named(`n${index}`)), ...numbered]))
  settle()
  expect(seenAt('c30')).toBe(0)
})

it('a conversation that moves up from below, or leaves from above, moves nothing', () => {
  const { rerender } = render(page(numbered))
  scrollTo(30 * ROW_HEIGHT_PX)
  const up = [named('c80'), ...numbered.filter(({ _id }) => _id !== ('c80' as string))]
  rerender(page(up))
  settle()
  expect(seenAt('c30')).toBe(0)
  rerender(page(up.filter(({ _id }) => _id !== ('c3' as string))))
  settle()
  expect(seenAt('c30')).toBe(0)
})

it('the first visible row does not move the reader when it goes to the top', () => {
  const { rerender } = render(page(numbered))
  scrollTo(30 * ROW_HEIGHT_PX)
  rerender(page([named('c30'), ...numbered.filter(({ _id }) => _id !== ('c30' as string))]))
  settle()
  expect(seenAt('c31')).toBe(ROW_HEIGHT_PX)
})

it('at the top the list is live', () => {
  const { rerender } = render(page(numbered))
  rerender(page([named('n1'), ...numbered]))
  settle()
  expect(seenAt('n1')).toBe(0)
  expect(screen.queryByRole('button', { name: /new/ })).toBeNull()
})

it('a list shown again keeps its scroll position, with new conversations above, separately for each filter', () => {
  render(page(numbered))
  scrollTo(30 * ROW_HEIGHT_PX + 7)
  cleanup()
  render(page([...['n1', 'n2'].map(named), ...numbered]))
  settle()
  expect(seenAt('c30')).toBe(-7)
  expect(screen.getByRole('button', { name: '2 new' })).toBeInTheDocument()
  cleanup()
  render(page(numbered, '?status=paused'))
  settle()
  expect(seenAt('c0')).toBe(0)
})

it('the conversation that was opened from the list is marked there, and scrolled to', () => {
  render(page(numbered))
  scrollTo(30 * ROW_HEIGHT_PX)
  cleanup()
  keepOpened('', 'c32')
  render(page(numbered))
  settle()
  expect(seenAt('c30')).toBe(0)
  expect(screen.getByRole('link', { current: true })).toHaveTextContent('c32')
  cleanup()
  keepOpened('', 'c60') // reached by "next", without going back
  act(() => void render(page(numbered)))
  settle()
  expect(seenAt('c60')).toBeGreaterThanOrEqual(0)
  expect(seenAt('c60')).toBeLessThan(SEEN * ROW_HEIGHT_PX)
})

it('a link to a conversation scrolls to it; a reader who has scrolled away from the open one stays there', () => {
  render(page(numbered))
  scrollTo(30 * ROW_HEIGHT_PX)
  cleanup()
  render(page(numbered, '', 'c2'))
  settle()
  expect(seenAt('c2')).toBe(0)
  scrollTo(30 * ROW_HEIGHT_PX)
  cleanup()
  render(page(numbered, '', 'c2'))
  settle()
  expect(seenAt('c30')).toBe(0)
})

it('the majority of the visible rows decides how far the list has moved', () => {
  const seen = ids(numbered.slice(10, 15)).map((id, index) => ({ id, index: index + 10 }))
  expect(shiftOf(seen, ids(numbered))).toBe(0)
  expect(shiftOf(seen, ['new', ...ids(numbered)])).toBe(1)
  expect(shiftOf(seen, ids(numbered.slice(4)))).toBe(-4)
  expect(shiftOf(seen, ['other'])).toBe(0)
  expect(shiftOf([], ids(numbered))).toBe(0)
})
