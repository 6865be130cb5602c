// Deliveries of Instagram → Inbound. One delivery may hold several accounts and several events of each: it is taken apart first. Only the
// fields that are used are checked; anything else is kept as it came.
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
/** What is told of posts, and messages when somebody tries the webhook out in Meta's dashboard. */
const change = z.object({ field: z.string(), value: z.looseObject({}) })
const message = z.object({
  mid: z.string(),
  text: words,
  is_echo: z.boolean().optional().catch(undefined),
  /** Somebody writes to themselves. */
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

/** By which a probe of ours is known. */
export const PROBE_EVENT = 'parley_probe'
/** Before the words of a choice of ours, in what its button carries: what others carry means nothing to us. */
export const CHOICE_PREFIX = 'choice:'
/** Events that say nothing to be answered. */
const KNOWN = ['reaction', 'referral', 'optin', 'pass_thread_control', 'take_thread_control', 'request_thread_control']
/** Stands for what a person sent from Instagram without a word: a picture, a voice message. */
const WORDLESS = '📎'

/** Takes a delivery apart. What is not understood stays whole. */
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

/** Whose account a notification is about. */
export function accountOf(body: unknown): string | null {
  return delivery.safeParse(body).data?.entry[0]?.id ?? null
}

/** What one notification means. `accountId`: whose it has to be; undefined: it is not known. Never throws. */
export function parseNotification(body: unknown, accountId: string | undefined): Inbound {
  const parsed = delivery.safeParse(body)
  const [first, ...others] = parsed.success ? parsed.data.entry : []
  if (!first || others.length > 0) return unknown(body)
  // An app delivers what concerns any of its accounts to one address, whoever they belong to here.
  if (accountId !== undefined && first.id !== accountId) return { ...ignored(body), isOthers: true }
  if (first.standby) return ignored(body)
  const told = first.changes ? ofChange(first.changes) : first.messaging
  if (told === null) return ignored(body)
  const [one, ...more] = told ?? []
  const known = event.safeParse(one)
  return known.success && more.length === 0 ? parseEvent(body, known.data, first.id) : unknown(body)
}

/** The events that a change stands for; null: it is about posts and comments. */
function ofChange(changes: unknown[]): unknown[] | null | undefined {
  const known = change.safeParse(changes[0])
  if (!known.success || changes.length > 1) return undefined
  return known.data.field === 'messages' ? [known.data.value] : null
}

function parseEvent(body: unknown, told: Event, accountId: string): Inbound {
  if ('message' in told) return parseMessage(body, told, accountId)
  if ('postback' in told) return parsePostback(body, told)
  if ('read' in told) return parseRead(body, told, accountId)
  if ('message_edit' in told) return parseEdit(body, told, accountId)
  return PROBE_EVENT in told || KNOWN.some((name) => name in told) ? ignored(body) : unknown(body)
}

function parseMessage(body: unknown, told: Event, accountId: string): Inbound {
  const { success, data: said } = message.safeParse(told.message)
  if (!success || !told.sender || !told.recipient) return unknown(body)
  if (said.is_deleted) return { kind: 'ignored', externalKey: `deleted:${said.mid}` }
  if (said.is_self) return { kind: 'ignored', externalKey: `self:${said.mid}` }
  if (said.is_echo || told.sender.id === accountId) return parseEcho(told.recipient.id, said)
  const chatId = told.sender.id
  const externalKey = `in:${said.mid}`
  const text = textOf(said)
  const found = attachmentsOf(said)
  const isUnknown = text === '' && found.length === 0 && holdsMore(told.message)
  const attachments = isUnknown ? attachmentsOf({ is_unsupported: true }) : found
  if (text === '' && attachments.length === 0) return { kind: 'ignored', externalKey }
  const repliesTo = said.reply_to?.mid
  return {
    ...{ kind: 'message', externalKey, externalMessageId: said.mid, chatId, sender: senderOf(chatId), text },
    ...(attachments.length > 0 && { attachments }),
    ...(isPassedOn(said) && { forwarded: forwardOf([], '') }),
    ...(repliesTo && { repliesTo }),
    ...saidAt(told),
  }
}

/** Whether a message has fields beyond those that we know: content that Meta has added since. */
function holdsMore(given: unknown): boolean {
  return Object.keys(z.looseObject({}).parse(given)).some((field) => !(field in message.shape))
}

/** What the account has sent, be it by us or by a person in Instagram. A mention in one of its own stories is no answer to anybody. */
function parseEcho(chatId: string, said: Message): Inbound {
  const externalKey = `out:${said.mid}`
  const attachments = attachmentsOf(said)
  const text = said.text?.trim() ?? ''
  const isMention = attachments.some(({ name }) => name === 'story_mention')
  if (isMention || (text === '' && attachments.length === 0)) return { kind: 'ignored', externalKey }
  const reply = { kind: 'humanReply', externalKey, externalMessageId: said.mid, chatId, mayBeOurs: true } as const
  return text === '' ? { ...reply, text: WORDLESS, isFile: true } : { ...reply, text }
}

/** A button of a template or a question of the account's menu was pressed: it is said by its words. */
function parsePostback(body: unknown, told: Event): Inbound {
  const { success, data: pressed } = postback.safeParse(told.postback)
  if (!success || !told.sender) return unknown(body)
  const text = pressed.title.trim() || pressed.payload.trim()
  const externalKey = pressed.mid === undefined ? keyOfBody(body) : `in:${pressed.mid}`
  if (text === '') return { kind: 'ignored', externalKey }
  const chatId = told.sender.id
  const named = pressed.mid === undefined ? {} : { externalMessageId: pressed.mid }
  return { kind: 'message', externalKey, ...named, chatId, sender: senderOf(chatId), text, ...saidAt(told) }
}

/** A customer has seen a message, and all before it; that the account has seen one of theirs is nobody's news. */
function parseRead(body: unknown, told: Event, accountId: string): Inbound {
  const { success, data: seen } = read.safeParse(told.read)
  if (!success || !told.sender) return unknown(body)
  if (told.sender.id === accountId) return ignored(body)
  const { mid: externalMessageId } = seen
  return { kind: 'receipt', externalKey: `read:${externalMessageId}`, externalMessageId, state: 'read', isUpTo: true }
}

/**
 * What a customer has said is changed. One that was changed no time at all is a message that Meta tells an app of that may not read it
 * yet: without words nobody can answer it, and it is kept to be looked at.
 */
function parseEdit(body: unknown, told: Event, accountId: string): Inbound {
  const { success, data: made } = edit.safeParse(told.message_edit)
  if (!success || !told.sender || !made.text?.trim()) return unknown(body)
  const { mid: externalMessageId, num_edit: count } = made
  if (told.sender.id === accountId) return ignored(body)
  const chatId = told.sender.id
  const text = made.text.trim()
  if (count > 0) {
    const changed = { externalKey: `edit:${externalMessageId}:${count}`, chatId, externalMessageId, text }
    return { kind: 'edit', ...changed, ...(told.timestamp !== undefined && { editedAt: told.timestamp }) }
  }
  const externalKey = `in:${externalMessageId}`
  return { kind: 'message', externalKey, externalMessageId, chatId, sender: senderOf(chatId), text, ...saidAt(told) }
}

/** The words of a choice of ours stand whole in what its button carries; its title may have been cut off. */
function textOf({ text, quick_reply: pressed }: Message): string {
  const isOurs = pressed?.payload.startsWith(CHOICE_PREFIX)
  return (isOurs && pressed ? pressed.payload.slice(CHOICE_PREFIX.length) : (text ?? '')).trim()
}

/** Deliveries do not say what anybody is called. */
function senderOf(id: string) {
  return { externalId: id, name: id, username: null, language: null }
}

function saidAt({ timestamp }: Event): { saidAt?: number } {
  return timestamp === undefined ? {} : { saidAt: timestamp }
}

function ignored(body: unknown): Extract<Inbound, { kind: 'ignored' }> {
  return { kind: 'ignored', externalKey: keyOfBody(body) }
}

function unknown(body: unknown): Inbound {
  return { kind: 'unknown', externalKey: keyOfBody(body) }
}
