// The section next to a conversation: what the team notes of a customer, what the conversation has come to, and erasing the customer.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { MemoryRouter } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { Contact, ConversationMetrics } from '#shared/messaging/contacts.ts'
import type { OpenConversation } from '#shared/messaging/conversations.ts'
import type { ErasureCounts } from '#shared/messaging/retention.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { MetricsSection } from '../panel/metrics-section.tsx'
import { ContactData } from './contact-data.tsx'
import { ContactForm } from './contact-form.tsx'

type Reference = Parameters<typeof getFunctionName>[0]
const server = vi.hoisted(() => ({
  answer: undefined as unknown,
  call: vi.fn<(name: string, args: unknown) => Promise<unknown>>(),
}))
fakeConvex(() => ({
  useQuery: () => server.answer,
  useMutation: (reference: Reference) => (args: unknown) => server.call(getFunctionName(reference), args),
}))
vi.mock('#web/lib/toast.ts', () => ({ toast: { success: vi.fn(), error: vi.fn(), failure: vi.fn() } }))

const anna: Contact = {
  _id: 'anna' as Id<'customers'>,
  givenName: null,
  channelName: 'Anna',
  language: null,
  tags: ['regular'],
  attributes: [{ key: 'Birthday', value: '4 May' }],
  note: '',
  identifiers: [],
  merged: [],
  legalHold: null,
  liftedHolds: [],
  conversations: [],
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})
beforeEach(() => void server.call.mockReset().mockResolvedValue(null))

it('saves the contact as a whole, and offers that only when something was changed', async () => {
  const onSaved = vi.fn()
  const onDirtyChange = vi.fn()
  render(<ContactForm contact={anna} onDirtyChange={onDirtyChange} onSaved={onSaved} />)
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  await userEvent.type(screen.getByLabelText('Note about the customer'), 'Quiet room')
  expect(onDirtyChange).toHaveBeenLastCalledWith(true)
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  const patch = { name: '', tags: ['regular'], attributes: anna.attributes, note: 'Quiet room' }
  expect(server.call).toHaveBeenCalledExactlyOnceWith('conversations/contacts:update', { customerId: 'anna', patch })
  expect(onSaved).toHaveBeenCalledOnce()
})

it('does not save two attributes of one name, and throws changes away on demand', async () => {
  render(<ContactForm contact={anna} onDirtyChange={() => undefined} onSaved={() => undefined} />)
  await userEvent.click(screen.getByRole('button', { name: 'Add a field' }))
  await userEvent.type(screen.getAllByLabelText('Field name')[1] as HTMLElement, 'birthday')
  expect(screen.getByRole('alert')).toHaveTextContent('its own name')
  expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }))
  expect(screen.getAllByLabelText('Field name')).toHaveLength(1)
})

it('tells the figures of a conversation, and admits what is not known', () => {
  server.answer = {
    messages: { customer: 3, agent: 2, operator: 0 },
    durationMs: 180_000,
    inputTokens: 1496,
    outputTokens: 26,
    costMicroUsd: 400,
    costs: [
      { purpose: 'reply', costMicroUsd: 300 },
      { purpose: 'media', costMicroUsd: 100 },
    ],
    unpricedCalls: 1,
    firstResponseMs: 1200,
    medianResponseMs: null,
  } satisfies ConversationMetrics
  render(<MetricsSection conversation={{ _id: 'c', rating: null } as unknown as OpenConversation} />)
  const figure = (label: string) => screen.getByText(label).nextElementSibling?.textContent
  expect(figure('Customer’s messages')).toBe('3')
  expect(figure('Time to first reply')).toBe('1.2s')
  expect(figure('Median reply time')).toBe('–')
  expect(figure('Tokens, in / out')).toBe('1,496 / 26')
  expect(figure('Cost')).toContain('Answers: $0.0003Voice and images: $0.0001without a price: 1')
  expect(screen.queryByText('Customer rating')).toBeNull()
})

it('erases a customer only when the name was typed, and names what is lost and nothing that is not there', async () => {
  server.answer = {
    identifiers: 1,
    conversations: 2,
    messages: 11,
    files: 0,
    notes: 1,
    traces: 4,
  } satisfies ErasureCounts
  render(
    <MemoryRouter>
      <ContactData contact={anna} />
    </MemoryRouter>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Erase…' }))
  const losses = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(losses.slice(0, 2)).toEqual(['2 conversations', '11 messages and the records of answers'])
  expect(losses.join()).not.toContain('0 files')
  const erase = screen.getByRole('button', { name: 'Erase for good' })
  await userEvent.type(screen.getByRole('textbox'), 'Ann')
  expect(erase).toBeDisabled()
  await expectAccessible()
  await userEvent.type(screen.getByRole('textbox'), 'a')
  await userEvent.click(erase)
  expect(server.call).toHaveBeenCalledExactlyOnceWith('conversations/contacts:erase', { customerId: 'anna' })
})
