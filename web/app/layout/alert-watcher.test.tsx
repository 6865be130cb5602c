// The tab title counts unread conversations, and the icon is marked while there are alerts. New alerts show a toast; those that existed on
// load, or whose conversation is on screen, do not.
import { render, screen } from '@testing-library/react'
import { getFunctionName } from 'convex/server'
import { MemoryRouter } from 'react-router'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { type Alert, defaultAlerts, type QuietHours } from '#shared/organizations/alerts.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { noteOpen } from '#web/lib/alerts.ts'
import { setTitle } from '#web/lib/browser/tab-badge.ts'
import { startI18n } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'
import { AlertWatcher } from './alert-watcher.tsx'
import { UnreadBadge } from './unread-badge.tsx'

let alerts: Alert[] = []
let unread = { count: 0, isMore: false }
let quietHours: QuietHours | null = null
let language: 'ru' | 'en' = 'en'
const setLanguage = vi.fn(() => Promise.resolve(null))
fakeConvex(() => ({
  useQuery: (name: Parameters<typeof getFunctionName>[0]) => {
    if (getFunctionName(name) === 'alerts:list') return alerts
    if (getFunctionName(name) === 'conversations:unread') return unread
    return { ...defaultAlerts('operator', { timeZone: 'UTC', language }), quietHours }
  },
  useMutation: () => setLanguage,
}))

const page = (
  <MemoryRouter>
    <AlertWatcher />
  </MemoryRouter>
)

function alert(name: string, more: Partial<Alert> = {}): Alert {
  const conversationId = `c-${name}` as Id<'conversations'>
  const base = {
    _id: name as Id<'alerts'>,
    kind: 'handoff',
    isInBrowser: true,
    preview: null,
    event: null,
    by: null,
    agentSlug: null,
    at: 0,
  } as const
  return { ...base, conversationId, name, ...more }
}

const notice = vi.spyOn(toast, 'notice').mockImplementation(() => '')
const icon = document.createElement('link')
const mark = () => icon.getAttribute('href')

beforeAll(() => startI18n('en'))
beforeEach(() => {
  notice.mockClear()
  quietHours = null
  language = 'en'
  setLanguage.mockClear()
  alerts = [alert('Old')]
  unread = { count: 0, isMore: false }
  icon.rel = 'icon'
  icon.href = '/favicon.svg'
  document.head.append(icon)
  setTitle('Inbox · Parley')
})

afterAll(() => icon.remove())

it('shows the same unread count in the title as the inbox badge, whatever the number of alerts', () => {
  unread = { count: 9, isMore: false }
  const { unmount } = render(
    <MemoryRouter>
      <AlertWatcher />
      <UnreadBadge />
    </MemoryRouter>,
  )
  expect(screen.getByText('9')).toBeInTheDocument()
  expect(document.title).toBe('(9) Inbox · Parley')
  unmount()
  expect(document.title).toBe('Inbox · Parley')
  unread = { count: 99, isMore: true }
  render(page)
  expect(document.title).toBe('(99+) Inbox · Parley')
})

it('marks the icon, and shows a toast for new alerts', () => {
  const { rerender, unmount } = render(page)
  expect([mark(), document.title]).toEqual(['/favicon-alert.svg', 'Inbox · Parley'])
  expect(notice).not.toHaveBeenCalled()
  alerts = [alert('New'), ...alerts]
  rerender(
    <MemoryRouter>
      <AlertWatcher />
    </MemoryRouter>,
  )
  expect(notice.mock.calls.map(([text]) => text)).toEqual(['New is waiting for a person'])
  unmount()
  expect(mark()).toBe('/favicon.svg')
})

it('shows no toast in quiet hours, for kinds not wanted in the browser, or for a conversation on screen', () => {
  const { rerender } = render(page)
  const close = noteOpen('c-Seen' as Id<'conversations'>)
  alerts = [alert('Seen'), alert('Mail', { isInBrowser: false }), ...alerts]
  rerender(
    <MemoryRouter>
      <AlertWatcher />
    </MemoryRouter>,
  )
  close()
  quietHours = { from: new Date().getUTCHours(), to: (new Date().getUTCHours() + 2) % 24 }
  alerts = [alert('Night'), ...alerts]
  rerender(
    <MemoryRouter>
      <AlertWatcher />
    </MemoryRouter>,
  )
  expect(notice).not.toHaveBeenCalled()
  alerts = [alert('Mail', { isInBrowser: false })]
  rerender(
    <MemoryRouter>
      <AlertWatcher />
    </MemoryRouter>,
  )
  expect(mark()).toBe('/favicon.svg')
})

it('reports the language of the interface once, and only when the server has another one', () => {
  render(page).unmount()
  expect(setLanguage).not.toHaveBeenCalled()
  language = 'ru'
  const { rerender } = render(page)
  language = 'en'
  rerender(page)
  language = 'ru'
  rerender(page)
  expect(setLanguage.mock.calls).toEqual([[{ language: 'en' }]])
})
