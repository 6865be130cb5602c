// Receipts of removals: who erased a customer, and the counts of what was removed.
import { render, screen } from '@testing-library/react'
import { beforeAll, expect, it, vi } from 'vitest'
import type { Removal } from '#shared/messaging/retention.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { RemovalsSection } from './removals-section.tsx'

const server = vi.hoisted(() => ({ removals: undefined as unknown }))
fakeConvex(() => ({ useQuery: () => server.removals }))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('settings')
})

it('names who erased a customer, the counts, and what the settings have kept', async () => {
  const erasure = { _id: 'r1', kind: 'erasure', author: { _id: 'olga', name: 'Olga' }, at: Date.UTC(2026, 1, 3) }
  const counts = { conversations: 1, messages: 5 }
  server.removals = [
    { ...erasure, counts },
    { ...erasure, _id: 'r2', kind: 'retention', author: null, counts: { left: { paused: 3, waiting: 1, sending: 0 } } },
  ] as unknown as Removal[]
  render(<RemovalsSection />)
  const [first, second] = screen.getAllByRole('listitem')
  expect(first).toHaveTextContent(/Olga.*1 conversation, 5 messages$/)
  expect(second).toHaveTextContent(
    /· nothingOlder, but kept for now: 3 conversations with a paused agent, 1 conversation with a waiting customer\.$/,
  )
  await expectAccessible()
})

it('is accessible while empty', async () => {
  server.removals = []
  render(<RemovalsSection />)
  await expectAccessible()
})
