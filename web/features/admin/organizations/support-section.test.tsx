// Acting on behalf of an organization: what the administrator says beforehand, what is refused, and what was done before.
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import type { SupportAccess } from '#shared/organizations/support.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { describeCode } from '#web/lib/errors.ts'
import { loadTexts, setLanguage, startI18n } from '#web/lib/i18n.ts'
import { SupportSection } from './support-section.tsx'

const server = vi.hoisted(() => ({
  accesses: [] as unknown[],
  calls: vi.fn((_name: string, _args: unknown) => Promise.resolve(null)),
}))
const enter = vi.hoisted(() => vi.fn())
fakeConvex(() => ({
  useQuery: () => server.accesses,
  useMutation: (mutation: Parameters<typeof getFunctionName>[0]) => (args: unknown) =>
    server.calls(getFunctionName(mutation), args),
}))
vi.mock('#web/lib/sign-in/workplace.ts', () => ({ enterOrganization: enter }))

const ENDED: SupportAccess = {
  ...{ _id: 'a1' as SupportAccess['_id'], name: 'Anna', reason: 'The bot is silent', mayWrite: false, isOwn: false },
  ...{ beganAt: Date.UTC(2026, 1, 2, 9), endsAt: Date.UTC(2026, 1, 2, 10), endedAt: Date.UTC(2026, 1, 2, 9, 20) },
}
const OPEN: SupportAccess = { ...ENDED, _id: 'a2' as SupportAccess['_id'], mayWrite: true, endedAt: null }

beforeAll(async () => {
  await startI18n('en')
})
beforeEach(async () => {
  vi.clearAllMocks()
  server.calls.mockImplementation(() => Promise.resolve(null))
  server.accesses = []
  await setLanguage('en')
  await loadTexts('admin')
})

const show = () => render(<SupportSection organization={{ _id: 'tea' as never, name: 'Tea shop' }} />)

it('is begun for a reason, to read for half an hour unless more is chosen', async () => {
  show()
  expect(screen.getByText('No one has acted on behalf of the organization yet.')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Act on its behalf' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Act on behalf of “Tea shop”?' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Open the organization' }))
  expect(await dialog.findByText(/Enter a reason/)).toBeVisible()
  expect(server.calls).not.toHaveBeenCalled()
  await expectAccessible()
  await userEvent.type(dialog.getByRole('textbox', { name: 'Reason' }), 'A call')
  await userEvent.click(dialog.getByRole('button', { name: 'Open the organization' }))
  const asked = { organizationId: 'tea', reason: 'A call', minutes: 30, mayWrite: false }
  expect(server.calls).toHaveBeenCalledExactlyOnceWith('admin/support:begin', asked)
  expect(enter).toHaveBeenCalledExactlyOnceWith('tea')
})

it('may change things when that is chosen, for another time', async () => {
  show()
  await userEvent.click(screen.getByRole('button', { name: 'Act on its behalf' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByRole('textbox', { name: 'Reason' }), 'A call')
  await userEvent.click(dialog.getByRole('combobox', { name: 'For how long' }))
  await userEvent.click(screen.getByRole('option', { name: '240 minutes' }))
  await userEvent.click(dialog.getByRole('radio', { name: /^View and change/ }))
  await userEvent.click(dialog.getByRole('button', { name: 'Open the organization' }))
  expect(server.calls.mock.calls[0]?.[1]).toMatchObject({ minutes: 240, mayWrite: true })
})

it.each(['en', 'ru'] as const)('is refused in words to who belongs to it, in %s', async (language) => {
  await setLanguage(language)
  await loadTexts('admin')
  server.calls.mockRejectedValue(new AppError('support_not_needed'))
  show()
  await userEvent.click(screen.getByRole('button'))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByRole('textbox'), 'A call{Tab}')
  const [confirm] = dialog.getAllByRole('button').filter((button) => button.getAttribute('type') === 'submit')
  await userEvent.click(confirm as HTMLElement)
  expect(await dialog.findByRole('alert')).toHaveTextContent(describeCode('support_not_needed'))
  expect(enter).not.toHaveBeenCalled()
})

it('shows those before, and ends one that goes on', async () => {
  server.accesses = [OPEN, ENDED]
  show()
  const [open, ended] = screen.getAllByRole('listitem')
  expect(open).toHaveTextContent(/Anna.*View and change.*now/)
  expect(ended).toHaveTextContent(/View only.*Reason: The bot is silent/)
  await expectAccessible()
  await userEvent.click(screen.getByRole('button', { name: 'End access' }))
  expect(server.calls).toHaveBeenCalledExactlyOnceWith('admin/support:end', { accessId: 'a2' })
})
