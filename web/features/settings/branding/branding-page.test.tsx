// The brand of an organization: what is empty is as in the installation, and no address to send from is asked for.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, expect, it, vi } from 'vitest'
import { brandOf, EMPTY_BRAND } from '#shared/organizations/branding.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { BrandingPage } from './branding-page.tsx'

const server = vi.hoisted(() => ({ answer: null as unknown, call: vi.fn(async () => null) }))
fakeConvex(() => ({ useQuery: () => server.answer, useMutation: () => server.call }))
vi.mock('../settings-tabs.ts', () => ({ useSettingsTabs: () => ['branding'] }))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('settings', 'branding')
  const house = { ...EMPTY_BRAND, name: 'Acme', accentLight: '#8a1c4a' }
  server.answer = { own: EMPTY_BRAND, inherited: brandOf(house), inheritedFooter: 'Powered by Acme' }
})

it('shows what is inherited, and saves what is chosen over it', async () => {
  render(<RouterProvider router={createMemoryRouter([{ path: '/', element: <BrandingPage /> }])} />)
  const name = screen.getByRole('textbox', { name: 'Name' })
  expect(name).toHaveAccessibleDescription('If empty, “Acme” is shown.')
  expect(screen.getByTestId('brand-light').style.getPropertyValue('--primary')).toBe('#8a1c4a')
  expect(screen.getAllByText('Powered by Acme').length).toBeGreaterThan(0)
  expect(screen.queryByRole('textbox', { name: 'Sender address' })).toBeNull()
  await expectAccessible()
  await userEvent.type(name, 'Tea desk')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(server.call).toHaveBeenCalledWith(expect.objectContaining({ name: 'Tea desk', footer: 'inherit' }))
  expect(server.call.mock.calls[0]).not.toHaveProperty('0.senderAddress')
})
