// The page of alerts keeps each choice at once, and says why a way does not work.
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { MemoryRouter } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { type AlertSettings, defaultAlerts } from '#shared/organizations/alerts.ts'
import type { CurrentUser } from '#shared/organizations/organizations.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { CurrentUserProvider } from '#web/lib/sign-in/current-user.tsx'
import { AlertsPage } from './alerts-page.tsx'

const settings = defaultAlerts('operator', { timeZone: 'UTC', language: 'en' })
const calls = vi.hoisted(() => vi.fn<(name: string, args: Partial<AlertSettings>) => Promise<null>>())
vi.mock('#web/lib/server/query-client.ts', () => ({ useFetched: () => ({ value: { email: false, telegram: false } }) }))
fakeConvex(() => {
  const call = (name: Parameters<typeof getFunctionName>[0]) => (args: Partial<AlertSettings>) =>
    calls(getFunctionName(name), args)
  const alert = {
    _id: 'a1',
    kind: 'handoff',
    isInBrowser: true,
    conversationId: 'c1',
    name: 'Anna',
    preview: null,
    at: 0,
  }
  return {
    useQuery: (name: Parameters<typeof getFunctionName>[0]) =>
      getFunctionName(name) === 'alerts:settings' ? settings : [alert],
    useMutation: call,
    useAction: call,
  }
})

const user: CurrentUser = {
  _id: 'u1' as Id<'users'>,
  email: 'a@b.example',
  isEmailVerified: true,
  name: 'Anna',
  avatar: null,
  jobTitle: '',
  bio: '',
  language: '',
  timeZone: '',
  role: 'user',
  organizationId: null,
  organizationRole: null,
  plan: 'starter',
  organization: null,
  twoStepRequired: false,
  suspended: null,
  supportAccesses: [],
  removedOrganization: null,
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('settings')
})
beforeEach(() => {
  calls.mockReset().mockResolvedValue(null)
  render(
    <MemoryRouter>
      <CurrentUserProvider user={user}>
        <AlertsPage />
      </CurrentUserProvider>
    </MemoryRouter>,
  )
})

it('saves a way of a kind at once, with the rest as it was', async () => {
  const mine = screen.getByRole('row', { name: /^A new message in a conversation assigned to you/ })
  await userEvent.click(within(mine).getByRole('switch', { name: /^Email/ }))
  const [name, saved] = calls.mock.lastCall ?? []
  expect(name).toBe('alerts:save')
  expect(saved).toMatchObject({ hasSound: true, language: 'en' })
  expect(saved?.ways).toEqual({ ...settings.ways, mine: ['browser', 'email'] })
})

it('proposes a night for quiet hours', async () => {
  await userEvent.click(screen.getByRole('switch', { name: 'Quiet hours' }))
  expect(calls.mock.lastCall?.[1]).toMatchObject({ quietHours: { from: 22, to: 8 } })
})

it('says that no mail is sent, that the browser shows nothing outside, and what waits', async () => {
  expect(screen.getByText(/No mail server is set up/)).toBeVisible()
  expect(screen.getByText('This browser shows alerts in the tab only.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Anna is waiting for a person' })).toHaveAttribute(
    'href',
    '/conversations/c1',
  )
  await userEvent.click(screen.getByRole('button', { name: 'Mark all as seen' }))
  expect(calls).toHaveBeenCalledWith('alerts:markSeen', { alertIds: ['a1'] })
})

it('has a switch for each kind and way, named by both, and says what is not obvious', async () => {
  expect(screen.getAllByRole('columnheader').map((header) => header.textContent)).toEqual([
    ...['Browser', 'Push', 'Email', 'Telegram'],
  ])
  const telegram = screen.getByRole('switch', { name: 'Telegram Agent activity' })
  expect(telegram).toHaveAccessibleDescription(/published or deleted an agent/)
  telegram.focus()
  await userEvent.keyboard(' ')
  expect(calls.mock.lastCall?.[1].ways).toMatchObject({ agent: ['telegram'] })
  expect(screen.getByRole('switch', { name: 'Email Billing' })).toBeVisible()
  expect(screen.getByRole('switch', { name: 'Browser Product updates' })).toBeVisible()
})
