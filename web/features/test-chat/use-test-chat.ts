// One test chat as the page uses it: what was said, and what can be done about it with the controls as they stand.
import type { Agent } from '#shared/agents.ts'
import type { Message } from '#shared/conversations.ts'
import type { Id } from '#shared/ids.ts'
import type { TestVariant } from '#shared/test-chat.ts'
import { api } from '#web/api.ts'
import { useMutation, useQuery } from '#web/lib/convex.ts'
import { overridesOf } from './controls.rules.ts'
import type { VariantControls } from './use-controls.ts'

export type Chat = {
  variant: TestVariant
  /** Oldest first; undefined while loading. */
  messages: Message[] | undefined
  /** A question waits for its answer, or the answer is being written. */
  isAnswering: boolean
  isWaiting: boolean
  lastTurn: Id<'turns'> | undefined
  send: (text: string) => Promise<unknown>
  stop: () => Promise<unknown>
  regenerate: () => Promise<unknown>
  edit: (messageId: Id<'messages'>, text: string) => Promise<unknown>
  clear: () => Promise<unknown>
}

/** A chat that is not on the page is not loaded. Failures of `send` and `edit` are the caller's to show. */
export function useTestChat(agent: Agent, variant: TestVariant, state: VariantControls, isShown = true): Chat {
  const chat = { agentId: agent._id, variant }
  const messages: Message[] | undefined = useQuery(api.testChat.messages, isShown ? chat : 'skip')
  const send = useMutation(api.testChat.send, { hasToast: false })
  const edit = useMutation(api.testChat.edit, { hasToast: false })
  const regenerate = useMutation(api.testChat.regenerate)
  const stop = useMutation(api.testChat.stop)
  const clear = useMutation(api.testChat.clear)
  const overrides = overridesOf(state.controls, agent)
  const last = messages?.at(-1)
  const isWaiting = last?.author === 'customer'
  return {
    variant,
    messages,
    isWaiting,
    isAnswering: isWaiting || last?.status === 'streaming',
    lastTurn: messages?.findLast((message) => message.turnId !== null)?.turnId ?? undefined,
    send: (text) => send({ ...chat, text, overrides }),
    stop: () => stop(chat),
    regenerate: () => regenerate({ ...chat, overrides }),
    edit: (messageId, text) => edit({ ...chat, messageId, text, overrides }),
    clear: () => clear(chat),
  }
}
