// Requests about Avito chats: the customer and the ad of a chat, and the account's own recent messages.
// @source developers.avito.ru/api-catalog/messenger/documentation#operation/getChatsV2
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { Profiles, TakenText } from '#server/integrations/channels/contract/capabilities.ts'
import type { Ask } from './avito.call.ts'
import { aboutAd, contentFields, textOf } from './avito.content.ts'

/** Avito waits two seconds for the answer to a notification: the most that one request may take of them. */
const ASKING_MS = 700
const NAME_LENGTH = 200
/** How long a chat's subject is cached: names and prices change. */
const KNOWN_MS = 10 * 60_000
const MAX_KNOWN = 10_000
const PAGE_SIZE = 100
/** The most that the clocks of two machines may differ. */
const SKEW_MS = 60_000
/** The most pages that are read of one chat. */
const MAX_PAGES = 5

const words = z.string().nullish().catch(undefined)
const chatFields = z.object({
  context: z
    .object({ type: z.string(), value: z.object({ title: words, price_string: words, url: words }) })
    .nullish()
    .catch(undefined),
  users: z
    .array(z.object({ id: z.number(), name: words }))
    .nullish()
    .catch(undefined),
})
const messageFields = z.object({
  id: z.string(),
  created: z.number(),
  direction: z.string(),
  type: z.string(),
  content: contentFields.nullish().catch(undefined),
})
/** Documented as a list, but also seen inside an object. */
const messageList = z.union([
  z.array(messageFields),
  z.object({ messages: z.array(messageFields) }).transform((given) => given.messages),
])
type ChatMessage = z.infer<typeof messageFields>

type Chat = z.infer<typeof chatFields>

/** The customer of a chat and its subject: both come with one answer, which is requested once. */
export function createChats(ask: Ask): Required<Profiles> {
  const known = new Map<string, { chat: Promise<Chat>; until: number }>()

  /** An answer that comes too late is used for the next message. */
  function chatOf(token: string, chatId: string, signal: AbortSignal): Promise<Chat> {
    const key = JSON.stringify([token, chatId])
    const kept = known.get(key)
    if (kept && kept.until > Date.now()) return inTime(kept.chat, signal)
    const chat = ask(
      token,
      { path: `/messenger/v2/accounts/{user_id}/chats/${encodeURIComponent(chatId)}` },
      chatFields,
    )
    chat.catch(() => known.get(key)?.chat === chat && known.delete(key))
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(key, { chat, until: Date.now() + KNOWN_MS })
    return inTime(chat, signal)
  }

  return {
    async nameSender({ token }, { chatId, externalId }, signal) {
      const { users } = await chatOf(token, chatId, signal)
      const name = users
        ?.find(({ id }) => String(id) === externalId)
        ?.name?.trim()
        .slice(0, NAME_LENGTH)
      return name ? { name, username: null } : null
    },
    async chatSubject({ token }, chatId, signal) {
      const { title, price_string: price, url } = (await chatOf(token, chatId, signal)).context?.value ?? {}
      return aboutAd(title, price, url) || null
    },
  }
}

/** @throws AdapterError, also when it takes too long; when `signal` aborts, its reason */
function inTime<T>(asked: Promise<T>, signal: AbortSignal): Promise<T> {
  const late = sleep(ASKING_MS, undefined, { ref: false, signal }).then(
    () => {
      throw new AdapterError('temporary', 'Avito did not tell in time')
    },
    () => {
      throw signal.reason
    },
  )
  return Promise.race([asked, late])
}

/**
 * The account's own texts in one chat. Avito does not guarantee the order of messages: the list is read to its end, or, while it runs from
 * the newest to the oldest, up to the first message that is too old.
 *
 * @throws AdapterError also where there are more messages than are read
 */
export async function listOwn(
  ask: Ask,
  { token, chatId, since }: { token: string; chatId: string; since: number },
  signal?: AbortSignal,
): Promise<TakenText[]> {
  const fromSecond = Math.floor((since - SKEW_MS) / 1000)
  const path = `/messenger/v3/accounts/{user_id}/chats/${encodeURIComponent(chatId)}/messages/?limit=${PAGE_SIZE}`
  const taken: TakenText[] = []
  let last = Number.POSITIVE_INFINITY
  let isNewestFirst = true
  for (let number = 0; number < MAX_PAGES; number++) {
    const call = { path: `${path}&offset=${number * PAGE_SIZE}`, ...(signal && { signal }) }
    const page = await ask(token, call, messageList)
    for (const message of page) {
      isNewestFirst &&= message.created <= last
      last = message.created
      if (message.created < fromSecond || !isOwnText(message)) continue
      taken.push({ externalMessageId: message.id, chatId, text: textOf(message.type, message.content ?? {}) })
    }
    if (page.length < PAGE_SIZE || (isNewestFirst && last < fromSecond)) return taken
  }
  throw new AdapterError('permanent', 'more than is asked for')
}

function isOwnText({ direction, type, content }: ChatMessage): boolean {
  return direction === 'out' && type !== 'system' && textOf(type, content ?? {}) !== ''
}
