// Merging contacts of one person: finding, comparing, merging into the chosen survivor, and separating.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { Contact, ContactHit } from '#shared/messaging/contacts.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { ContactMerge } from './contact-merge.tsx'

type Reference = Parameters<typeof getFunctionName>[0]
const server = vi.hoisted(() => ({
  other: undefined as unknown,
  call: vi.fn<(name: string, args: unknown) => Promise<unknown>>(),
}))
fakeConvex(() => {
  const caller = (reference: Reference) => (args: unknown) => server.call(getFunctionName(reference), args)
  const search = (args: unknown) => server.call('conversations/contacts:search', args)
  return { useQuery: () => server.other, useMutation: caller, useAction: () => search }
})
vi.mock('#web/lib/toast.ts', () => ({ toast: { success: vi.fn(), error: vi.fn(), failure: vi.fn() } }))

const anna = contact('anna', 'Anna')
const work = contact('work', 'Anna at work')
const hits: ContactHit[] = [anna, work].flatMap(({ _id, channelName: name, identifiers: [identifier] }) =>
  identifier ? [{ _id, name, identifier }] : [],
)

function contact(id: string, channelName: string): Contact {
  return {
    _id: id as Id<'customers'>,
    givenName: null,
    channelName,
    language: null,
    tags: [`tag of ${channelName}`],
    attributes: [],
    note: '',
    identifiers: [{ channel: 'telegram', connection: 'bot', externalId: id, username: null }],
    merged: [],
    legalHold: null,
    liftedHolds: [],
    conversations: [],
  }
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})
beforeEach(() => {
  server.other = work
  server.call.mockReset().mockImplementation(async (name) => (name.endsWith(':search') ? hits : null))
})

it('finds another contact, compares both and merges into the chosen one', async () => {
  render(<ContactMerge contact={anna} />)
  await userEvent.click(screen.getByRole('button', { name: 'Merge with another…' }))
  await userEvent.type(screen.getByLabelText('Contact'), 'ann')
  const found = await screen.findAllByRole('listitem')
  expect(found.map((each) => each.textContent)).toEqual(['Anna at workTelegram · work'])
  await userEvent.click(screen.getByRole('button', { name: /Anna at work/ }))
  expect(screen.getByText('tag of Anna')).toBeVisible()
  expect(screen.getByText('tag of Anna at work')).toBeVisible()
  expect(screen.getByRole('radio', { name: /^Anna\s*Stays/ })).toBeChecked()
  await userEvent.click(screen.getByRole('radio', { name: /^Anna at work/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Merge' }))
  expect(server.call).toHaveBeenLastCalledWith('conversations/contacts:merge', { survivorId: 'work', otherId: 'anna' })
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('explains a separation before it is done', async () => {
  const [identifier] = work.identifiers
  if (!identifier) throw new Error('no identifier')
  const merged = [{ ...work, name: 'Anna at work', identifier, mergedAt: 0, mergedBy: 'Olga' }]
  render(<ContactMerge contact={{ ...anna, merged }} />)
  expect(screen.getByText(/Merged by Olga/)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Separate “Anna at work”' }))
  expect(screen.getByRole('alertdialog')).toHaveTextContent('What was added after the merge stays with “Anna”.')
  expect(server.call).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Separate' }))
  expect(server.call.mock.calls).toEqual([['conversations/contacts:separate', { customerId: 'work' }]])
})
