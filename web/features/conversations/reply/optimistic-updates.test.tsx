// A change of a conversation is shown before the server answers, and reverted when it refuses, with a toast that offers a retry.
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { OptimisticLocalStore, OptimisticUpdate } from 'convex/browser'
import { type FunctionReference, getFunctionName } from 'convex/server'
import { useSyncExternalStore } from 'react'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { Conversation } from '#shared/messaging/conversations.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { api } from '#web/api.ts'
import { TooltipProvider } from '#web/components/ui/tooltip.tsx'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'
import { ConversationFiling } from '../panel/conversation-filing.tsx'
import { PauseBanner } from '../thread/pause-banner.tsx'

type Shown = { name: string; args: Record<string, unknown>; value: unknown }
type Call = { name: string; args: unknown; answer: PromiseWithResolvers<unknown> }
/** A minimal client: results of queries, overlaid by the optimistic updates of pending calls. */
const client = vi.hoisted(() => {
  const listeners = new Set<() => void>()
  return {
    known: [] as Shown[],
    shown: [] as Shown[],
    updates: [] as ((store: OptimisticLocalStore) => void)[],
    calls: [] as Call[],
    listeners,
    notify: () => {
      for (const listener of listeners) listener()
    },
  }
})

function show() {
  client.shown = client.known.map((each) => ({ ...each }))
  const named = (query: FunctionReference<'query'>) =>
    client.shown.filter(({ name }) => name === getFunctionName(query))
  const store = {
    getQuery: (query: FunctionReference<'query'>) => named(query)[0]?.value,
    getAllQueries: named,
    setQuery: (query: FunctionReference<'query'>, args: unknown, value: unknown) => {
      for (const each of named(query)) if (JSON.stringify(each.args) === JSON.stringify(args)) each.value = value
    },
  } as unknown as OptimisticLocalStore
  for (const update of client.updates) update(store)
  client.notify()
}

fakeConvex(() => {
  const subscribe = (listener: () => void) => {
    client.listeners.add(listener)
    return () => void client.listeners.delete(listener)
  }
  return {
    useQuery: (query: FunctionReference<'query'>) =>
      useSyncExternalStore(subscribe, () => client.shown.find(({ name }) => name === getFunctionName(query))?.value),
    useMutation:
      (
        mutation: FunctionReference<'mutation'>,
        { optimisticUpdate }: { optimisticUpdate?: OptimisticUpdate<never> } = {},
      ) =>
      async (args: unknown) => {
        const update = (store: OptimisticLocalStore) => optimisticUpdate?.(store, args as never)
        const answer = Promise.withResolvers<unknown>()
        client.updates.push(update)
        client.calls.push({ name: getFunctionName(mutation), args, answer })
        show()
        try {
          return await answer.promise
        } finally {
          client.updates.splice(client.updates.indexOf(update), 1)
          show()
        }
      },
  }
})
vi.mock('#web/lib/sign-in/current-user.tsx', () => ({
  useCurrentUser: () => ({ _id: 'me', organizationRole: 'owner' }),
}))

const failure = vi.spyOn(toast, 'failure').mockImplementation(() => '')
const done = vi.spyOn(toast, 'success').mockImplementation(() => '')
const user = userEvent.setup()
const conversation = {
  _id: 'c' as Id<'conversations'>,
  folder: 'inbox',
  status: 'paused',
  resumeAt: null,
  pauseReason: 'operator',
  handoffNote: null,
  assignee: null,
  tags: ['new'],
  thread: null,
} as unknown as Conversation
const other = { ...conversation, _id: 'd' }

function Open() {
  const shown = useOpen()
  return (
    <TooltipProvider>
      <ConversationFiling conversation={shown} />
      <PauseBanner conversation={shown} agent={undefined} />
    </TooltipProvider>
  )
}
function useOpen(): Conversation {
  return useSyncExternalStore(
    (listener) => {
      client.listeners.add(listener)
      return () => void client.listeners.delete(listener)
    },
    () => client.shown[0]?.value as Conversation,
  )
}
/** Ids of the rows of a list. */
function rowsOf(at: number): string[] {
  const { page } = (client.shown[at]?.value ?? { page: [] }) as { page: Conversation[] }
  return page.map(({ _id }) => _id)
}
const lastCall = () => client.calls.at(-1) as Call
/** Answers the last call: rejects with `error` if there is one, otherwise resolves with `result`. */
async function answer(error: unknown, result?: unknown) {
  const call = lastCall()
  await act(async () => {
    if (error) call.answer.reject(error)
    else call.answer.resolve(result)
    await call.answer.promise.catch(() => undefined)
  })
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})
beforeEach(() => {
  failure.mockClear()
  done.mockClear()
  const { get, list, found } = api.conversations
  const page = { page: [conversation, other], isDone: true, continueCursor: '' }
  client.updates = []
  client.calls = []
  client.known = [
    { name: getFunctionName(get), args: { conversationId: 'c' }, value: conversation },
    { name: getFunctionName(list), args: {}, value: page },
    { name: getFunctionName(list), args: { assigneeId: null, status: 'paused' }, value: page },
    { name: getFunctionName(found), args: { conversationIds: ['c', 'd'] }, value: [conversation, other] },
    {
      name: getFunctionName(api.organizations.members),
      args: {},
      value: [{ _id: 'me', name: 'Olga' }],
    },
  ]
  show()
  render(<Open />)
})

it('assignment', async () => {
  await user.keyboard('a')
  expect(screen.getByText('Assigned to Olga')).toBeInTheDocument()
  expect([rowsOf(1), rowsOf(2)]).toEqual([['c', 'd'], ['d']]) // left the list of unassigned conversations
  await answer(new AppError('not_found'))
  expect(screen.queryByText('Assigned to Olga')).toBeNull()
  expect(rowsOf(2)).toEqual(['c', 'd'])
  const again = failure.mock.calls[0]?.[1]?.action
  expect(again?.label).toBe('Try again')
  act(() => again?.onClick())
  await waitFor(() => expect(client.calls).toHaveLength(2))
  expect(lastCall()).toMatchObject({
    name: 'conversations/bulk:assign',
    args: { conversationIds: ['c'], assigneeId: 'me' },
  })
  expect(screen.getByText('Assigned to Olga')).toBeInTheDocument()
  await answer(null, [{ conversationId: 'c', error: null, before: { assigneeId: null, ticket: 'of c' } }])
  expect(done).toHaveBeenCalledTimes(1)
  expect(failure).toHaveBeenCalledTimes(1)
})

it('archiving: it leaves the inbox and the search results', async () => {
  await user.keyboard('e')
  expect(screen.getByRole('button', { name: 'Move back to the inbox' })).toBeInTheDocument()
  expect([rowsOf(1), rowsOf(2)]).toEqual([['d'], ['d']])
  expect(client.shown[3]?.value).toEqual([other])
  await answer(new Error('lost'))
  expect(screen.getByRole('button', { name: 'Archive' })).toBeInTheDocument()
  expect(rowsOf(1)).toEqual(['c', 'd'])
  expect(failure.mock.calls[0]?.[1]?.action?.label).toBe('Try again')
})

it('ending, also when the server refuses this one of several', async () => {
  await user.keyboard('{Alt>}e{/Alt}')
  expect(client.shown[0]?.value).toMatchObject({ status: 'ended', pauseReason: null })
  expect(rowsOf(2)).toEqual(['d'])
  await answer(null, [{ conversationId: 'c', error: 'conversation_deleted', before: null }])
  expect(client.shown[0]?.value).toBe(conversation)
  expect(failure.mock.calls[0]?.[0]).toMatchObject({ code: 'conversation_deleted' })
  act(() => failure.mock.calls[0]?.[1]?.action?.onClick())
  expect(lastCall()).toMatchObject({
    name: 'conversations/bulk:status',
    args: { conversationIds: ['c'], status: 'ended' },
  })
  expect(client.calls).toHaveLength(2)
})

it('resuming the agent', async () => {
  await user.click(screen.getByRole('button', { name: 'Resume agent' }))
  expect(screen.queryByText(/The agent is silent/)).toBeNull()
  await answer(new AppError('not_found'))
  expect(screen.getByText(/The agent is silent/)).toBeInTheDocument()
  expect(failure.mock.calls[0]?.[1]?.action?.label).toBe('Try again')
})

it('merged conversations: an undo is shown only once the server answers', async () => {
  const shown = { ...conversation, _id: 'e', thread: { _id: 't', parts: [{ _id: 'e' }, { _id: 'c' }] } }
  client.known.push({ name: 'conversations:get', args: { conversationId: 'e' }, value: shown })
  act(show)
  await user.keyboard('e')
  expect(client.shown.at(-1)?.value).toMatchObject({ folder: 'archived' })
  const before = (ticket: string) => ({ folder: 'inbox', ticket })
  await answer(null, [
    { conversationId: 'c', error: null, before: before('of c') },
    { conversationId: 'e', error: null, before: before('of e') },
  ])
  act(() => done.mock.calls[0]?.[1]?.action?.onClick())
  expect(lastCall()).toMatchObject({ name: 'conversations/bulk:undo', args: { tickets: ['of c', 'of e'] } })
  expect(client.shown.at(-1)?.value).toBe(shown)
})
