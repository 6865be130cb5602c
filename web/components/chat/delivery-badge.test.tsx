// How a message that cannot be sent is explained, and where the explanation links to.
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { beforeAll, expect, it } from 'vitest'
import type { Message, PartWait } from '#shared/messaging/conversations.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { deliveryOf } from './delivery.ts'
import { DeliveryBadge } from './delivery-badge.tsx'

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})

const TELEGRAM = { _id: 'c1', channel: 'telegram' } as PartWait['connection']
const GREEN_API = { _id: 'c2', channel: 'whatsapp' } as PartWait['connection']

async function open(waitsFor: PartWait) {
  cleanup()
  const part = { _id: 'p', status: 'queued', error: null, waitsUntil: null, waitsFor } as Message['deliveries'][number]
  const delivery = deliveryOf({ deliveries: [part] })
  if (!delivery) throw new Error('there is a part')
  render(
    <MemoryRouter>
      <DeliveryBadge delivery={delivery} />
    </MemoryRouter>,
  )
  await userEvent.click(screen.getByRole('button', { name: /^Waiting/ }))
}

it.each<[string, PartWait, RegExp, string]>([
  [
    'whose token is refused',
    { why: 'refused', detail: '401 Unauthorized', connection: TELEGRAM },
    /no longer accepts the key of this connection/,
    '/channels/telegram/c1',
  ],
  [
    'for which GREEN-API wants to be paid',
    { why: 'unpaid', detail: '466 Monthly quota', connection: GREEN_API },
    /change the plan in your GREEN-API console/,
    '/channels/whatsapp/c2',
  ],
  [
    'whose account may not send',
    { why: 'frozen', detail: null, connection: GREEN_API },
    /cannot send at the moment/,
    '/channels/whatsapp/c2',
  ],
])(
  'says of a message %s why it waits, in the words of the channel too, and leads to the connection',
  async (_, ...expected) => {
    const [waitsFor, words, path] = expected
    await open(waitsFor)
    expect(screen.getByText(words)).toBeVisible()
    if (waitsFor.detail) expect(screen.getByText(waitsFor.detail)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Open the connection' })).toHaveAttribute('href', path)
  },
)

it('shows no reason for a message that is sent within moments', () => {
  cleanup()
  const part = { _id: 'p', status: 'queued', error: null, waitsUntil: null } as Message['deliveries'][number]
  const delivery = deliveryOf({ deliveries: [part] })
  if (delivery) render(<DeliveryBadge delivery={delivery} />)
  expect(screen.getByText('Waiting to be sent')).toBeVisible()
  expect(screen.queryByRole('button')).toBeNull()
})
