// The switcher of organizations in the user menu.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Workplace } from '#shared/organizations/members.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { DropdownMenu, DropdownMenuContent, DropdownMenuTrigger } from '#web/components/ui/dropdown-menu.tsx'
import { startI18n } from '#web/lib/i18n.ts'
import { WorkplaceSwitcher } from './workplace-switcher.tsx'

const change = vi.hoisted(() => vi.fn<(name: string, args: unknown) => Promise<null>>())
const enter = vi.hoisted(() => vi.fn())
let workplaces: Workplace[] = []

fakeConvex(() => ({
  useQuery: () => workplaces,
  useMutation: (reference: Parameters<typeof getFunctionName>[0]) => (args: unknown) =>
    change(getFunctionName(reference), args),
}))
vi.mock('#web/lib/sign-in/current-user.tsx', () => ({ useOrganization: () => ({ _id: 'o1', name: 'Hotel' }) }))
vi.mock('#web/lib/sign-in/workplace.ts', () => ({ enterOrganization: enter }))

const hotel = { _id: 'o1', name: 'Hotel', logoUrl: null, role: 'owner', isCurrent: true } as Workplace
const shop = { _id: 'o2', name: 'Shop', logoUrl: null, role: 'analyst', isCurrent: false } as Workplace

beforeAll(() => startI18n('en'))
beforeEach(() => {
  vi.clearAllMocks()
  change.mockResolvedValue(null)
  workplaces = [hotel, shop]
})

async function open() {
  render(
    <DropdownMenu>
      <DropdownMenuTrigger>Menu</DropdownMenuTrigger>
      <DropdownMenuContent aria-label="Menu">
        <WorkplaceSwitcher />
      </DropdownMenuContent>
    </DropdownMenu>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Menu' }))
}

it('marks the organization of the tab, names the role in each, and switches by keyboard', async () => {
  await open()
  expect(await screen.findByRole('menuitemradio', { name: /Hotel.*Owner/ })).toBeChecked()
  await expectAccessible()
  screen.getByRole('menuitemradio', { name: /Shop.*Analyst/ }).focus()
  await userEvent.keyboard('{Enter}')
  expect(change).toHaveBeenCalledWith('organizations:switch', { organizationId: 'o2' })
  await vi.waitFor(() => expect(enter).toHaveBeenCalledWith('o2'))
})

it('stays when the server refuses, and does nothing for the organization of the tab', async () => {
  change.mockRejectedValueOnce(new Error('refused'))
  await open()
  await userEvent.click(await screen.findByRole('menuitemradio', { name: /Shop/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Menu' }))
  await userEvent.click(await screen.findByRole('menuitemradio', { name: /Hotel/ }))
  expect(change).toHaveBeenCalledOnce()
  expect(enter).not.toHaveBeenCalled()
})

it('is absent for who belongs to one organization only', async () => {
  workplaces = [hotel]
  await open()
  expect(screen.queryByRole('menuitemradio')).not.toBeInTheDocument()
})
