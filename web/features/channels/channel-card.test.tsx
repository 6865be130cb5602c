// What the card of a channel says about it: one thing at a time.
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { beforeAll, expect, it } from 'vitest'
import type { ChannelConnection } from '#shared/channels.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { channelsOf } from './catalogue.ts'
import { ChannelCard } from './channel-card.tsx'

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('channels')
})

const LIVE = { channel: 'telegram', status: 'connected', accountState: null, failingSince: null } as ChannelConnection

it.each([
  ['that it is available while nothing is connected', [], ['Available']],
  ['how it does once something is connected', [LIVE], ['Connected']],
])('says %s', (_, connections, said) => {
  const [entry] = channelsOf('all')
  if (!entry) throw new Error('there is no channel')
  render(
    <MemoryRouter>
      <ChannelCard entry={entry} connections={connections} search="" />
    </MemoryRouter>,
  )
  const shown = ['Available', 'Connected', 'Not connected'].filter((word) => screen.queryByText(word) !== null)
  expect(shown).toEqual(said)
})
