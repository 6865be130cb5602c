// Events that programs post to an HTTP connection → Inbound. The only definition of the documented format of events.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Inbound, InboundAttachment } from '#server/integrations/channels/contract/inbound.ts'
import { HTTP_ATTACHMENTS_MAX, MESSAGE_TEXT_MAX } from '#shared/limits.ts'
import type { AttachmentKind } from '#shared/messaging/attachments.ts'

const name = z.string().max(200)
const attachment = z.object({
  url: z.url({ protocol: /^https?$/ }).max(2000),
  kind: z.enum(['voice', 'audio', 'image', 'video', 'document']).optional(),
  name: name.optional(),
  mimeType: z.string().max(100).optional(),
  sizeBytes: z.number().int().min(0).optional(),
})
const chatId = z.string().trim().min(1).max(200)
const text = z.string().trim().max(MESSAGE_TEXT_MAX)
const customerMessage = z
  .object({
    type: z.literal('message'),
    author: z.literal('customer').optional(),
    chatId,
    sender: z.object({
      /** Defaults to the chat's. */
      id: z.string().min(1).max(200).optional(),
      name: name.min(1),
      username: name.nullish(),
      language: z.string().max(35).nullish(),
    }),
    text: text.default(''),
    attachments: z.array(attachment).max(HTTP_ATTACHMENTS_MAX).default([]),
    /** The webhook-id of the message that they reply to. */
    replyTo: z.string().min(1).max(200).nullish(),
  })
  .refine((message) => message.text !== '' || message.attachments.length > 0, {
    path: ['text'],
    error: 'a message needs a text or an attachment',
  })
const humanMessage = z.object({ type: z.literal('message'), author: z.literal('human'), chatId, text: text.min(1) })
const receipt = z.object({
  type: z.literal('receipt'),
  messageId: z.string().min(1).max(200),
  status: z.enum(['delivered', 'read', 'failed']),
  reason: z.string().max(200).optional(),
})
/** One request: its webhook-id, and the event that is its body. */
const delivery = z.object({ id: z.string().min(1), event: z.unknown() })

type CustomerMessage = z.infer<typeof customerMessage>

/** Parses one delivery; an event without the documented format is `unknown`. Never throws. */
export function parseDelivery(body: unknown): Inbound {
  const parsed = delivery.safeParse(body)
  if (!parsed.success) return { kind: 'unknown', externalKey: hashOf(body) }
  const { id: externalKey, event } = parsed.data
  const read = schemaFor(event).safeParse(event)
  if (!read.success) return { kind: 'unknown', externalKey }
  const { data } = read
  if (data.type === 'receipt') {
    const { messageId, status, reason } = data
    return { kind: 'receipt', externalKey, externalMessageId: messageId, state: status, ...(reason && { reason }) }
  }
  if (data.author === 'human') {
    return { kind: 'humanReply', externalKey, chatId: data.chatId, externalMessageId: externalKey, text: data.text }
  }
  return messageOf(externalKey, data)
}

/** What is wrong with an event, for the developer of the program: the path and a sentence in English; empty: nothing is. */
export function problemOf(event: unknown): string {
  const read = schemaFor(event).safeParse(event)
  const [issue] = read.error?.issues ?? []
  return issue ? [issue.path.join('.'), issue.message].filter(Boolean).join(': ') : ''
}

/** The schema that an event is meant to match, so that its errors are those of that schema. */
function schemaFor(event: unknown) {
  const head = z.object({ type: z.string().optional(), author: z.string().optional() }).safeParse(event)
  if (head.data?.type === 'receipt') return receipt
  return head.data?.author === 'human' ? humanMessage : customerMessage
}

function messageOf(externalKey: string, message: CustomerMessage): Inbound {
  const { sender, attachments, replyTo } = message
  const received = {
    kind: 'message' as const,
    externalKey,
    chatId: message.chatId,
    sender: {
      externalId: sender.id ?? message.chatId,
      name: sender.name,
      username: sender.username ?? null,
      language: sender.language ?? null,
    },
    text: message.text,
    ...(replyTo && { repliesTo: replyTo }),
  }
  return attachments.length > 0 ? { ...received, attachments: attachments.map(toAttachment) } : received
}

function toAttachment(given: z.infer<typeof attachment>): InboundAttachment {
  return {
    kind: given.kind ?? kindOf(given.mimeType),
    fileId: given.url,
    mimeType: given.mimeType ?? null,
    name: given.name ?? null,
    sizeBytes: given.sizeBytes ?? null,
    durationSeconds: null,
    text: null,
  }
}

function kindOf(mimeType = ''): AttachmentKind {
  const [family] = mimeType.split('/')
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'document'
}

function hashOf(body: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(body) ?? '')
    .digest('hex')
}
