// One test chat of the page: its messages, and the actions on it with the current controls.
import { useCallback, useMemo } from 'react'
import type { Agent } from '#shared/agents/agents.ts'
import type { Id } from '#shared/ids.ts'
import type { Message } from '#shared/messaging/conversations.ts'
import type { TestChatState, TestVariant } from '#shared/messaging/test-chat.ts'
import { api } from '#web/api.ts'
import { fetchOnce, useMutation, usePaginatedQuery, useQuery } from '#web/lib/server/convex.ts'
import { overridesOf } from './controls.rules.ts'
import type { VariantControls } from './use-controls.ts'

const PAGE_SIZE = 60
/** Messages per request when the whole chat is loaded. */
const FETCH_SIZE = 200

export type Chat = {
  variant: TestVariant
  /** Oldest first, as far as loaded; undefined while loading. */
  messages: Message[] | undefined
  /** State of the older pages. */
  pages: 'LoadingFirstPage' | 'CanLoadMore' | 'LoadingMore' | 'Exhausted'
  loadOlder: () => void
  /** All of them, oldest first. */
  loadAll: () => Promise<Message[]>
  /** Whether the agent is active; null before the first message, undefined while loading. */
  state: TestChatState | null | undefined
  /** A question waits for its answer, or the answer is being written. */
  isAnswering: boolean
  isWaiting: boolean
  lastTurn: Id<'turns'> | undefined
  /** `attachments`: tickets of uploads. */
  send: (text: string, attachments: string[]) => Promise<unknown>
  /** Sends a message as an operator. */
  reply: (text: string) => Promise<unknown>
  resume: () => Promise<unknown>
  stop: () => Promise<unknown>
  regenerate: () => Promise<unknown>
  edit: (messageId: Id<'messages'>, text: string) => Promise<unknown>
  clear: () => Promise<unknown>
}

/** A chat that is not on the page is not loaded. Failures of `send`, `reply`, `edit` and `loadAll` are left to the caller to show. */
export function useTestChat(agent: Agent, variant: TestVariant, controls: VariantControls, isShown = true): Chat {
  const chat = { agentId: agent._id, variant }
  const overrides = overridesOf(controls.controls, agent)
  const history = useHistory(chat, isShown)
  const state: TestChatState | null | undefined = useQuery(api.testChat.state, isShown ? chat : 'skip')
  const send = useMutation(api.testChat.send, { hasToast: false })
  const reply = useMutation(api.testChat.reply, { hasToast: false })
  const edit = useMutation(api.testChat.edit, { hasToast: false })
  const resume = useMutation(api.testChat.resume)
  const regenerate = useMutation(api.testChat.regenerate)
  const stop = useMutation(api.testChat.stop)
  const clear = useMutation(api.testChat.clear)
  const last = history.messages?.at(-1)
  const isWaiting = last?.author === 'customer' && state?.status !== 'paused'
  return {
    variant,
    ...history,
    state,
    isWaiting,
    isAnswering: isWaiting || last?.status === 'streaming',
    lastTurn: history.messages?.findLast((message) => message.turnId !== null)?.turnId ?? undefined,
    send: (text, attachments) => send({ ...chat, text, attachments, overrides }),
    reply: (text) => reply({ ...chat, text }),
    resume: () => resume({ ...chat, overrides }),
    stop: () => stop(chat),
    regenerate: () => regenerate({ ...chat, overrides }),
    edit: (messageId, text) => edit({ ...chat, messageId, text, overrides }),
    clear: () => clear(chat),
  }
}

function useHistory(
  chat: { agentId: Agent['_id']; variant: TestVariant },
  isShown: boolean,
): Pick<Chat, 'messages' | 'pages' | 'loadOlder' | 'loadAll'> {
  const { results, status, loadMore } = usePaginatedQuery(api.testChat.history, isShown ? chat : 'skip', {
    initialNumItems: PAGE_SIZE,
  })
  const isLoading = status === 'LoadingFirstPage'
  const messages = useMemo<Message[] | undefined>(
    () => (isLoading ? undefined : [...results].reverse()),
    [results, isLoading],
  )
  const loadOlder = useCallback(() => {
    if (status === 'CanLoadMore') loadMore(PAGE_SIZE)
  }, [status, loadMore])
  return { messages, pages: status, loadOlder, loadAll: () => fetchAll(chat) }
}

async function fetchAll(chat: { agentId: Agent['_id']; variant: TestVariant }): Promise<Message[]> {
  const all: Message[] = []
  for (let cursor: string | null = null; ; ) {
    const paginationOpts = { numItems: FETCH_SIZE, cursor }
    const next: Awaited<ReturnType<typeof fetchOnce<typeof api.testChat.history>>> = await fetchOnce(
      api.testChat.history,
      { ...chat, paginationOpts },
    )
    all.push(...next.page)
    if (next.isDone) return all.reverse()
    cursor = next.continueCursor
  }
}
