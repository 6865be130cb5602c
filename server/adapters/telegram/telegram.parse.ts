// Telegram's updates → Inbound. Only the fields that are used are checked; anything else of an update is kept as it came.
// @source core.telegram.org/bots/api#update
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Inbound } from '#server/adapters/channel.ts'
import { attachmentFields, attachmentsOf } from './telegram.attachments.ts'

const user = z.object({
  id: z.number(),
  is_bot: z.boolean().optional(),
  first_name: z.string(),
  last_name: z.string().optional(),
  username: z.string().optional(),
  language_code: z.string().optional(),
})
const message = z.object({
  message_id: z.number(),
  chat: z.object({ id: z.number(), type: z.string() }),
  from: user.optional(),
  text: z.string().optional(),
  caption: z.string().optional(),
  ...attachmentFields,
})
const update = z.object({ update_id: z.number().int(), message: message.optional() })

/** What one update means. Private chats only: in groups a bot overhears others. Never throws. */
export function parseUpdate(body: unknown): Inbound {
  const parsed = update.safeParse(body)
  if (!parsed.success) return { kind: 'unknown', externalKey: keyOf(body) }
  const externalKey = String(parsed.data.update_id)
  const received = parsed.data.message
  if (!received) return { kind: hasKnownKind(body) ? 'ignored' : 'unknown', externalKey }
  const text = (received.text ?? received.caption ?? '').trim()
  const { from, chat } = received
  if (!from || from.is_bot || chat.type !== 'private') return { kind: 'ignored', externalKey }
  const attachments = attachmentsOf(received, (body as { message: object }).message)
  if (text === '' && attachments.length === 0) return { kind: 'ignored', externalKey }
  const message = { kind: 'message' as const, externalKey, chatId: String(chat.id), sender: sender(from), text }
  return attachments.length > 0 ? { ...message, attachments } : message
}

/** The number of an update, undefined when it has none. */
export function updateId(body: unknown): number | undefined {
  if (typeof body !== 'object' || body === null || !('update_id' in body)) return undefined
  return Number.isSafeInteger(body.update_id) ? (body.update_id as number) : undefined
}

function sender(from: z.infer<typeof user>) {
  const name = [from.first_name, from.last_name].filter(Boolean).join(' ')
  return {
    externalId: String(from.id),
    name: name.slice(0, 200),
    username: from.username ?? null,
    language: from.language_code ?? null,
  }
}

/** Kinds of updates that exist and that we have nothing to answer to. */
function hasKnownKind(body: unknown): boolean {
  const known = ['edited_message', 'channel_post', 'edited_channel_post', 'callback_query', 'my_chat_member']
  const more = ['chat_member', 'chat_join_request', 'message_reaction', 'message_reaction_count', 'poll', 'poll_answer']
  return typeof body === 'object' && body !== null && [...known, ...more].some((kind) => kind in body)
}

/** A key for a body without a usable number: the same body again is the same notification. */
function keyOf(body: unknown): string {
  const id = updateId(body)
  if (id !== undefined) return String(id)
  const text = JSON.stringify(body) ?? 'undefined'
  return `sha256:${createHash('sha256').update(text).digest('base64url')}`
}
