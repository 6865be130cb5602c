// Webhooks in the settings: how they stand, made with a secret that is shown once, their log, and what is sent again.
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { MemoryRouter } from 'react-router'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { OFFERED_TYPES, type WebhookDelivery, type WebhookEndpoint } from '#shared/webhooks/webhooks.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { EndpointView } from './endpoint-view.tsx'
import { EndpointsSection } from './endpoints-section.tsx'

type Reference = Parameters<typeof getFunctionName>[0]

const server = vi.hoisted(() => ({
  endpoints: [] as unknown[] | undefined,
  deliveries: [] as unknown[],
  counts: { waiting: 0, dead: 0, max: 1000 },
  call: vi.fn<(name: string, args: object) => Promise<unknown>>(),
  asked: [] as object[],
}))
const act = (reference: Reference) => (args: object) => server.call(getFunctionName(reference), args)
fakeConvex(() => ({
  useQuery: (reference: Reference) =>
    ({
      'webhooks:list': server.endpoints,
      'webhooks:counts': server.counts,
      'webhooks:delivery': { ...DELIVERY, body: '{"type":"message.incoming"}', log: LOG },
    })[getFunctionName(reference)],
  usePaginatedQuery: (_reference: Reference, args: object) => {
    server.asked.push(args)
    return { results: server.deliveries, status: 'Exhausted', loadMore: () => {} }
  },
  useMutation: act,
  useAction: act,
}))

const ENDPOINT: WebhookEndpoint = {
  _id: 'e1' as WebhookEndpoint['_id'],
  url: 'https://shop.example/hook',
  description: '',
  types: ['message.incoming', 'conversation.ended'],
  perMinute: null,
  ...{ state: 'on', disabledReason: null, failingSince: null, retryAt: null, fullSince: null },
  ...{ previousSecretUntil: null, lastDeliveredAt: Date.UTC(2026, 10, 28), createdAt: 0 },
}
const DELIVERY: WebhookDelivery = {
  _id: 'd1' as WebhookDelivery['_id'],
  eventId: 'an-event' as WebhookDelivery['eventId'],
  ...{ type: 'message.incoming', state: 'dead', attempts: 9, lastTriedAt: 1, lastStatus: 400, lastError: 'status' },
  createdAt: Date.UTC(2026, 10, 28),
}
const LOG = [
  { number: 9, at: 1, status: 400, error: 'status', latencyMs: 12, answer: 'No such field' },
  { number: 8, at: 0, status: null, error: 'timeout', latencyMs: 15_000, answer: '' },
]

beforeAll(async () => {
  await startI18n('en')
  await Promise.all([loadTexts('webhooks'), loadTexts('settings'), loadTexts('common')])
})
beforeEach(() => {
  server.endpoints = [ENDPOINT]
  server.deliveries = [DELIVERY]
  server.counts = { waiting: 0, dead: 1, max: 1000 }
  server.call.mockReset()
  server.call.mockResolvedValue({ secret: 'whsec_new', endpointId: 'e1', events: 3 })
  server.asked = []
})

function show(page: React.ReactNode, search = ''): void {
  render(
    <MemoryRouter>
      <NuqsTestingAdapter searchParams={search} hasMemory>
        {page}
      </NuqsTestingAdapter>
    </MemoryRouter>,
  )
}
const view = (search = '') => show(<EndpointView endpointId="e1" />, search)
const press = (name: string | RegExp, within_ = screen as Pick<typeof screen, 'getByRole'>) =>
  userEvent.click(within_.getByRole('button', { name }))

describe('the list', () => {
  it('says how each stands', async () => {
    const named = { ...ENDPOINT, _id: 'e2', description: 'Shop', failingSince: Date.UTC(2026, 10, 27) }
    server.endpoints = [ENDPOINT, named, { ...ENDPOINT, _id: 'e3', state: 'disabled', disabledReason: 'gone' }]
    show(<EndpointsSection />)
    const [working, failing, disabled] = screen.getAllByRole('listitem')
    expect(working).toHaveTextContent(/shop.example\/hook.*Working.*2 types of events/)
    expect(failing).toHaveTextContent(/Shop.*Failing.*failing since/)
    expect(disabled).toHaveTextContent('Disabled')
    await expectAccessible()
  })

  it('has a next step when it is empty', async () => {
    server.endpoints = []
    show(<EndpointsSection />)
    expect(screen.getByRole('heading', { name: 'No webhooks yet' })).toBeVisible()
    await press('Add webhook')
    expect(await screen.findByRole('dialog', { name: 'New webhook' })).toBeVisible()
    await expectAccessible()
  })
})

describe('a new webhook', () => {
  it('shows its secret once', async () => {
    show(<EndpointsSection />)
    await press('Add webhook')
    const dialog = await screen.findByRole('dialog')
    await userEvent.type(within(dialog).getByRole('textbox', { name: /Address/ }), 'https://shop.example/hook')
    await userEvent.click(within(dialog).getByRole('checkbox', { name: /Document could not be read/ }))
    await press('Add webhook', within(dialog))
    expect(await screen.findByText('whsec_new')).toBeVisible()
    expect(server.call).toHaveBeenCalledWith('webhooks:create', {
      ...{ url: 'https://shop.example/hook', description: '', perMinute: null },
      types: OFFERED_TYPES.filter((type) => type !== 'document.failed'),
    })
    await expectAccessible()
    await press('Done')
    await waitFor(() => expect(screen.queryByText('whsec_new')).toBeNull())
  })

  it('keeps a refusal at the field, and asks for an address and a type', async () => {
    show(<EndpointsSection />)
    await press('Add webhook')
    const dialog = await screen.findByRole('dialog')
    for (const box of within(dialog).getAllByRole('checkbox')) await userEvent.click(box)
    await press('Add webhook', within(dialog))
    expect(await within(dialog).findByText('Enter an address.')).toBeVisible()
    expect(within(dialog).getByText('Choose at least one.')).toBeVisible()
    server.call.mockRejectedValue(new AppError('webhook_url_internal'))
    await userEvent.click(within(dialog).getAllByRole('checkbox')[0] as HTMLElement)
    await userEvent.type(within(dialog).getByRole('textbox', { name: /Address/ }), 'https://10.0.0.1')
    await press('Add webhook', within(dialog))
    expect(await within(dialog).findByText(/internal network/)).toBeVisible()
    server.call.mockRejectedValue(new AppError('too_many_webhooks', { max: 10 }))
    await press('Add webhook', within(dialog))
    expect(await within(dialog).findByText(/already has 10 webhooks/)).toBeVisible()
    await expectAccessible()
  })
})

describe('one webhook', () => {
  it('says since when it fails, when it is tried again, and what is lost', async () => {
    server.endpoints = [{ ...ENDPOINT, failingSince: 1, retryAt: 2, fullSince: 3 }]
    view()
    expect(screen.getByText(/has taken no event since/)).toHaveTextContent(/Next attempt/)
    expect(screen.getByText(/10,000 events wait/)).toBeVisible()
    await expectAccessible()
  })

  it('that was disabled is switched on by a button', async () => {
    server.endpoints = [{ ...ENDPOINT, state: 'disabled', disabledReason: 'failing' }]
    view()
    expect(screen.getByText(/no event for 5 days/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Send test event' })).toBeNull()
    await press('Switch on')
    expect(server.call).toHaveBeenCalledWith('webhooks:setOn', { endpointId: 'e1', isOn: true })
  })

  it('is sent a test event', async () => {
    view()
    await press('Send test event')
    expect(server.call).toHaveBeenCalledWith('webhooks:sendTest', { endpointId: 'e1' })
  })

  it('gets another secret after a question, which is shown then', async () => {
    view()
    await press('More actions')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Replace secret' }))
    await press('Replace secret', within(await screen.findByRole('alertdialog')))
    expect(await screen.findByText('whsec_new')).toBeVisible()
    expect(screen.getByText(/signed with both secrets/)).toBeVisible()
  })

  it('is deleted after a question', async () => {
    view()
    await press('More actions')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    await press('Delete', within(await screen.findByRole('alertdialog')))
    expect(server.call).toHaveBeenCalledWith('webhooks:remove', { endpointId: 'e1' })
  })

  it('that is gone has a way back', async () => {
    server.endpoints = []
    view()
    expect(screen.getByText(/no such webhook/)).toBeVisible()
    expect(screen.getByRole('link', { name: 'All webhooks' })).toHaveAttribute('href', '/settings/webhooks')
  })
})

describe('the log', () => {
  it('shows every attempt of the delivery that the address names', async () => {
    view('?delivery=d1&state=dead')
    expect(server.asked.at(-1)).toEqual({ endpointId: 'e1', state: 'dead' })
    const [row] = within(screen.getByRole('list', { name: 'Deliveries' })).getAllByRole('listitem')
    expect(row).toHaveTextContent(/Message of a customer.*given up.*9 attempts.*HTTP 400/)
    expect(screen.getByText('an-event')).toBeVisible()
    expect(screen.getByRole('region', { name: 'Answer to attempt 9' })).toHaveTextContent('No such field')
    expect(screen.getByText('No answer in time.')).toBeVisible()
    expect(screen.getByRole('region', { name: 'What is sent' })).toHaveTextContent('message.incoming')
    await press('Send again')
    expect(server.call).toHaveBeenCalledWith('webhooks:replay', { deliveryId: 'd1' })
    await expectAccessible()
  })

  it('sends everything again that was given up, after a question', async () => {
    view()
    await press('Send given-up events again')
    await press('Send given-up events again', within(await screen.findByRole('alertdialog')))
    expect(server.call).toHaveBeenCalledWith('webhooks:replayDead', { endpointId: 'e1' })
  })

  it('has words when there is nothing, and the way to everything', async () => {
    server.deliveries = []
    view('?state=dead')
    await press('Show all')
    expect(server.asked.at(-1)).toEqual({ endpointId: 'e1' })
    expect(screen.getByRole('heading', { name: 'No events yet' })).toBeVisible()
  })
})
