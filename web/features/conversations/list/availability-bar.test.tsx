// Who accepts conversations, as the inbox shows it: the reader's own switch, who is available, and who is waiting.
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { Operator, Queue } from '#shared/messaging/operators.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { AvailabilityBar } from './availability-bar.tsx'

const update = vi.hoisted(() => vi.fn((_: unknown) => Promise.resolve(null)))
const results = vi.hoisted<{ operators: unknown; queue: unknown }>(() => ({ operators: undefined, queue: undefined }))
fakeConvex(() => ({ useMutation: () => update, useQuery: (query: string) => results[query as never] }))
vi.mock('#web/api.ts', () => ({
  api: { organizations: { operators: { list: 'operators', update: 'update' } }, conversations: { queue: 'queue' } },
}))
vi.mock('#web/lib/sign-in/current-user.tsx', () => ({
  useCurrentUser: () => ({ _id: 'me', organizationRole: 'owner' }),
}))

const operator = (id: string, more: Partial<Operator>): Operator => ({
  _id: id as Id<'users'>,
  name: id,
  avatar: null,
  jobTitle: '',
  acceptsAssignments: true,
  capacity: 2,
  hours: null,
  isWithinHours: true,
  hoursChangeAt: null,
  held: 0,
  ...more,
})
const waits = (customerName: string | null): Queue['first'][number] => ({
  conversationId: `of ${customerName}` as Id<'conversations'>,
  threadId: null,
  customerName,
  queuedAt: Date.now() - 5 * 60_000,
  calledFor: customerName ? 'missing_knowledge' : null,
})

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})
beforeEach(() => {
  update.mockClear()
  results.queue = { count: 0, first: [] }
})

function show(operators: Operator[]) {
  results.operators = operators
  render(
    <MemoryRouter>
      <AvailabilityBar />
    </MemoryRouter>,
  )
  return userEvent.setup()
}

it('lets the reader accept conversations, or go away', async () => {
  const person = show([operator('me', { acceptsAssignments: false })])
  const own = screen.getByRole('switch', { name: 'I am taking conversations' })
  expect(own).not.toBeChecked()
  await person.click(own)
  expect(update).toHaveBeenCalledWith({ userId: 'me', patch: { acceptsAssignments: true } })
})

it('counts available operators and waiting customers, and gives the state of the other operators', async () => {
  results.queue = { count: 120, first: [waits('Bolat'), waits(null)] }
  const person = show([
    operator('Anna', { held: 1 }),
    operator('Boris', { held: 2 }),
    operator('Vera', { isWithinHours: false }),
    operator('me', { acceptsAssignments: false, held: 1 }),
    operator('Never', { acceptsAssignments: false }),
  ])
  await person.click(screen.getByRole('button', { name: '1 free · 120 waiting' }))
  const [people, queue] = within(screen.getByRole('dialog')).getAllByRole('list')
  const lines = (list: HTMLElement | undefined) =>
    within(list ?? document.body)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
  expect(lines(people)).toEqual([
    'Annafree1 of 2',
    'Borisat capacity2 of 2',
    'Veraoutside working hours0 of 2',
    'Meaway1 of 2',
  ])
  expect(lines(queue)[0]).toContain('1.BolatAgent didn’t know5\u00a0minutes ago')
  expect(lines(queue)[1]).toContain('2.')
  expect(lines(queue)[1]).toContain('Waiting for a person')
  expect(screen.getByText('and 118 more')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Bolat' })).toHaveAttribute('href', '/conversations/of%20Bolat')
})

it('says in words that no one is available', () => {
  show([operator('me', { acceptsAssignments: false })])
  expect(screen.getByRole('button', { name: 'no one is free' })).toBeVisible()
})
