// From one conversation to the next: in the order of the list, or in that of what a search has found.
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { getFunctionName } from 'convex/server'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { MemoryRouter } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Conversation, Neighbours } from '#shared/messaging/conversations.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { TooltipProvider } from '#web/components/ui/tooltip.tsx'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { queryClient } from '#web/lib/server/query-client.ts'
import { ConversationSteps } from './conversation-steps.tsx'

const NEIGHBOURS = { previous: 'before', next: 'after' } as Neighbours
const FOUND = ['x', 'c', 'y']
const CONVERSATIONS = FOUND.map((_id) => ({ _id }))
fakeConvex(() => ({
  useAction: () => async () => ({
    hits: FOUND.map((conversationId) => ({ conversationId, messageId: `m-${conversationId}`, excerpt: [] })),
  }),
  useMutation: () => vi.fn(),
  useQuery: (reference: Parameters<typeof getFunctionName>[0], args: unknown) => {
    if (args === 'skip') return undefined
    const name = getFunctionName(reference)
    if (name === 'conversations:neighbours') return NEIGHBOURS
    return name === 'conversations:found' ? CONVERSATIONS : undefined
  },
}))
vi.mock('#web/lib/sign-in/current-user.tsx', () => ({
  useCurrentUser: () => ({ _id: 'me', organizationRole: 'owner' }),
}))
vi.mock('../bulk/use-bulk.ts', () => ({ useBulk: () => ({ changeStatus: vi.fn() }) }))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})
beforeEach(() => queryClient.clear())

function stepsOf(id: string, search: string) {
  return (
    <QueryClientProvider client={queryClient}>
      <NuqsTestingAdapter searchParams={search}>
        <MemoryRouter>
          <TooltipProvider>
            <ConversationSteps
              conversation={{ _id: id, status: 'active', folder: 'inbox' } as Conversation}
              isSplitView={false}
            />
          </TooltipProvider>
        </MemoryRouter>
      </NuqsTestingAdapter>
    </QueryClientProvider>
  )
}
const hrefs = () => screen.queryAllByRole('link').map((link) => link.getAttribute('href'))

it('leads along the list', () => {
  render(stepsOf('c', '?status=paused'))
  expect(hrefs()).toEqual(['/conversations/before?status=paused', '/conversations/after?status=paused'])
})

it('leads along what a search has found, to the messages that were found, and nowhere from another conversation', async () => {
  const { rerender } = render(stepsOf('c', '?q=rooms'))
  await screen.findAllByRole('link', {}, { timeout: 20_000 })
  expect(hrefs()).toEqual(['/conversations/x?q=rooms&message=m-x', '/conversations/y?q=rooms&message=m-y'])
  rerender(stepsOf('x', '?q=rooms'))
  expect(hrefs()).toEqual(['/conversations/c?q=rooms&message=m-c'])
  rerender(stepsOf('other', '?q=rooms'))
  expect(hrefs()).toEqual([])
})
