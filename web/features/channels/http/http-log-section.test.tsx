// Who may repeat an answer that was given up: members who answer customers, also where the connection itself is only shown.
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { beforeAll, expect, it } from 'vitest'
import type { ChannelConnection, DeliveryAttempt } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import type { OrganizationRole } from '#shared/organizations/policy.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { asRole } from '#tests/fakes/signed-in.tsx'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { ReadOnly } from '#web/lib/read-only.ts'
import { HttpLogSection } from './http-log-section.tsx'

const ATTEMPT: DeliveryAttempt = {
  _id: 'a',
  at: Date.now(),
  attempt: 2,
  outcome: 'failed',
  httpStatus: 500,
  latencyMs: 12,
  reason: 'Internal error',
  conversationId: null,
  resendId: 'o' as Id<'outbox'>,
}

fakeConvex(() => ({ useQuery: () => [ATTEMPT], useMutation: () => async () => null }))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('channels')
})

it.each([
  ['operator', true],
  ['builder', false],
  ['analyst', false],
] as const satisfies [OrganizationRole, boolean][])('a member who is %s may: %s', (role, may) => {
  render(
    asRole(
      role,
      <MemoryRouter>
        <ReadOnly value={role !== 'builder'}>
          <HttpLogSection connection={{ _id: 'c' } as ChannelConnection} />
        </ReadOnly>
      </MemoryRouter>,
    ),
  )
  const buttons = screen.queryAllByRole<HTMLButtonElement>('button')
  expect(buttons.map(({ disabled }) => disabled)).toEqual(may ? [false] : [])
})
