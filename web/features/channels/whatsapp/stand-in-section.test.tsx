// The stand-in of a number: what may be chosen, what is shown about waiting messages, and where conversations went on.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { StandIn } from '#shared/channels/stand-ins.ts'
import type { Id } from '#shared/ids.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { StandInSection } from './stand-in-section.tsx'

const server = vi.hoisted(() => ({ standIn: undefined as unknown, save: vi.fn(() => Promise.resolve(null)) }))
fakeConvex(() => ({ useQuery: () => server.standIn, useMutation: () => server.save }))

const OTHER = { _id: 'b' as Id<'channelConnections'>, identifier: '77000000002', externalAccountId: '1', isReady: true }
const OFF: StandIn = {
  settings: { standInId: null, afterMinutes: 15, notice: '' },
  choices: [OTHER],
  frozenSince: null,
  waiting: { hidden: 0, uncertain: 0, next: 0 },
  rerouted: 0,
  latest: [],
}

function show(standIn: Partial<StandIn>) {
  server.standIn = { ...OFF, ...standIn } satisfies StandIn
  render(
    <MemoryRouter>
      <StandInSection connection={{ _id: 'a', channel: 'whatsapp' } as ChannelConnection} />
    </MemoryRouter>,
  )
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('channels')
})
beforeEach(() => void server.save.mockClear())

it('is off until a number is chosen; default words are shown where none are set', async () => {
  show({})
  expect(screen.getByRole('combobox', { name: 'Continue from' })).toHaveTextContent('None: conversations wait')
  expect(screen.getByRole('combobox', { name: 'After' })).toBeDisabled()
  expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
  await userEvent.click(screen.getByRole('combobox', { name: 'Continue from' }))
  await userEvent.click(screen.getByRole('option', { name: '+77000000002' }))
  const notice = screen.getByRole('textbox', { name: /What to tell the customer/ })
  expect(notice).toHaveAttribute('placeholder', expect.stringMatching(/^We are writing from another number/))
  await userEvent.type(notice, ' This is us ')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(server.save).toHaveBeenCalledExactlyOnceWith({
    connectionId: 'a',
    settings: { standInId: 'b', afterMinutes: 15, notice: 'This is us' },
  })
})

it('says what to do where there is no other number', () => {
  show({ choices: [] })
  expect(screen.getByRole('link', { name: 'Connect a number' })).toHaveAttribute('href', '/channels/whatsapp/setup')
  expect(screen.queryByRole('combobox')).toBeNull()
})

it('says which conversations wait for this number alone, while it may not send', () => {
  const settings = { ...OFF.settings, standInId: OTHER._id }
  show({ settings, frozenSince: 1, waiting: { hidden: 2, uncertain: 1, next: 3 } })
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Will continue from the stand-in when the time comes and its limits allow: 3 conversations.',
    'Stay with this number: 2 conversations. WhatsApp hides the customers’ numbers, so no other number can write to them.',
    'Stays with this number: 1 conversation. Part of it may have arrived already and would arrive twice.',
  ])
})

it('promises nothing of a stand-in that cannot send either, or is not there any more', () => {
  const settings = { ...OFF.settings, standInId: OTHER._id }
  show({ settings, choices: [{ ...OTHER, isReady: false }] })
  expect(screen.getByText(/cannot send either/)).toBeVisible()
  show({ settings, choices: [] })
  expect(screen.getByText(/is disconnected/)).toBeVisible()
})

it('leads to the conversations that went on elsewhere', () => {
  show({ rerouted: 2, latest: [{ conversationId: 'c' as Id<'conversations'>, customerName: 'Anna', at: Date.now() }] })
  expect(screen.getByText('2 conversations continued from the stand-in')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Anna' })).toHaveAttribute('href', '/conversations/c')
})
