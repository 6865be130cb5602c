// Instagram deliveries → Inbound. One delivery may hold several accounts and several events of each: it is split first. Only the fields
// that are used are checked; anything else is kept as it came.
// @source developers.facebook.com/docs/instagram-platform/webhooks/examples
import { z } from 'zod'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import { keyOfBody } from '#server/integrations/channels/meta/webhook.ts'
import { forwardOf } from '#shared/messaging/forwards.ts'
import { attachmentFields, attachmentsOf, isPassedOn } from './instagram.attachments.ts'

const words = z.string().optional().catch(undefined)
const party = z.object({ id: z.string() }).optional().catch(undefined)
const entry = z.object({
  id: z.string(),
  time: z.number().optional().catch(undefined),
  messaging: z.array(z.unknown()).optional().catch(undefined),
  /** While another app has the conversation. */
  standby: z.array(z.unknown()).optional().catch(undefined),
  changes: z.array(z.unknown()).optional().catch(undefined),
})
const delivery = z.object({ object: z.literal('instagram'), entry: z.array(entry) })
/** Notifications about posts, and test messages from the webhook page of Meta's dashboard. */
const change = z.object({ field: z.string(), value: z.looseObject({}) })
const message = z.object({
  mid: z.string(),
  text: words,
  is_echo: z.boolean().optional().catch(undefined),
  /** The account writes to itself. */
  is_self: z.boolean().optional().catch(undefined),
  is_deleted: z.boolean().optional().catch(undefined),
  quick_reply: z.object({ payload: z.string() }).optional().catch(undefined),
  ...attachmentFields,
})
const event = z.looseObject({ sender: party, recipient: party, timestamp: z.number().optional().catch(undefined) })
const postback = z.object({ mid: words, title: z.string().catch(''), payload: z.string().catch('') })
const read = z.object({ mid: z.string() })
const edit = z.object({ mid: z.string(), text: words, num_edit: z.coerce.number().catch(0) })

type Event = z.infer<typeof event>
type Message = z.infer<typeof message>

/** Marks a probe of ours. */
export const PROBE_EVENT = 'parley_probe'
/** Prefix of a choice's text in the payload of our buttons: payloads of others are ignored. */
export const CHOICE_PREFIX = 'choice:'
/** Known events that need no answer. */
const KNOWN = ['reaction', 'referral', 'optin', 'pass_thread_control', 'take_thread_control', 'request_thread_control']
/** Placeholder for a message without text that a person sent from Instagram: a picture, a voice message. */
const WORDLESS = '📎'

/** Splits a delivery. An unknown body stays whole. */
export function splitDelivery(body: unknown): unknown[] {
  const parsed = delivery.safeParse(body)
  if (!parsed.success) return [body]
  const { object } = parsed.data
  const single = (one: object) => ({ object, entry: [one] })
  const all = parsed.data.entry.flatMap(({ id, time, messaging, standby, changes }) => [
    ...(messaging ?? []).map((one) => single({ id, time, messaging: [one] })),
    ...(standby ?? []).map((one) => single({ id, time, standby: [one] })),
    ...(changes ?? []).map((one) => single({ id, time, changes: [one] })),
  ])
  return all.length > 0 ? all : [body]
}

/** The account that a notification is about. */
export function accountOf(body: unknown): string | null {
  return delivery.safeParse(body).data?.entry[0]?.id ?? null
}

/** Parses one notification. `accountId`: the account it must be for; undefined: not known. Never throws. */
export function parseNotification(body: unknown, accountId: string | undefined): Inbound {
  const parsed = delivery.safeParse(body)
  const [first, ...others] = parsed.success ? parsed.data.entry : []
  if (!first || others.length > 0) return unknown(body)
  // An app delivers the events of all its accounts to one address, whichever organization each belongs to here.
  if (accountId !== undefined && first.id !== accountId) return { ...ignored(body), isOthers: true }
  if (first.standby) return ignored(body)
  const events = first.changes ? ofChange(first.changes) : first.messaging
  if (events === null) return ignored(body)
  const [one, ...more] = events ?? []
  const known = event.safeParse(one)
  return known.success && more.length === 0 ? parseEvent(body, known.data, first.id) : unknown(body)
}

/** The events that a change stands for; null: it is about posts and comments. */
function ofChange(changes: unknown[]): unknown[] | null | undefined {
  const known = change.safeParse(changes[0])
  if (!known.success || changes.length > 1) return undefined
  return known.data.field === 'messages' ? [known.data.value] : null
}

function parseEvent(body: unknown, received: Event, accountId: string): Inbound {
  if ('message' in received) return parseMessage(body, received, accountId)
  if ('postback' in received) return parsePostback(body, received)
  if ('read' in received) return parseRead(body, received, accountId)
  if ('message_edit' in received) return parseEdit(body, received, accountId)
  return PROBE_EVENT in received || KNOWN.some((name) => name in received) ? ignored(body) : unknown(body)
}

function parseMessage(body: unknown, received: Event, accountId: string): Inbound {
  const { success, data: content } = message.safeParse(received.message)
  if (!success || !received.sender || !received.recipient) return unknown(body)
  if (content.is_deleted) return { kind: 'ignored', externalKey: `deleted:${content.mid}` }
  if (content.is_self) return { kind: 'ignored', externalKey: `self:${content.mid}` }
  if (content.is_echo || received.sender.id === accountId) return parseEcho(received.recipient.id, content)
  const chatId = received.sender.id
  const externalKey = `in:${content.mid}`
  const text = textOf(content)
  const found = attachmentsOf(content)
  const isUnknown = text === '' && found.length === 0 && holdsMore(received.message)
  const attachments = isUnknown ? attachmentsOf({ is_unsupported: true }) : found
  if (text === '' && attachments.length === 0) return { kind: 'ignored', externalKey }
  const repliesTo = content.reply_to?.mid
  return {
    ...{ kind: 'message', externalKey, externalMessageId: content.mid, chatId, sender: senderOf(chatId), text },
    ...(attachments.length > 0 && { attachments }),
    ...(isPassedOn(content) && { forwarded: forwardOf([], '') }),
    ...(repliesTo && { repliesTo }),
    ...sentAt(received),
  }
}

/** Whether a message has fields beyond those that we know: content that Meta has added since. */
function holdsMore(given: unknown): boolean {
  return Object.keys(z.looseObject({}).parse(given)).some((field) => !(field in message.shape))
}

/** A message of the account, sent by us or by a person in Instagram. A mention in one of its own stories is not an answer. */
function parseEcho(chatId: string, content: Message): Inbound {
  const externalKey = `out:${content.mid}`
  const attachments = attachmentsOf(content)
  const text = content.text?.trim() ?? ''
  const isMention = attachments.some(({ name }) => name === 'story_mention')
  if (isMention || (text === '' && attachments.length === 0)) return { kind: 'ignored', externalKey }
  const reply = { kind: 'humanReply', externalKey, externalMessageId: content.mid, chatId, mayBeOurs: true } as const
  return text === '' ? { ...reply, text: WORDLESS, isFile: true } : { ...reply, text }
}

/** A press of a template's button or of a question in the account's menu: its title is the message text. */
function parsePostback(body: unknown, received: Event): Inbound {
  const { success, data: pressed } = postback.safeParse(received.postback)
  if (!success || !received.sender) return unknown(body)
  const text = pressed.title.trim() || pressed.payload.trim()
  const externalKey = pressed.mid === undefined ? keyOfBody(body) : `in:${pressed.mid}`
  if (text === '') return { kind: 'ignored', externalKey }
  const chatId = received.sender.id
  const named = pressed.mid === undefined ? {} : { externalMessageId: pressed.mid }
  return { kind: 'message', externalKey, ...named, chatId, sender: senderOf(chatId), text, ...sentAt(received) }
}

/** A customer has seen a message and all before it; events about what the account itself has seen are ignored. */
function parseRead(body: unknown, received: Event, accountId: string): Inbound {
  const { success, data: seen } = read.safeParse(received.read)
  if (!success || !received.sender) return unknown(body)
  if (received.sender.id === accountId) return ignored(body)
  const { mid: externalMessageId } = seen
  return { kind: 'receipt', externalKey: `read:${externalMessageId}`, externalMessageId, state: 'read', isUpTo: true }
}

/**
 * An edited message. With zero edits it is a message that Meta announces to an app that may not read it yet: without text it cannot be
 * answered, and it is kept for inspection.
 */
function parseEdit(body: unknown, received: Event, accountId: string): Inbound {
  const { success, data: made } = edit.safeParse(received.message_edit)
  if (!success || !received.sender || !made.text?.trim()) return unknown(body)
  const { mid: externalMessageId, num_edit: count } = made
  if (received.sender.id === accountId) return ignored(body)
  const chatId = received.sender.id
  const text = made.text.trim()
  if (count > 0) {
    const changed = { externalKey: `edit:${externalMessageId}:${count}`, chatId, externalMessageId, text }
    return { kind: 'edit', ...changed, ...(received.timestamp !== undefined && { editedAt: received.timestamp }) }
  }
  const externalKey = `in:${externalMessageId}`
  return {
    kind: 'message',
    externalKey,
    externalMessageId,
    chatId,
    sender: senderOf(chatId),
    text,
    ...sentAt(received),
  }
}

/** A choice of ours is whole in its button's payload; the title may have been cut off. */
function textOf({ text, quick_reply: pressed }: Message): string {
  const isOurs = pressed?.payload.startsWith(CHOICE_PREFIX)
  return (isOurs && pressed ? pressed.payload.slice(CHOICE_PREFIX.length) : (text ?? '')).trim()
}

/** Deliveries do not carry names. */
function senderOf(id: string) {
  return { externalId: id, name: id, username: null, language: null }
}

function sentAt({ timestamp }: Event): { sentAt?: number } {
  return timestamp === undefined ? {} : { sentAt: timestamp }
}

function ignored(body: unknown): Extract<Inbound, { kind: 'ignored' }> {
  return { kind: 'ignored', externalKey: keyOfBody(body) }
}

function unknown(body: unknown): Inbound {
  return { kind: 'unknown', externalKey: keyOfBody(body) }
}
