// Who accepts conversations, as the settings of the team show and change it.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Operator } from '#shared/messaging/operators.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { PRESETS } from '#web/components/week/hours.rules.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { OperatorsSection } from './operators-section.tsx'

/** Hundreds of cells in jsdom are slow on a busy machine. */
vi.setConfig({ testTimeout: 30_000 })

const update = vi.hoisted(() => vi.fn((_: unknown) => Promise.resolve(null)))
const anna = vi.hoisted(() => ({
  _id: 'a',
  name: 'Anna',
  acceptsAssignments: true,
  capacity: 5,
  hours: null,
  isWithinHours: true,
  hoursChangeAt: null,
  held: 2,
}))
fakeConvex(() => ({ useMutation: () => update, useQuery: () => [anna as unknown as Operator] }))
vi.mock('#web/lib/sign-in/current-user.tsx', () => ({
  useCurrentUser: () => ({ _id: 'me', organizationRole: 'owner' }),
  useOrganization: () => ({ timeZone: 'Asia/Almaty' }),
}))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('settings', 'agents')
})
beforeEach(() => {
  update.mockClear()
  render(<OperatorsSection />)
})

it('shows the open conversations of an operator, and turns off their assignment with one switch', async () => {
  expect(screen.getByText('2 of 5 open · at any hour')).toBeVisible()
  await userEvent.click(screen.getByRole('switch', { name: 'Anna takes conversations' }))
  expect(update).toHaveBeenCalledWith({ userId: 'a', patch: { acceptsAssignments: false } })
})

it('sends the limit and the working hours, and nothing while they are invalid', async () => {
  const person = userEvent.setup()
  await person.click(screen.getByRole('button', { name: 'Change how Anna takes conversations' }))
  const capacity = screen.getByLabelText('Conversations at once')
  await person.clear(capacity)
  await person.type(capacity, '0')
  await person.click(screen.getByRole('switch', { name: 'Only in working hours' }))
  await person.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Enter a whole number from 1 to 100.')).toBeVisible()
  expect(update).not.toHaveBeenCalled()
  await person.clear(capacity)
  await person.type(capacity, '3')
  await person.click(screen.getByRole('button', { name: 'Save' }))
  expect(update.mock.calls).toEqual([[{ userId: 'a', patch: { capacity: 3, hours: PRESETS.work } }]])
})
