// Legal hold of a customer's data: placed with a reason, shown with its author, and lifted after confirmation.
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { MemoryRouter } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Contact } from '#shared/messaging/contacts.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { ContactData } from '../contact/contact-data.tsx'

const call = vi.hoisted(() => vi.fn<(name: string, args: unknown) => Promise<unknown>>())
fakeConvex(() => ({
  useMutation: (reference: Parameters<typeof getFunctionName>[0]) => (args: unknown) =>
    call(getFunctionName(reference), args),
  useQuery: () => undefined,
}))

const ANNA = {
  _id: 'anna',
  givenName: null,
  channelName: 'Anna',
  legalHold: null,
  liftedHolds: [],
} as unknown as Contact
const HELD: Contact = { ...ANNA, legalHold: { at: Date.UTC(2026, 1, 3, 12), by: 'Olga', reason: 'Claim 17' } }
const show = (contact: Contact) => render(<ContactData contact={contact} />, { wrapper: MemoryRouter })

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})
beforeEach(() => call.mockReset().mockResolvedValue(null))

it('is placed with a reason, by the keyboard alone', async () => {
  show(ANNA)
  expect(screen.getByRole('button', { name: 'Erase…' })).toBeVisible()
  screen.getByRole('button', { name: 'Legal hold…' }).focus()
  await userEvent.keyboard('{Enter}')
  const dialog = screen.getByRole('dialog', { name: 'Put “Anna” on legal hold?' })
  expect(within(dialog).getByRole('button', { name: 'Put on hold' })).toBeDisabled()
  await userEvent.click(within(dialog).getByRole('textbox', { name: /Reason/ }))
  await userEvent.keyboard('Claim 17')
  await expectAccessible()
  await userEvent.tab()
  await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  expect(call.mock.calls).toEqual([['conversations/contacts:setLegalHold', { customerId: 'anna', reason: 'Claim 17' }]])
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('shows its author and reason, offers no erasure, and is lifted after confirmation', async () => {
  show(HELD)
  expect(screen.getByText(/On legal hold since .*2026.*, set by Olga: Claim 17/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Erase…' })).toBeNull()
  await expectAccessible()
  await userEvent.click(screen.getByRole('button', { name: 'Lift the hold' }))
  const question = screen.getByRole('alertdialog', { name: 'Lift the legal hold on “Anna”?' })
  expect(call).not.toHaveBeenCalled()
  await userEvent.click(within(question).getByRole('button', { name: 'Lift the hold' }))
  expect(call.mock.calls).toEqual([['conversations/contacts:liftLegalHold', { customerId: 'anna' }]])
})

it('lists lifted holds and who lifted them', () => {
  const was = { at: Date.UTC(2026, 1, 3, 12), by: null, reason: 'Claim 17' }
  show({ ...ANNA, liftedHolds: [{ ...was, liftedAt: Date.UTC(2026, 3, 5, 12), liftedBy: 'Boris' }] })
  expect(screen.getByRole('listitem')).toHaveTextContent(
    /^On legal hold from .*2026 to .*2026.*: Claim 17\. Set by a removed member, lifted by Boris\.$/,
  )
})
