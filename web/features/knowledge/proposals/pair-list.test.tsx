// Contradictions and duplicates: both texts, the ways to mend them, and back.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { MemoryRouter } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import type { KnowledgePair, PairSide } from '#shared/knowledge/review.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'
import { PairList } from './pair-list.tsx'

const server = vi.hoisted(() => ({
  pairs: [] as unknown[],
  call: vi.fn<(name: string, args: unknown) => Promise<unknown>>(),
}))
fakeConvex(() => ({
  useQuery: () => server.pairs,
  useMutation: (reference: Parameters<typeof getFunctionName>[0]) => (args: unknown) =>
    server.call(getFunctionName(reference), args),
}))

const space = { _id: 's1', name: 'Shop' } as KnowledgeSpace
const first: PairSide = {
  chunkId: 'k1' as PairSide['chunkId'],
  kind: 'document',
  documentId: 'd1',
  name: 'delivery.pdf',
  text: 'Delivery costs 500.',
}
const second: PairSide = {
  ...first,
  chunkId: 'k2' as PairSide['chunkId'],
  kind: 'fragment',
  documentId: 'f1',
  name: 'Delivery',
}
const pair: KnowledgePair = {
  _id: 'p1' as KnowledgePair['_id'],
  kind: 'contradiction',
  first,
  second,
  conversations: 3,
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('proposals', 'common')
})
beforeEach(() => {
  server.call.mockReset().mockResolvedValue({ _id: 'k3' })
})

function open(pairs: KnowledgePair[]) {
  server.pairs = pairs
  render(<PairList space={space} />, { wrapper: MemoryRouter })
  return userEvent.setup()
}

it('says when it was looked for and what to do next while there are none', () => {
  open([])
  expect(screen.getByText(/Add documents or notes/)).toBeVisible()
})

it('leads to where each text is changed', () => {
  open([pair])
  expect(screen.getByText('in 3 conversations')).toBeVisible()
  const link = (name: string) => screen.getByRole('link', { name: `Correct “${name}”` }).getAttribute('href')
  expect(link('delivery.pdf')).toBe('/?document=d1&chunk=k1')
  expect(link('Delivery')).toBe('/?part=notes&note=f1')
})

it('hides a passage of a document, never a note, and shows it again under its new id', async () => {
  const shown = vi.spyOn(toast, 'success')
  const user = open([pair])
  await user.click(screen.getByRole('button', { name: 'Hide this passage of “delivery.pdf”' }))
  expect(server.call).toHaveBeenCalledWith('knowledge/chunks:update', { chunkId: 'k1', patch: { isEnabled: false } })
  expect(screen.getByRole('heading', { name: 'Duplicates and contradictions' })).toHaveFocus()
  shown.mock.lastCall?.[1]?.action?.onClick()
  expect(server.call).toHaveBeenLastCalledWith('knowledge/chunks:update', { chunkId: 'k3', patch: { isEnabled: true } })
  expect(screen.queryByRole('button', { name: 'Hide this passage of “Delivery”' })).toBeNull()
})

it('takes a pair that is none off the list', async () => {
  const user = open([pair])
  await user.click(screen.getByRole('button', { name: 'Not a contradiction' }))
  expect(server.call).toHaveBeenCalledWith('knowledge/review:dismiss', { pairId: 'p1', isDismissed: true })
})
