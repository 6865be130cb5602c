// Meta's facts about a number are shown in words, and unknown values as Meta sends them.
import { render, screen } from '@testing-library/react'
import { beforeAll, expect, it, vi } from 'vitest'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { CloudFactsSection } from './cloud-facts-section.tsx'

const fetched = vi.hoisted(() => ({ value: {} }))
fakeConvex(() => ({ useAction: () => vi.fn() }))
vi.mock('#web/lib/server/query-client.ts', () => ({ useFetched: () => fetched }))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('channels')
})

it.each([
  ['green', 'connected', 'TIER_1K', ['Connected', 'High', '1,000 customers in 24 hours']],
  ['red', 'flagged', 'TIER_250', ['flagged', 'Low', '250 customers in 24 hours']],
  ['unknown', 'banned', 'TIER_UNLIMITED', ['banned', 'unknown', 'Unlimited']],
  ['yellow', 'pending', 'TIER_NEW', ['pending', 'Medium', 'TIER_NEW']],
])('a quality %s, the status %s and the limit %s', (quality, status, messagingLimit, words) => {
  fetched.value = { verifiedName: 'Hotel', quality, status, messagingLimit }
  render(<CloudFactsSection connection={{ _id: 'c' } as ChannelConnection} />)
  const values = [...document.querySelectorAll('dd')].map((value) => value.textContent)
  expect(values).toEqual(['Hotel', ...words])
  expect(screen.getByText('Hotel')).toBeTruthy()
})
