// Notifications that were not understood are counted, and shown on request.
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type {
  ChannelConnection,
  ConnectionCheck,
  ConnectionFault,
  ConnectionHealth,
  QuarantinedNotification,
} from '#shared/channels/channels.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { ReadOnly } from '#web/lib/read-only.ts'
import { HealthSection } from './health-section.tsx'

const server = vi.hoisted(() => ({
  health: undefined as unknown,
  fetchLatest: vi.fn<() => Promise<unknown>>(),
}))
fakeConvex(() => ({ useQuery: () => server.health, useAction: () => server.fetchLatest }))

const HEALTH: ConnectionHealth = {
  lastOutboundAt: null,
  undelivered: 0,
  waiting: 0,
  recovered: 0,
  missed: null,
  quarantined: 0,
  quarantinedAt: null,
  webhookMs: null,
  pendingUpdates: null,
  providerError: null,
  openStreams: null,
  refusedSite: null,
}
const CONNECTION = { _id: 'c', signatureRejectedAt: null, errors: [] as ConnectionFault[] }
const show = (health: Partial<ConnectionHealth>, signatureRejectedAt: number | null = null) => {
  server.health = { ...HEALTH, ...health } satisfies ConnectionHealth
  render(
    <HealthSection connection={{ ...CONNECTION, channel: 'telegram', signatureRejectedAt } as ChannelConnection} />,
  )
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('channels')
})
beforeEach(() => void server.fetchLatest.mockReset())

it('says nothing of notifications that were not understood where there are none', () => {
  show({})
  expect(screen.queryByText('Not understood')).toBeNull()
  expect(screen.queryByText('Some messages may have been missed')).toBeNull()
})

it('says that messages are turned away, where they are', () => {
  show({}, Date.now())
  expect(screen.getByText('Customers’ messages are not getting through').parentElement?.textContent).toMatch(
    /a different secret/,
  )
  cleanup()
  show({})
  expect(screen.queryByText('Customers’ messages are not getting through')).toBeNull()
})

it('tells the developer of a program what it may have got wrong', () => {
  server.health = HEALTH
  render(<HealthSection connection={{ ...CONNECTION, channel: 'http', signatureRejectedAt: 1 } as ChannelConnection} />)
  expect(screen.getByText('Customers’ messages are not getting through').parentElement?.textContent).toMatch(
    /Your program/,
  )
})

it('says since when and until when messages may have been missed, where they may', () => {
  const since = Date.parse('2026-11-20T09:00:00')
  show({ missed: { since, until: since + 3_600_000 } })
  const notice = screen.getByText('Some messages may have been missed').nextElementSibling
  expect(notice?.textContent).toMatch(/9:00.+10:00.+Look through the chats/s)
})

it('shows the latest that were not understood, and which of them are gone', async () => {
  const kept: QuarantinedNotification[] = [
    { _id: 'b', at: Date.now(), text: '{"update_id": 2}' },
    { _id: 'a', at: Date.now() - 60_000, text: null },
  ]
  server.fetchLatest.mockResolvedValue(kept)
  show({ quarantined: 1234, quarantinedAt: Date.now() })
  expect(screen.getByText('Not understood').nextElementSibling?.textContent).toMatch(/^1,234/)
  await userEvent.click(screen.getByRole('button', { name: 'View' }))
  expect(await screen.findByText('{"update_id": 2}')).toBeTruthy()
  expect(screen.getByText(/There is no content/)).toBeTruthy()
  expect(screen.getAllByRole('button', { name: 'Copy the notification' })).toHaveLength(1)
})

it('shows them also where the connection may not be changed', async () => {
  server.fetchLatest.mockResolvedValue([])
  server.health = { ...HEALTH, quarantined: 1, quarantinedAt: Date.now() } satisfies ConnectionHealth
  render(
    <ReadOnly value={true}>
      <HealthSection connection={{ ...CONNECTION, channel: 'telegram' } as ChannelConnection} />
    </ReadOnly>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'View' }))
  expect(await screen.findByText('There are no such notifications any more.')).toBeTruthy()
})

it('stays closed when they cannot be fetched, and can be asked again', async () => {
  server.fetchLatest.mockRejectedValueOnce(new Error('offline')).mockResolvedValue([])
  show({ quarantined: 1, quarantinedAt: Date.now() })
  await userEvent.click(screen.getByRole('button', { name: 'View' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'View' }))
  expect(await screen.findByText('There are no such notifications any more.')).toBeTruthy()
})

const CHECKS: ConnectionCheck[] = [
  { check: 'credentials', outcome: 'failed', reason: 'unauthorized: answered 401', ms: 3 },
  { check: 'address', outcome: 'skipped', reason: null, ms: 0 },
  { check: 'receiving', outcome: 'passed', reason: null, ms: 0 },
]

it.each([
  [
    'a program',
    { channel: 'http', delivery: 'webhook' },
    ['The program accepts events: does not work'],
    /sends your program/,
  ],
  [
    'a bot that is asked for its messages',
    { channel: 'telegram', delivery: 'polling' },
    [
      'The provider accepts the key: does not work',
      'The provider delivers to this installation: not needed here',
      'Messages can be fetched: works, 0\u00a0ms',
    ],
    /can be fetched from it/,
  ],
] as const)('shows for %s what is really tested', async (_, connection, expected, body) => {
  server.health = HEALTH
  server.fetchLatest.mockResolvedValue(CHECKS)
  render(<HealthSection connection={{ ...CONNECTION, ...connection } as unknown as ChannelConnection} />)
  expect(screen.getByText(body)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Test now' }))
  const rows = (await screen.findAllByRole('listitem')).map((row) => row.querySelector('p')?.textContent)
  expect(rows).toEqual(expected)
})

it.each(['telegram', 'whatsapp', 'vk', 'avito', 'http'] as const)(
  'shows the past errors of a connection: %s',
  (channel) => {
    server.health = HEALTH
    const errors = [
      { at: 2, text: 'Wrong response from the webhook: 502 Bad Gateway' },
      { at: 1, text: 'Unauthorized' },
    ]
    render(<HealthSection connection={{ ...CONNECTION, channel, errors } as ChannelConnection} />)
    const shown = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(shown).toEqual([expect.stringContaining('502 Bad Gateway'), expect.stringContaining('Unauthorized')])
  },
)

it('says so where there have been no errors', () => {
  show({})
  expect(screen.getByText('Past errors').parentElement?.textContent).toContain('There have been none.')
})
