// Replaces missed events of a VK community: VK keeps events for a limited time but messages forever, so the messages are read instead.
// @source dev.vk.com/ru/method/messages.getConversations, dev.vk.com/ru/method/messages.getHistory
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { Missed } from '#server/integrations/channels/contract/capabilities.ts'
import type { Ask, VkParams } from './vk.call.ts'

/** Chats, and messages of each, are read a page at a time, up to these limits. */
const PAGE = 200
const CHATS_AT_MOST = 400
const MESSAGES_AT_MOST = 400
/** How often chats are looked for that have moved to the front meanwhile. */
const LOOKS_AT_MOST = 5
/** The calls of a key are limited, and current customers are answered meanwhile. */
const PAUSE_MS = 200
const SECOND_MS = 1000

const kept = z.looseObject({
  id: z.number().int(),
  from_id: z.number(),
  out: z.number().catch(0),
  /** Seconds since 1970. */
  date: z.number(),
  update_time: z.number().optional().catch(undefined),
})
const history = z.object({ items: z.array(kept) })
const chat = z.object({
  conversation: z.object({ peer: z.object({ id: z.number(), type: z.string() }) }),
  last_message: kept,
})
const chats = z.object({ items: z.array(chat) })
type Kept = z.infer<typeof kept>
type Chat = z.infer<typeof chat>
type Call = <T>(method: string, params: VkParams, schema: z.ZodType<T>) => Promise<T>
/** The items read of a list; `isAll`: they are everything since the given moment. */
type Read<Item> = { items: Item[]; isAll: boolean }

/**
 * Messages of private chats since a moment (milliseconds), in the form of events. A refusal midway is returned with what was read so far;
 * other errors are thrown.
 */
export async function readMissed(ask: Ask, key: string, since: number, signal: AbortSignal): Promise<Missed> {
  const isSince = ({ date }: Kept) => date >= Math.floor(since / SECOND_MS)
  let asked = 0
  const call: Call = async (method, params, schema) => {
    if (asked++ > 0) await sleep(PAUSE_MS, undefined, { signal })
    return ask(key, method, params, schema, { signal })
  }
  const messages: Kept[] = []
  const toUpdates = () => messages.toSorted((a, b) => a.id - b.id).flatMap(eventsOf)
  try {
    const found = await readChats(call, isSince)
    let isAll = found.isAll
    for (const peer_id of found.items) {
      const recent = await readAll(
        MESSAGES_AT_MOST,
        async (offset) => (await call('messages.getHistory', { peer_id, count: PAGE, offset }, history)).items,
        isSince,
      )
      messages.push(...recent.items)
      isAll &&= recent.isAll
    }
    return { updates: toUpdates(), isAll }
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    return { updates: toUpdates(), isAll: false, failure: error }
  }
}

/**
 * Private chats with new messages. A chat that moves to the front while pages are read would be missed: the front is read again until
 * nothing new stands before the known chats.
 */
async function readChats(call: Call, isSince: (message: Kept) => boolean): Promise<Read<number>> {
  const known = new Map<number, { last: number; isPrivate: boolean }>()
  const readPage = async (offset: number) =>
    (await call('messages.getConversations', { count: PAGE, offset, filter: 'all' }, chats)).items
  const isKnown = ({ conversation: { peer }, last_message: last }: Chat) => known.get(peer.id)?.last === last.id
  let isAll = true
  for (let look = 0; look < LOOKS_AT_MOST; look++) {
    let pages = 0
    const read = await readAll(
      CHATS_AT_MOST,
      (offset) => {
        pages++
        return readPage(offset)
      },
      (chat) => isSince(chat.last_message) && !isKnown(chat),
    )
    for (const { conversation, last_message: last } of read.items) {
      known.set(conversation.peer.id, { last: last.id, isPrivate: conversation.peer.type === 'user' })
    }
    isAll &&= read.isAll
    if (pages === 1 || !read.isAll) return { items: privateOf(known), isAll }
  }
  return { items: privateOf(known), isAll: false }
}

function privateOf(known: Map<number, { isPrivate: boolean }>): number[] {
  return [...known].flatMap(([peer, { isPrivate }]) => (isPrivate ? [peer] : []))
}

/** Reads a list that is sorted newest first, until an item is too old. */
async function readAll<Item>(
  atMost: number,
  readPage: (offset: number) => Promise<Item[]>,
  isWanted: (item: Item) => boolean,
): Promise<Read<Item>> {
  const items: Item[] = []
  while (items.length < atMost) {
    const page = await readPage(items.length)
    const wanted = page.filter(isWanted)
    items.push(...wanted)
    if (wanted.length < page.length || page.length < PAGE) return { items, isAll: true }
  }
  return { items, isAll: false }
}

/** A message is deduplicated by its number, as its event would be; its edited state is a separate event. */
function eventsOf(message: Kept): object[] {
  if (message.out === 1) return [{ type: 'message_reply', object: message }]
  const created = { type: 'message_new', object: { message } }
  return message.update_time === undefined ? [created] : [created, { type: 'message_edit', object: message }]
}
