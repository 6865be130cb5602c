// The chats of the fake VK, and its answers to those who read them: unlike events, messages are kept forever.
// @source dev.vk.com/ru/method/messages.getConversations, dev.vk.com/ru/method/messages.getHistory
import type { FakeCommunity } from './vk.ts'

/** A message as VK stores it; its text may change. */
export type KeptMessage = { id: number; peer_id: number; from_id: number; out: number; date: number; text: string }
/** A part of a list, or the error of the request. */
type Page = { count: number; items: object[] } | { wrong: string }

const COUNT = { usual: 20, max: 200 }

/** Chats, those with the newest messages first. */
export function listConversations({ history }: FakeCommunity, params: Record<string, string>): Page {
  const filter = params.filter ?? 'all'
  if (!['all', 'unanswered'].includes(filter)) return { wrong: 'filter' }
  const last = new Map(history.toSorted((a, b) => a.id - b.id).map((message) => [message.peer_id, message]))
  const found = [...last.values()]
    .filter(({ out }) => filter === 'all' || out === 0)
    .toSorted((a, b) => b.id - a.id)
    .map((message) => ({ conversation: conversationOf(message), last_message: message }))
  return pageOf(found, params)
}

/** Messages of a chat, the newest first. */
export function listHistory({ history }: FakeCommunity, params: Record<string, string>): Page {
  if (!/^\d+$/.test(params.peer_id ?? '')) return { wrong: 'peer_id' }
  const found = history.filter(({ peer_id: peer }) => String(peer) === params.peer_id)
  return pageOf(
    found.toSorted((a, b) => b.id - a.id),
    params,
  )
}

function conversationOf({ peer_id: id, id: last_message_id }: KeptMessage): object {
  const peer = { id, type: id < 2_000_000_000 ? 'user' : 'chat', local_id: id }
  return { peer, last_message_id, in_read: 0, out_read: 0, can_write: { allowed: true } }
}

function pageOf(found: object[], params: Record<string, string>): Page {
  const [count, offset] = [params.count ?? COUNT.usual, params.offset ?? 0].map(Number)
  if (!Number.isInteger(count) || Number(count) < 1 || Number(count) > COUNT.max) return { wrong: 'count' }
  if (!Number.isInteger(offset) || Number(offset) < 0) return { wrong: 'offset' }
  return { count: found.length, items: found.slice(offset, Number(offset) + Number(count)) }
}
