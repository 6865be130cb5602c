// Where a role leads: the first page of a member, and pages that are closed to some.
import { render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, expect, it } from 'vitest'
import type { OrganizationRole } from '#shared/organizations/policy.ts'
import { asRole } from '#tests/fakes/signed-in.tsx'
import { startI18n } from '#web/lib/i18n.ts'
import { HomePage, withPermission } from './role-guard.tsx'

beforeAll(() => startI18n('en'))

function open(role: OrganizationRole | null, at: string) {
  const router = createMemoryRouter(
    [
      { path: '/', element: <HomePage /> },
      { path: '/agents', element: <p>Agents</p> },
      { path: '/chats', element: <p>Chats</p> },
      withPermission('data.write', [{ path: '/data', element: <p>Data</p> }]),
    ],
    { initialEntries: [at] },
  )
  render(asRole(role, <RouterProvider router={router} />))
}

it.each([
  ['owner', 'Agents'],
  ['builder', 'Agents'],
  ['analyst', 'Agents'],
  ['operator', 'Chats'],
] as const)('leads a member who is %s home to %s', async (role, page) => {
  open(role, '/')
  expect(await screen.findByText(page)).toBeVisible()
})

it.each(['builder', 'operator', 'analyst', null] as const)(
  'closes a page to a member who is %s, and says why',
  (role) => {
    open(role, '/data')
    expect(screen.queryByText('Data')).not.toBeInTheDocument()
    expect(screen.getByRole('status')).toHaveTextContent(role ? `your role is ${role}` : 'no role')
  },
)

it('opens it to those with the permission', () => {
  open('admin', '/data')
  expect(screen.getByText('Data')).toBeVisible()
})
