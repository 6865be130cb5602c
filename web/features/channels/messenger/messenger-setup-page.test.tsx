// Which step of connecting a messenger a link leads to, by how the connection stands.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { getFunctionName } from 'convex/server'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { MemoryRouter } from 'react-router'
import { beforeAll, expect, it, vi } from 'vitest'
import type { ChannelConnection } from '#shared/channels.ts'
import type { Id } from '#shared/ids.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { MessengerSetupPage } from './messenger-setup-page.tsx'

const connections: ChannelConnection[] = []
vi.mock('#web/lib/convex.ts', async (original) => ({
  ...(await original<typeof import('#web/lib/convex.ts')>()),
  useQuery: (asked: Parameters<typeof getFunctionName>[0]) =>
    ({ 'agents:list': [{ _id: 'a1', slug: 'helper', name: 'Helper' }], 'channelConnections:list': connections })[
      getFunctionName(asked)
    ],
  useAction: () => vi.fn(),
}))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('channels')
})

it.each([
  ['vk', 'pending', false],
  ['max', 'pending', false],
  ['instagram', 'pending', true],
  ['instagram', 'error', true],
  ['instagram', 'connected', false],
] as const)('%s that is %s: a person has to enter the address there: %s', (channel, status, isByHand) => {
  connections.splice(0, 1, connection({ channel, status }))
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <NuqsTestingAdapter searchParams="?connection=c1">
          <MessengerSetupPage channel={channel} />
        </NuqsTestingAdapter>
      </MemoryRouter>
    </QueryClientProvider>,
  )
  expect(screen.queryByText('Waiting for the first message…') === null).toBe(isByHand)
})

function connection(more: Pick<ChannelConnection, 'channel' | 'status'>): ChannelConnection {
  return {
    _id: 'c1' as Id<'channelConnections'>,
    agentId: 'a1' as Id<'agents'>,
    identifier: 'Coffee',
    externalAccountId: '1',
    address: null,
    accountState: null,
    accountStateAt: null,
    accountStateSince: null,
    delivery: 'polling',
    maskedToken: '••••aaaa',
    lastError: null,
    failingSince: null,
    lastHeartbeatAt: null,
    lastInboundAt: null,
    messagesProcessed: 0,
    linkedAt: 0,
    deliveryCheck: null,
    widget: null,
    settings: null,
    ...more,
  }
}
