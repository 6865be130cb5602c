// Which step of connecting a messenger a link leads to, by how the connection stands.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { getFunctionName } from 'convex/server'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { MemoryRouter } from 'react-router'
import { beforeAll, expect, it, vi } from 'vitest'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { MessengerChannel } from '#shared/channels/manifests.ts'
import type { Id } from '#shared/ids.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { MessengerSetupPage } from './messenger-setup-page.tsx'

const connections: ChannelConnection[] = []
const outside = vi.hoisted(() => ({ demonstration: null as unknown }))
vi.mock('../use-demonstration.ts', async (original) => ({
  ...(await original<typeof import('../use-demonstration.ts')>()),
  useDemonstration: () => outside.demonstration,
}))
vi.mock('#web/lib/server/convex.ts', async (original) => ({
  ...(await original<typeof import('#web/lib/server/convex.ts')>()),
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
  show({ channel, status })
  expect(screen.queryByText('Waiting for the first message…') === null).toBe(isByHand)
})

it.each([
  ['in a demonstration the page on which it is entered', { messengers: { instagram: 'http://localhost:3032/' } }, 1],
  ['elsewhere no such page', null, 0],
])('where the address is entered by hand, it names %s', (_, demonstration, links) => {
  outside.demonstration = demonstration
  show({ channel: 'instagram', status: 'pending' })
  expect(screen.queryAllByRole('link', { name: 'Open the phone and Meta’s dashboard' })).toHaveLength(links)
})

function show(state: { channel: MessengerChannel; status: ChannelConnection['status'] }): void {
  connections.splice(0, 1, connection(state))
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <NuqsTestingAdapter searchParams="?connection=c1">
          <MessengerSetupPage channel={state.channel} />
        </NuqsTestingAdapter>
      </MemoryRouter>
    </QueryClientProvider>,
  )
}

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
    errors: [],
    signatureRejectedAt: null,
    businesses: [],
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
