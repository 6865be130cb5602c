// Notifications of Avito → Inbound. Each tells one message of one chat, be it the customer's or the account's own: that of whoever answers
// in Avito's application, and what we have sent ourselves. What the customer is called and under which ad they write is not told.
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
type Said = z.infer<typeof message>
const notification = z.object({ payload: z.object({ type: z.string(), value: z.unknown() }) })

/** By which a probe of ours is known. */
export const PROBE_TYPE = 'parley_probe'
/** The chat is with Avito itself. */
const WITH_AVITO = 'a2u'
/** Nobody has said these: bots of Avito, calls that were missed, and what was taken back. */
const UNSAID = new Set(['system', 'call', 'appCall', 'deleted'])
/** Stands for what a person has sent from the application without a word. */
const WORDLESS = '📎'

/** Never throws. */
export function parseNotification(body: unknown): Inbound {
  const told = notification.safeParse(body).data?.payload
  if (told?.type === PROBE_TYPE) return { kind: 'ignored', externalKey: hashOf(body) }
  const said = told?.type === 'message' ? message.safeParse(told.value).data : undefined
  if (!said) return { kind: 'unknown', externalKey: hashOf(body) }
  const { id, author_id: author, chat_type: chat, type } = said
  // A message that is taken back keeps its id.
  if (author <= 0 || chat === WITH_AVITO || UNSAID.has(type)) return { kind: 'ignored', externalKey: `${type}:${id}` }
  return author === said.user_id ? parseOwn(said) : parseMessage(said)
}

function parseMessage(said: Said): Inbound {
  const externalKey = `in:${said.id}`
  const text = textOf(said.type, said.content ?? {})
  const attachments = attachmentsOf(said.type, said.content ?? {})
  if (text === '' && attachments.length === 0) return { kind: 'ignored', externalKey }
  const externalId = String(said.author_id)
  return {
    ...{ kind: 'message', externalKey, externalMessageId: said.id, chatId: said.chat_id, text },
    sender: { externalId, name: externalId, username: null, language: null },
    ...(attachments.length > 0 && { attachments }),
    ...(said.created !== undefined && { saidAt: said.created * 1000 }),
  }
}

/** Avito does not say through what it was sent: by its id it is found out whether we have. */
function parseOwn({ id, chat_id: chatId, type, content }: Said): Inbound {
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

/** A key for what has none of its own: the same body again is the same notification. */
function hashOf(body: unknown): string {
  return `sha256:${createHash('sha256')
    .update(JSON.stringify(body) ?? 'undefined')
    .digest('base64url')}`
}
