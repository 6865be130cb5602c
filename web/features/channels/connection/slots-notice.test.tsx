// When a user who connects a number sees that the plan has no slot left.
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { beforeAll, expect, it, vi } from 'vitest'
import type { ChannelSlots } from '#shared/channels/channels.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { SlotsNotice } from './slots-notice.tsx'

const server = vi.hoisted(() => ({ slots: undefined as unknown }))
fakeConvex(() => ({ useQuery: () => server.slots }))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('channels')
})

function show(slots: ChannelSlots) {
  server.slots = slots
  render(
    <MemoryRouter>
      <SlotsNotice />
    </MemoryRouter>,
  )
}

it('says how many there are, and leads to what is connected, once all are taken', () => {
  show({ used: 3, allowed: 2 })
  expect(screen.getByRole('status').textContent).toContain('(2)')
  expect(screen.getByRole('link').getAttribute('href')).toBe('/channels')
})

it.each([
  ['one is left', { used: 1, allowed: 2 }],
  ['the plan limits nothing', { used: 9, allowed: null }],
])('says nothing while %s', (_, slots) => {
  show(slots)
  expect(screen.queryByRole('status')).toBeNull()
})
