// What the card of a channel says about it.
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { beforeAll, expect, it } from 'vitest'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { asRole } from '#tests/fakes/signed-in.tsx'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { channelsOf } from './catalogue.ts'
import { ChannelCard } from './channel-card.tsx'

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('channels')
})

const LIVE = { channel: 'telegram', status: 'connected', accountState: null, failingSince: null } as ChannelConnection

it.each([
  ['that it is available and not connected yet', [], false, ['Available', 'Not connected']],
  ['that nothing of it is connected any more', [], true, ['Disconnected']],
  ['how it does once something is connected', [LIVE], true, ['Connected']],
])('says %s', (_, connections, wasConnected, shown) => {
  const [entry] = channelsOf('all')
  if (!entry) throw new Error('there is no channel')
  render(
    asRole(
      'owner',
      <MemoryRouter>
        <ChannelCard entry={entry} connections={connections} wasConnected={wasConnected} takesSlot={false} search="" />
      </MemoryRouter>,
    ),
  )
  const words = ['Available', 'Connected', 'Disconnected', 'Not connected']
  expect(words.filter((word) => screen.queryByText(word) !== null)).toEqual(shown)
})

it.each([
  ['builder', [], 1],
  ['operator', [], 0],
  ['analyst', [], 0],
  ['analyst', [LIVE], 1],
] as const)('leads a member who is %s with connections %j to %i pages', (role, connections, links) => {
  const [entry] = channelsOf('all')
  if (!entry) throw new Error('there is no channel')
  render(
    asRole(
      role,
      <MemoryRouter>
        <ChannelCard entry={entry} connections={[...connections]} wasConnected={false} takesSlot={false} search="" />
      </MemoryRouter>,
    ),
  )
  expect(screen.queryAllByRole('link')).toHaveLength(links)
})
