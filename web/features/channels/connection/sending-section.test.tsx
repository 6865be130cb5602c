// The sending limits of a connection: what is used up of them, what waits, and what may be entered.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { NO_CAPS, type Sending } from '#shared/channels/caps.ts'
import type { Channel, ChannelConnection } from '#shared/channels/channels.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { SendingSection } from './sending-section.tsx'

const HOUR_MS = 3_600_000
const NOBODY_SENT = { lastAt: null, hourFrom: null, inHour: 0, dayFrom: null, inDay: 0 }
const server = vi.hoisted(() => ({ sending: undefined as unknown, setCaps: vi.fn(() => Promise.resolve(null)) }))
fakeConvex(() => ({ useQuery: () => server.sending, useMutation: () => server.setCaps }))

function show(channel: Channel, sending: Partial<Sending>) {
  server.sending = { caps: NO_CAPS, counts: NOBODY_SENT, waiting: 0, nextAt: null, ...sending } satisfies Sending
  render(<SendingSection connection={{ _id: 'c', channel } as ChannelConnection} />)
}
const factOf = (label: string) => screen.getByText(label).nextElementSibling?.textContent

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('channels')
})
beforeEach(() => void server.setCaps.mockClear())

it('shows what is used of the limits that apply, and leaves out those that are not set', () => {
  const counts = { ...NOBODY_SENT, hourFrom: Date.now() - HOUR_MS / 2, inHour: 7 }
  show('telegram', { caps: { ...NO_CAPS, perHour: 40 }, counts, waiting: 3 })
  expect(factOf('Sent this hour')).toMatch(/^7 of 40Until /)
  expect(factOf('Waiting to be sent')).toBe('3')
  expect(screen.queryByText('Sent today')).toBeNull()
})

it('counts nothing of an hour that is over', () => {
  show('telegram', {
    caps: { ...NO_CAPS, perHour: 40 },
    counts: { ...NOBODY_SENT, hourFrom: Date.now() - 2 * HOUR_MS, inHour: 40 },
  })
  expect(factOf('Sent this hour')).toBe('0 of 40')
})

it('saves limits by the button, and not one that is no whole number of messages', async () => {
  show('telegram', {})
  const save = screen.getByRole('button', { name: 'Save limits' })
  const perHour = screen.getByRole('textbox', { name: /Messages per hour/ })
  expect(save).toBeDisabled()
  await userEvent.type(perHour, '0')
  expect(perHour).toBeInvalid()
  expect(save).toBeDisabled()
  await userEvent.clear(perHour)
  await userEvent.type(perHour, '25')
  await userEvent.click(save)
  expect(server.setCaps).toHaveBeenCalledExactlyOnceWith({
    connectionId: 'c',
    caps: { perHour: 25, perDay: null, warmUp: 'off' },
  })
})

it('warms up numbers of WhatsApp only', () => {
  show('whatsapp', {})
  expect(screen.getAllByRole('radio')).toHaveLength(3)
})

it('offers no warming up to a bot', () => {
  show('telegram', {})
  expect(screen.queryByRole('radio')).toBeNull()
})
