// What is read in the list stays where it is: while others come, and when the list is left and shown again.
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
vi.mock('#web/lib/sign-in/current-user.tsx', () => ({ useCurrentUser: () => ({ _id: 'me' }) }))
vi.mock('#web/lib/browser/use-is-wide.ts', () => ({ useIsWide: () => false }))

/** Rows that can be seen at once. */
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
/** What browsers do by themselves before they draw again. */
function settle() {
  fireEvent.scroll(viewport())
}
function scrollTo(top: number) {
  viewport().scrollTop = top
  settle()
}
/** At which height of the window a row is seen. */
function seenAt(name: string): number | undefined {
  const row = document.querySelector<HTMLElement>(`[data-conversation="${name}"]`)
  const start = /translateY\((\d+)px\)/.exec(row?.style.transform ?? '')?.[1]
  return start === undefined ? undefined : Number(start) - viewport().scrollTop
}

it('new conversations above push nothing away that is read, and are counted', () => {
  const { rerender } = render(page(numbered))
  scrollTo(30 * ROW_HEIGHT_PX + 7)
  expect(seenAt('c30')).toBe(-7)
  rerender(page([...['n1', 'n2', 'n3'].map(named), ...numbered]))
  settle()
  expect(seenAt('c30')).toBe(-7)
  expect(seenAt('c34')).toBe(4 * ROW_HEIGHT_PX - 7)
  expect(screen.getByRole('button', { name: '3 new' })).toBeInTheDocument()
})

it('more than are drawn around what is seen push nothing away either', () => {
  const { rerender } = render(page(numbered))
  scrollTo(30 * ROW_HEIGHT_PX)
  rerender(page([...Array.from({ length: 60 }, (_, index) => named(`n${index}`)), ...numbered]))
  settle()
  expect(seenAt('c30')).toBe(0)
})

it('a conversation that comes up from below, or that leaves from above, moves nothing', () => {
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

it('the first row that is seen takes nobody along when it goes to the top', () => {
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

it('a list that is left and shown again stands where it stood, with what has come meanwhile above, each filter by itself', () => {
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

it('the conversation that was opened from the list is marked there, and brought before the eyes', () => {
  render(page(numbered))
  scrollTo(30 * ROW_HEIGHT_PX)
  cleanup()
  keepOpened('', 'c32')
  render(page(numbered))
  settle()
  expect(seenAt('c30')).toBe(0)
  expect(screen.getByRole('link', { current: true })).toHaveTextContent('c32')
  cleanup()
  keepOpened('', 'c60') // reached step by step, without going back
  act(() => void render(page(numbered)))
  settle()
  expect(seenAt('c60')).toBeGreaterThanOrEqual(0)
  expect(seenAt('c60')).toBeLessThan(SEEN * ROW_HEIGHT_PX)
})

it('a link to a conversation brings it before the eyes; who has scrolled away from the open one is left there', () => {
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

it('most of what is seen says by how much the list has moved', () => {
  const seen = ids(numbered.slice(10, 15)).map((id, index) => ({ id, index: index + 10 }))
  expect(shiftOf(seen, ids(numbered))).toBe(0)
  expect(shiftOf(seen, ['new', ...ids(numbered)])).toBe(1)
  expect(shiftOf(seen, ids(numbered.slice(4)))).toBe(-4)
  expect(shiftOf(seen, ['other'])).toBe(0)
  expect(shiftOf([], ids(numbered))).toBe(0)
})
