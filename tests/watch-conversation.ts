// A conversation as a member who has it open sees it.
import { onTestFinished } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { OpenConversation } from '#shared/messaging/conversations.ts'
import { api, type Person } from './app.ts'

/** Keeps it up to date until the test ends. @returns the conversation as it is now; undefined until it is loaded */
export function watchConversation(
  person: Person,
  conversationId: Id<'conversations'>,
): () => OpenConversation | undefined {
  let shown: OpenConversation | undefined
  const stop = person.live().onUpdate(api.conversations.get, { conversationId }, (conversation) => {
    shown = conversation
  })
  onTestFinished(() => stop())
  return () => shown
}
