// The profile keeps what was changed, and a language and a time zone that were chosen hold at once.
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { CurrentUser } from '#shared/organizations/organizations.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { formatDateTime } from '#web/lib/format.ts'
import { currentLanguage, loadTexts, setLanguage, startI18n } from '#web/lib/i18n.ts'
import { CurrentUserProvider } from '#web/lib/sign-in/current-user.tsx'
import { useOwnSettings } from '#web/lib/sign-in/own-settings.ts'
import { ProfilePage } from './profile-page.tsx'

const user: CurrentUser = {
  _id: 'u1' as Id<'users'>,
  email: 'a@b.example',
  name: 'Anna',
  avatar: null,
  jobTitle: '',
  bio: '',
  language: '',
  timeZone: '',
  role: 'user',
  organizationId: null,
  organizationRole: null,
  isEmailVerified: true,
  twoStepRequired: false,
  suspended: null,
  supportAccesses: [],
  removedOrganization: null,
  plan: 'starter',
  organization: null,
}
const calls = vi.hoisted(() => vi.fn<(name: string, args: { patch: Partial<CurrentUser> }) => Promise<CurrentUser>>())
type Reference = Parameters<typeof getFunctionName>[0]
fakeConvex(() => ({
  useMutation: (name: Reference) => (args: { patch: Partial<CurrentUser> }) => calls(getFunctionName(name), args),
  useQuery: () => undefined,
}))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('settings')
})
beforeEach(async () => {
  await setLanguage('en')
  calls.mockReset().mockImplementation(async (_, { patch }) => ({ ...user, ...patch }))
})

const page = (shown: CurrentUser = user) => (
  <CurrentUserProvider user={shown}>
    <RouterProvider router={createMemoryRouter([{ path: '/', element: <ProfilePage /> }])} />
  </CurrentUserProvider>
)

it('sends only what was changed, and throws away what is discarded', async () => {
  render(page())
  const title = screen.getByLabelText(/^Job title/)
  await userEvent.type(title, 'Draft')
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }))
  expect(title).toHaveValue('')
  await userEvent.type(title, 'Support lead')
  await userEvent.click(screen.getByRole('button', { name: 'Save profile' }))
  await waitFor(() =>
    expect(calls.mock.calls).toEqual([['users:updateProfile', { patch: { jobTitle: 'Support lead' } }]]),
  )
  await expectAccessible()
})

it('sends no time zone that does not exist', async () => {
  render(page())
  await userEvent.type(screen.getByLabelText(/^Time zone/), 'Moon/Base')
  await userEvent.click(screen.getByRole('button', { name: 'Save profile' }))
  expect(await screen.findByText(/no such time zone/)).toBeVisible()
  expect(calls).not.toHaveBeenCalled()
})

function Own(settings: Pick<CurrentUser, 'language' | 'timeZone'>) {
  useOwnSettings(settings)
  return formatDateTime(Date.UTC(2026, 0, 1, 12), 'time')
}

it('a language and a time zone chosen elsewhere hold here too', async () => {
  const { rerender, unmount } = render(<Own language="" timeZone="Asia/Tokyo" />)
  expect(screen.getByText('21:00')).toBeVisible()
  expect(currentLanguage()).toBe('en')
  rerender(<Own language="ru" timeZone="Asia/Almaty" />)
  expect(screen.getByText('17:00')).toBeVisible()
  await waitFor(() => expect(currentLanguage()).toBe('ru'))
  unmount()
  expect(formatDateTime(Date.UTC(2026, 0, 1, 12), 'time')).toBe(
    new Intl.DateTimeFormat('ru-RU', { timeStyle: 'short' }).format(Date.UTC(2026, 0, 1, 12)),
  )
})
