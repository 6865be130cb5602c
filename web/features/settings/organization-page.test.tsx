// The form of the organization sends what was changed, and says what cannot be saved.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { CurrentUser, Organization, OrganizationSettings } from '#shared/organizations.ts'
import { CurrentUserProvider } from '#web/lib/current-user.tsx'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { OrganizationPage } from './organization-page.tsx'

const update = vi.hoisted(() => vi.fn<(call: { patch: Partial<OrganizationSettings> }) => Promise<Organization>>())
vi.mock('#web/lib/convex.ts', async (original) => ({
  ...(await original<typeof import('#web/lib/convex.ts')>()),
  useMutation: () => update,
}))

const organization: Organization = {
  _id: 'o1' as Id<'organizations'>,
  name: 'Corner Café',
  displayName: null,
  logoUrl: null,
  supportEmail: null,
  plan: null,
  monthlyLimit: null,
  ownerId: 'u1' as Id<'users'>,
  timeZone: 'UTC',
  atLimit: 'stop',
  limitText: '',
  monthlySpendLimitUsd: null,
  unattendedAfterSeconds: null,
  unattendedText: '',
  createdAt: 0,
}
const user: CurrentUser = {
  _id: organization.ownerId,
  email: 'a@b.example',
  name: 'Anna',
  avatar: null,
  role: 'user',
  organizationId: organization._id,
  plan: 'starter',
  organization,
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('settings')
})
beforeEach(() => {
  update.mockReset().mockImplementation(async ({ patch }) => ({ ...organization, ...patch }))
  const router = createMemoryRouter([{ path: '*', element: <OrganizationPage /> }])
  render(
    <CurrentUserProvider user={user}>
      <RouterProvider router={router} />
    </CurrentUserProvider>,
  )
})

it('sends only what was changed', async () => {
  const person = userEvent.setup()
  expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
  await person.click(screen.getByRole('radio', { name: /^Call a person/ }))
  await person.type(screen.getByLabelText(/^Ceiling of spending/), '12.5')
  await person.clear(screen.getByLabelText('Time zone'))
  await person.type(screen.getByLabelText('Time zone'), 'Asia/Almaty')
  await person.click(screen.getByRole('button', { name: 'Save' }))
  expect(update.mock.calls).toEqual([
    [{ patch: { atLimit: 'handoff', monthlySpendLimitUsd: 12.5, timeZone: 'Asia/Almaty' } }],
  ])
})

it('says beside each field what is wrong with it, and sends nothing', async () => {
  const person = userEvent.setup()
  await person.clear(screen.getByLabelText('Organization name'))
  await person.type(screen.getByLabelText('Organization name'), 'ab')
  await person.type(screen.getByLabelText('Support e-mail'), 'nobody')
  await person.type(screen.getByLabelText('Time zone'), '+5')
  await person.type(screen.getByLabelText(/^Ceiling of spending/), '-1')
  await person.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByLabelText('Organization name')).toHaveAccessibleDescription(/3 to 100/)
  expect(screen.getByLabelText('Support e-mail')).toHaveAccessibleDescription(/support@example/)
  expect(screen.getByLabelText('Time zone')).toHaveAccessibleDescription(/no such time zone/)
  expect(screen.getByLabelText(/^Ceiling of spending/)).toHaveAccessibleDescription(/above zero/)
  expect(update).not.toHaveBeenCalled()
})
