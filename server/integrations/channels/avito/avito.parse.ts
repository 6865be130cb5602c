// Avito notifications → Inbound. Each carries one message of one chat: the customer's, an operator's reply from Avito's own application, or
// one that we sent ourselves. The customer's name and the ad are not included.
// @source developers.avito.ru/api-catalog/messenger/documentation#operation/postWebhookV3
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import { attachmentsOf, contentFields, textOf } from './avito.content.ts'

const message = z.object({
  id: z.string().min(1),
  chat_id: z.string().min(1),
  /** The account. */
  user_id: z.number(),
  author_id: z.number(),
  type: z.string(),
  /** `u2i`: about an ad, `u2u`: about the account, `a2u`: with Avito itself. */
  chat_type: z.string().optional().catch(undefined),
  content: contentFields.nullish().catch(undefined),
  /** Seconds since 1970. */
  created: z.number().optional().catch(undefined),
})
type AvitoMessage = z.infer<typeof message>
const notification = z.object({ payload: z.object({ type: z.string(), value: z.unknown() }) })

/** Marks a probe of ours. */
export const PROBE_TYPE = 'parley_probe'
/** The chat is with Avito itself. */
const WITH_AVITO = 'a2u'
/** Types that no person wrote: Avito's bots, missed calls and deleted messages. */
const UNSAID = new Set(['system', 'call', 'appCall', 'deleted'])
/** Placeholder for a message without text that a person sent from the application. */
const WORDLESS = '📎'

/** Never throws. */
export function parseNotification(body: unknown): Inbound {
  const payload = notification.safeParse(body).data?.payload
  if (payload?.type === PROBE_TYPE) return { kind: 'ignored', externalKey: hashOf(body) }
  const received = payload?.type === 'message' ? message.safeParse(payload.value).data : undefined
  if (!received) return { kind: 'unknown', externalKey: hashOf(body) }
  const { id, author_id: author, chat_type: chat, type } = received
  // A deleted message keeps its id.
  if (author <= 0 || chat === WITH_AVITO || UNSAID.has(type)) return { kind: 'ignored', externalKey: `${type}:${id}` }
  return author === received.user_id ? parseOwn(received) : parseMessage(received)
}

function parseMessage(received: AvitoMessage): Inbound {
  const externalKey = `in:${received.id}`
  const text = textOf(received.type, received.content ?? {})
  const attachments = attachmentsOf(received.type, received.content ?? {})
  if (text === '' && attachments.length === 0) return { kind: 'ignored', externalKey }
  const externalId = String(received.author_id)
  return {
    ...{ kind: 'message', externalKey, externalMessageId: received.id, chatId: received.chat_id, text },
    sender: { externalId, name: externalId, username: null, language: null },
    ...(attachments.length > 0 && { attachments }),
    ...(received.created !== undefined && { sentAt: received.created * 1000 }),
  }
}

/** Avito does not report which client sent it: our own are recognized by their ids. */
function parseOwn({ id, chat_id: chatId, type, content }: AvitoMessage): Inbound {
  const text = textOf(type, content ?? {})
  const reply = {
    kind: 'humanReply',
    externalKey: `out:${id}`,
    chatId,
    externalMessageId: id,
    mayBeOurs: true,
  } as const
  return text === '' ? { ...reply, text: WORDLESS, isFile: true } : { ...reply, text }
}

/** A key for a notification without an id: an equal body is the same notification. */
function hashOf(body: unknown): string {
  return `sha256:${createHash('sha256')
    .update(JSON.stringify(body) ?? 'undefined')
    .digest('base64url')}`
}
