// What members of a suspended organization see, and what its administrators of the installation reach nonetheless.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, expect, it, vi } from 'vitest'
import type { Workplace } from '#shared/organizations/members.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { startI18n } from '#web/lib/i18n.ts'
import { SuspendedPage } from './suspended-page.tsx'

const user = vi.hoisted(() => ({ role: 'user' }))
const enter = vi.hoisted(() => vi.fn())
const place = (id: string): Workplace => ({
  ...{ _id: id as Workplace['_id'], name: 'Tea shop', logoUrl: null, role: 'owner', isCurrent: false },
})
fakeConvex(() => ({ useQuery: () => [place('suspended'), place('other')] }))
vi.mock('#web/lib/sign-in/current-user.tsx', () => ({ useCurrentUser: () => user }))
vi.mock('#web/lib/sign-in/workplace.ts', () => ({ enterOrganization: enter }))
vi.mock('./use-sign-out.ts', () => ({ useSignOut: () => () => {} }))

beforeAll(() => startI18n('en'))

function show(): void {
  const suspended = { organizationId: place('suspended')._id, organization: 'Tea shop', reason: 'Unpaid since May' }
  const router = createMemoryRouter([{ path: '/', element: <SuspendedPage suspended={suspended} /> }])
  render(<RouterProvider router={router} />)
}

it('says why, and leads to another organization, of the same name too', async () => {
  show()
  expect(screen.getByRole('heading', { name: '“Tea shop” is suspended' })).toBeVisible()
  expect(screen.getByText('Unpaid since May')).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Go to the administration' })).not.toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'Go to “Tea shop”' }))
  expect(enter).toHaveBeenCalledExactlyOnceWith('other')
  await expectAccessible()
})

it('leads an administrator of the installation to the administration', () => {
  user.role = 'admin'
  show()
  expect(screen.getByRole('link', { name: 'Go to the administration' })).toHaveAttribute('href', '/admin')
})
