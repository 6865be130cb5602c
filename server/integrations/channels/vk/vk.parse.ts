// Events of a VK community → Inbound, as a callback server receives them and as they are polled. Only the fields that are used are checked;
// anything else is kept as it came. @source dev.vk.com/ru/api/community-events/json-schema
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import { type Forward, forwardOf } from '#shared/messaging/forwards.ts'
import { attachmentFields, attachmentsOf } from './vk.attachments.ts'
import { forwardFields, nameIn, othersIn, type Passed, withFiles } from './vk.forwards.ts'

const words = z.string().optional().catch(undefined)
const head = z.object({ type: z.string(), object: z.unknown(), event_id: words })

const message = z.object({
  id: z.number().int(),
  peer_id: z.number().int(),
  from_id: z.number().int(),
  /** Seconds since 1970. */
  date: z.number().optional().catch(undefined),
  update_time: z.number().optional().catch(undefined),
  text: z.string().catch(''),
  payload: words,
  /** The parameter of the link that the customer followed. */
  ref: words,
  /** In an answer: the member of the community who wrote it. */
  admin_author_id: z.number().optional().catch(undefined),
  random_id: z.number().optional().catch(undefined),
  reply_message: z.object({ id: z.number().optional(), text: words }).optional().catch(undefined),
  ...forwardFields,
  ...attachmentFields,
})
const written = z.object({ message, client_info: z.object({ lang_id: z.number() }).optional().catch(undefined) })
const readUpTo = z.object({ from_id: z.number(), peer_id: z.number(), read_message_id: z.number().int().positive() })
/** The payload of a button of ours, of one of VK's own, and of an answer of ours. */
const payload = z.object({ choice: words, command: words, parley: z.unknown().optional() })

type Message = z.infer<typeof message>

/** Peers from here on are chats of several people. @source dev.vk.com/ru/api/overview */
const CHATS_FROM = 2_000_000_000
/** Known events that need no handling. */
const KNOWN = new Set([
  'confirmation',
  'message_allow',
  'message_deny',
  'message_typing_state',
  'message_event',
  'message_reaction_event',
])
/** Marks a probe of ours. */
export const PROBE_TYPE = 'parley_probe'
/** The payload of an answer of ours, which identifies its echo. */
export const OUR_PAYLOAD = JSON.stringify({ parley: 1 })
/** Languages by VK's numbers of them; others are rare among its customers. @source dev.vk.com/ru/api/api-requests */
const LANGUAGES: Record<number, string> = { 0: 'ru', 1: 'uk', 2: 'be', 3: 'en', 4: 'es', 6: 'de', 7: 'it', 97: 'kk' }
/** `[id1|Anna]`: a mention, as VK writes it. */
const MENTION = /\[(?:id|club|public)\d+\|([^\]]+)\]/g
/** Characters that are kept of the message replied to. */
const QUOTED_LENGTH = 500
/** Placeholder for a message without text: a picture, a voice message. */
const WORDLESS = '📎'

/** Parses one event. @param isSentByUs whether we have recently sent a message with this `random_id`. Never throws. */
export function parseEvent(body: unknown, isSentByUs: (randomId: number) => boolean): Inbound {
  const parsed = head.safeParse(body)
  if (!parsed.success || parsed.data.object === undefined) return unknown(body)
  const { type, object, event_id: eventId } = parsed.data
  const externalKey = eventId ? `event:${eventId}` : hashOf(body)
  switch (type) {
    case 'message_new':
      return parseMessage(body, object)
    case 'message_edit':
      return parseEdit(body, object)
    case 'message_reply':
      return parseReply(body, object, isSentByUs)
    case 'message_read':
      return parseRead(body, object)
    default:
      return isForeign(type) ? { kind: 'ignored', externalKey } : unknown(body)
  }
}

/** Everything that happens in a community has an event, and an administrator may have switched on any of them. */
function isForeign(type: string): boolean {
  return type === PROBE_TYPE || KNOWN.has(type) || !type.startsWith('message_')
}

function parseMessage(body: unknown, object: unknown): Inbound {
  const parsed = written.safeParse(object)
  if (!parsed.success) return unknown(body)
  const { message: sent, client_info: client } = parsed.data
  const externalKey = `in:${sent.id}`
  if (!isPrivate(sent) || sent.from_id !== sent.peer_id) return { kind: 'ignored', externalKey: hashOf(body) }
  const attachments = attachmentsOf(withFiles(sent))
  const text = textOf(sent)
  if (text === '' && attachments.length === 0) return { kind: 'ignored', externalKey }
  const { reply_message: reply, date } = sent
  const quoted = plain(reply?.text ?? '').slice(0, QUOTED_LENGTH)
  const chatId = String(sent.peer_id)
  // The name is requested separately: messages do not carry it.
  const sender = {
    externalId: chatId,
    name: chatId,
    username: null,
    language: LANGUAGES[client?.lang_id ?? -1] ?? null,
  }
  return {
    ...{ kind: 'message', externalKey, externalMessageId: String(sent.id), chatId, sender, text },
    ...(attachments.length > 0 && { attachments }),
    ...passedOn(sent),
    ...(quoted !== '' && { quoted }),
    ...(reply?.id && { repliesTo: String(reply.id) }),
    ...(date !== undefined && { sentAt: date * 1000 }),
  }
}

/** The customer has edited a message; edits by the community are ignored. */
function parseEdit(body: unknown, object: unknown): Inbound {
  const parsed = message.safeParse(object)
  if (!parsed.success) return unknown(body)
  const edited = parsed.data
  const externalKey = `edit:${edited.id}:${edited.update_time ?? hashOf(body)}`
  const text = textOf(edited)
  if (!isPrivate(edited) || edited.from_id !== edited.peer_id || text === '') return { kind: 'ignored', externalKey }
  return {
    ...{ kind: 'edit', externalKey, chatId: String(edited.peer_id), externalMessageId: String(edited.id), text },
    ...passedOn(edited),
    ...(edited.update_time && { editedAt: edited.update_time * 1000 }),
  }
}

/**
 * An answer of the community. What people write at VK names its author; our own messages come back as well, and so do those of other
 * programs and VK's automatic answers, which name no author.
 */
function parseReply(body: unknown, object: unknown, isSentByUs: (randomId: number) => boolean): Inbound {
  const parsed = message.safeParse(object)
  if (!parsed.success) return unknown(body)
  const own = parsed.data
  const externalKey = `out:${own.id}`
  const isOurs = payloadOf(own)?.parley !== undefined || (own.random_id !== undefined && isSentByUs(own.random_id))
  if (isOurs || own.admin_author_id === undefined || !isPrivate(own)) return { kind: 'ignored', externalKey }
  const text = textOf(own)
  const [chatId, externalMessageId] = [String(own.peer_id), String(own.id)]
  const reply = { kind: 'humanReply', externalKey, chatId, externalMessageId, mayBeOurs: true } as const
  return text === '' ? { ...reply, text: WORDLESS, isFile: true } : { ...reply, text }
}

function parseRead(body: unknown, object: unknown): Inbound {
  const parsed = readUpTo.safeParse(object)
  if (!parsed.success) return unknown(body)
  const { from_id: reader, peer_id: peer, read_message_id: id } = parsed.data
  const externalKey = `read:${peer}:${id}`
  if (reader !== peer) return { kind: 'ignored', externalKey }
  return { kind: 'receipt', externalKey, externalMessageId: String(id), state: 'read', isUpTo: true }
}

/** A chat of one person with the community: in group chats it also receives messages not meant for it. */
function isPrivate({ id, peer_id: peer }: Message): boolean {
  return id > 0 && peer > 0 && peer < CHATS_FROM
}

/**
 * The text of a press is its button's label; for a choice of ours the whole label is in the button's payload. The button "Start" is a
 * greeting, with the parameter of the link the customer came by. Forwarded messages are quoted line by line.
 */
function textOf(message: Message): string {
  const pressed = payloadOf(message)
  if (pressed?.choice) return pressed.choice
  if (pressed?.command === 'start') return message.ref ? `/start ${message.ref}` : '/start'
  return [plain(message.text), quotedLines(othersIn(message))].filter(Boolean).join('\n')
}

function passedOn(message: Message): { forwarded?: Forward } {
  const others = isPressed(message) ? [] : othersIn(message)
  return others.length > 0 ? { forwarded: forwardOf(others.map(nameIn), quotedLines(others)) } : {}
}

/** Whether the message is a press, without anything else in it. */
function isPressed(message: Message): boolean {
  const pressed = payloadOf(message)
  return Boolean(pressed?.choice) || pressed?.command === 'start'
}

function quotedLines(others: Passed[]): string {
  const texts = others.map(({ text }) => plain(text)).filter((text) => text !== '')
  return texts.map((text) => text.replaceAll(/^/gm, '> ')).join('\n')
}

function payloadOf({ payload: text }: Message): z.infer<typeof payload> | undefined {
  if (text === undefined) return undefined
  try {
    return payload.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

function plain(text: string): string {
  return text.replaceAll(MENTION, '$1').trim()
}

function unknown(body: unknown): Inbound {
  return { kind: 'unknown', externalKey: hashOf(body) }
}

/** A key for an event without an id: an equal body is the same event. */
function hashOf(body: unknown): string {
  return `sha256:${createHash('sha256')
    .update(JSON.stringify(body) ?? 'undefined')
    .digest('base64url')}`
}
