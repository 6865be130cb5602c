// What is shown while a phone is being linked, whatever GREEN-API answers.
import { act, render, screen } from '@testing-library/react'
import { ConvexError } from 'convex/values'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { ChannelConnection, WhatsappLink } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import { WHATSAPP_START_MS } from '#shared/limits.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { LinkStep } from './link-step.tsx'
import { THROTTLE_MS } from './use-link-code.ts'

const ask = vi.hoisted(() => vi.fn<() => Promise<WhatsappLink>>())
vi.mock('#web/lib/server/convex.ts', async (original) => ({
  ...(await original<typeof import('#web/lib/server/convex.ts')>()),
  useAction: () => ask,
  useQuery: () => undefined,
}))

const connection: ChannelConnection = {
  _id: 'c1' as Id<'channelConnections'>,
  agentId: 'a1' as Id<'agents'>,
  channel: 'whatsapp',
  identifier: '7103000001',
  externalAccountId: '7103000001',
  address: null,
  status: 'pending',
  accountState: 'notAuthorized',
  accountStateAt: 0,
  accountStateSince: 0,
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
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('channels')
})
beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

async function show(more: Partial<ChannelConnection> = {}) {
  render(
    <MemoryRouter>
      <LinkStep connection={{ ...connection, ...more }} />
    </MemoryRouter>,
  )
  await pass(0)
}

async function pass(ms: number) {
  await act(() => vi.advanceTimersByTimeAsync(ms))
}

it('waits when it has asked too often, says so, and asks again by itself', async () => {
  ask.mockRejectedValue(new ConvexError({ code: 'whatsapp_throttled', params: { retryAfterMs: 1000 } }))
  await show()
  expect(screen.getByText(/Too many requests/)).toBeVisible()
  expect(screen.getByRole('progressbar')).toBeVisible()
  ask.mockResolvedValue({ kind: 'code', png: 'iVBORw0KGgo' })
  await pass(THROTTLE_MS)
  expect(screen.getByRole('img', { name: /QR code/ })).toBeVisible()
})

it('requests a new code only on demand, after the phone wanted a passkey', async () => {
  ask.mockResolvedValue({ kind: 'passkey' })
  await show()
  expect(screen.getByText(/passkey on the phone/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'New code' })).toBeEnabled()
})

it('offers a restart once the instance has been starting for more than five minutes', async () => {
  ask.mockResolvedValue({ kind: 'starting' })
  await show({ accountState: 'starting', accountStateSince: Date.now() })
  expect(screen.getByText(/Up to 5 min left/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Restart' })).toBeNull()
  await pass(WHATSAPP_START_MS)
  expect(screen.getByRole('button', { name: 'Restart' })).toBeEnabled()
})
