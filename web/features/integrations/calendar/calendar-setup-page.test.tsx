// The five tabs of a calendar's setup in the states that they can be in.
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { type CalendarConnection, DEFAULT_CALENDAR_SETTINGS } from '#shared/integrations/calendar.ts'
import type { CurrentUser } from '#shared/organizations/organizations.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { queryClient } from '#web/lib/server/query-client.ts'
import { CurrentUserProvider } from '#web/lib/sign-in/current-user.tsx'
import { CalendarSetupPage } from './calendar-setup-page.tsx'

vi.setConfig({ testTimeout: 60_000 })

type Named = Parameters<typeof getFunctionName>[0]

const agentId = 'a'.repeat(32) as Id<'agents'>
const CONNECTED: CalendarConnection = {
  ...{ agentId, status: 'connected', account: 'salon@example.com', connectedBy: 'Anna' },
  ...{ connectedAt: 1_780_000_000_000, checkedAt: 1_780_000_000_000, lostAt: null },
}
const ENTRIES = [
  { id: 'salon@example.com', name: 'Salon', isPrimary: true, isOwned: true, timeZone: 'Asia/Almaty' },
  { id: 'master@example.com', name: 'Master', isPrimary: false, isOwned: false, timeZone: 'Asia/Almaty' },
]

let connection: CalendarConnection | null
let isConfigured: boolean
const called = vi.fn()

fakeConvex(() => ({
  useQuery: (name: Named) => {
    const path = getFunctionName(name)
    if (path === 'agents:list') return [{ _id: agentId, slug: 'salon', name: 'Salon agent' }]
    return { connection, settings: DEFAULT_CALENDAR_SETTINGS }
  },
  useAction: (name: Named) => (args: object) => answer(getFunctionName(name), args),
  useMutation: (name: Named) => (args: object) => answer(getFunctionName(name), args),
}))

async function answer(path: string, args: object): Promise<unknown> {
  if (path.endsWith(':installation')) return { isConfigured, callbackUrl: 'https://parley.example/callback' }
  if (path.endsWith(':calendars')) return ENTRIES
  called(path, args)
  return null
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('integrations', 'agents')
})
beforeEach(() => {
  queryClient.clear()
  called.mockReset()
  connection = CONNECTED
  isConfigured = true
})

async function open(search: string) {
  const organization = { _id: 'o', name: 'Salon & Co', displayName: '', timeZone: 'Asia/Almaty' }
  const user = { _id: 'me', email: 'me@example.com', name: 'Me', organizationRole: 'owner', organization }
  const element = (
    <NuqsTestingAdapter searchParams={search} hasMemory>
      <QueryClientProvider client={queryClient}>
        <CurrentUserProvider user={user as unknown as CurrentUser}>
          <CalendarSetupPage />
        </CurrentUserProvider>
      </QueryClientProvider>
    </NuqsTestingAdapter>
  )
  const router = createMemoryRouter([{ path: '/', element }], { initialEntries: ['/'] })
  render(<RouterProvider router={router} />)
  await screen.findByRole('tablist')
}

it('says what an administrator has to set up where nothing is configured', async () => {
  isConfigured = false
  connection = null
  await open('')
  expect(await screen.findByText('GOOGLE_CALENDAR_CLIENT_SECRET')).toBeVisible()
  expect(screen.getByText('https://parley.example/callback')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Connect Google Calendar' })).toBeNull()
  await expectAccessible()
})

it('says that a consent is gone, and how the last one ended', async () => {
  connection = { ...CONNECTED, status: 'reauthorization_required', lostAt: 1_780_000_000_000 }
  await open('?result=scope')
  expect(screen.getByText(/all three permissions/)).toBeVisible()
  expect(screen.getAllByText('Reauthorization required')[0]).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Connect again' })).toBeEnabled()
})

it('chooses calendars, and for bookings only from those that the account owns', async () => {
  await open('?tab=calendars')
  await userEvent.click(await screen.findByRole('checkbox', { name: /Master/ }))
  expect(screen.getByText('Choose the calendar for bookings.')).toBeVisible()
  await userEvent.click(screen.getByRole('combobox', { name: 'Bookings go into' }))
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Salon (main calendar)'])
})

it('refuses a placeholder that there is not, and previews the others', async () => {
  await open('?tab=templates')
  const title = screen.getByRole('textbox', { name: 'Title' })
  await userEvent.clear(title)
  await userEvent.type(title, '{{{{customer}} {{{{price}}')
  expect(screen.getByText('There is no such placeholder: price.')).toBeVisible()
  await userEvent.clear(title)
  await userEvent.type(title, '{{{{customer}}: {{{{note}}')
  expect(screen.getByRole('region', { name: 'Preview' })).toHaveTextContent('Aigul Serikova: Haircut and styling')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(called).toHaveBeenCalledWith('integrations/calendar:saveTemplates', expect.objectContaining({ agentId }))
})

it('chooses when customers are reminded, up to three times, and never', async () => {
  await open('?tab=reminders')
  const moment = (name: string) => screen.getByRole('checkbox', { name })
  expect(moment('24 h before')).toBeChecked()
  await userEvent.click(moment('30 min before'))
  expect(moment('48 h before')).toBeDisabled()
  const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await save()
  const path = 'integrations/calendar:saveCustomerReminders'
  expect(called).toHaveBeenCalledWith(path, { agentId, customerReminders: [1440, 60, 30] })
  for (const name of ['24 h before', '1 h before', '30 min before']) {
    if ((moment(name) as HTMLInputElement).checked) await userEvent.click(moment(name))
  }
  expect(screen.getByText('Customers get no reminders.')).toBeVisible()
  await save()
  expect(called).toHaveBeenCalledWith(path, { agentId, customerReminders: [] })
  await expectAccessible()
})
