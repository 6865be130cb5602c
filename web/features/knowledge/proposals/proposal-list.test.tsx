// Proposed notes: edited in place, approved or rejected by mouse and keyboard, undone.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { MemoryRouter } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import type { Proposal } from '#shared/knowledge/proposals.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'
import { ProposalList } from './proposal-list.tsx'

const server = vi.hoisted(() => ({
  proposals: [] as unknown[],
  call: vi.fn<(name: string, args: unknown) => Promise<unknown>>(),
}))
fakeConvex(() => ({
  useQuery: () => server.proposals,
  useMutation: (reference: Parameters<typeof getFunctionName>[0]) => (args: unknown) =>
    server.call(getFunctionName(reference), args),
}))

const space = { _id: 's1', name: 'Shop' } as KnowledgeSpace
const proposal: Proposal = {
  _id: 'p1' as Proposal['_id'],
  knowledgeSpaceId: space._id,
  conversationId: 'c1' as Proposal['conversationId'],
  question: 'Do you engrave rings?',
  answer: 'Yes.',
  alike: null,
  conversations: 2,
  createdAt: 0,
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('proposals', 'common')
})
beforeEach(() => {
  server.call.mockReset().mockResolvedValue(null)
})

function open(proposals: Proposal[]) {
  server.proposals = proposals
  render(<ProposalList space={space} />, { wrapper: MemoryRouter })
  return userEvent.setup()
}

it('explains the next step while there are no proposals', () => {
  open([])
  expect(screen.getByText(/Turn learning on below/)).toBeVisible()
})

it('adds a note as edited, by Mod+Enter, and keeps the focus in the list', async () => {
  const user = open([proposal])
  expect(screen.getByRole('link', { name: 'Conversation' })).toHaveAttribute('href', '/conversations/c1')
  await user.type(screen.getByLabelText('Answer'), ' It costs 20 dollars.{Control>}{Enter}{/Control}')
  const edited = { question: proposal.question, answer: 'Yes. It costs 20 dollars.' }
  expect(server.call).toHaveBeenCalledWith('knowledge/proposals:approve', {
    proposalId: 'p1',
    ...edited,
    replaces: false,
  })
  expect(screen.getByRole('heading', { name: 'Proposed notes' })).toHaveFocus()
})

it('does not add a note without an answer', async () => {
  const user = open([proposal])
  await user.clear(screen.getByLabelText('Answer'))
  await user.click(screen.getByRole('button', { name: 'Add the note' }))
  expect(screen.getByText('Fill in this field.')).toBeVisible()
  expect(server.call).not.toHaveBeenCalled()
})

it('offers to replace a contradicting note, and shows it', async () => {
  const alike = { kind: 'fragment', chunkId: 'k1', documentId: 'f1', name: 'Rings', content: 'No engraving.' } as const
  const user = open([{ ...proposal, alike: { ...alike, chunkId: 'k1' as never } }])
  expect(screen.getByText('No engraving.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Replace the similar note' }))
  expect(server.call.mock.lastCall?.[1]).toMatchObject({ replaces: true })
})

it('rejects a note, and undoes that', async () => {
  const shown = vi.spyOn(toast, 'success')
  const user = open([proposal])
  await user.click(screen.getByRole('button', { name: 'Reject' }))
  expect(server.call).toHaveBeenCalledWith('knowledge/proposals:reject', { proposalId: 'p1' })
  shown.mock.lastCall?.[1]?.action?.onClick()
  expect(server.call).toHaveBeenCalledWith('knowledge/proposals:reopen', { proposalId: 'p1' })
})
