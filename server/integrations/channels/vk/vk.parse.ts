// Events of a VK community → Inbound, as a callback server is told them and as they are polled. Only the fields that are used are checked;
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
  /** Of the link by which the customer has come. */
  ref: words,
  /** Of an answer: who of the community has written it. */
  admin_author_id: z.number().optional().catch(undefined),
  random_id: z.number().optional().catch(undefined),
  reply_message: z.object({ id: z.number().optional(), text: words }).optional().catch(undefined),
  ...forwardFields,
  ...attachmentFields,
})
const written = z.object({ message, client_info: z.object({ lang_id: z.number() }).optional().catch(undefined) })
const readUpTo = z.object({ from_id: z.number(), peer_id: z.number(), read_message_id: z.number().int().positive() })
/** What a button of ours carries, one of VK's own, and an answer of ours. */
const payload = z.object({ choice: words, command: words, parley: z.unknown().optional() })

type Message = z.infer<typeof message>

/** Peers from here on are chats of several people. @source dev.vk.com/ru/api/overview */
const CHATS_FROM = 2_000_000_000
/** Events that exist and that we have nothing to answer to. */
const KNOWN = new Set([
  'confirmation',
  'message_allow',
  'message_deny',
  'message_typing_state',
  'message_event',
  'message_reaction_event',
])
/** By which a probe of ours is known. */
export const PROBE_TYPE = 'parley_probe'
/** What an answer of ours carries, so that its echo is known. */
export const OUR_PAYLOAD = JSON.stringify({ parley: 1 })
/** Languages by VK's numbers of them; others are rare among its customers. @source dev.vk.com/ru/api/api-requests */
const LANGUAGES: Record<number, string> = { 0: 'ru', 1: 'uk', 2: 'be', 3: 'en', 4: 'es', 6: 'de', 7: 'it', 97: 'kk' }
/** `[id1|Anna]`: a mention, as VK writes it. */
const MENTION = /\[(?:id|club|public)\d+\|([^\]]+)\]/g
/** Characters of what is replied to. */
const QUOTED_LENGTH = 500
/** Stands for what a person sent without a word: a picture, a voice message. */
const WORDLESS = '📎'

/** What one event means. @param isSentByUs whether we have sent something with this `random_id` lately. Never throws. */
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

/** A person sees all that happens in a community as events, and an administrator may have switched on any of them. */
function isForeign(type: string): boolean {
  return type === PROBE_TYPE || KNOWN.has(type) || !type.startsWith('message_')
}

function parseMessage(body: unknown, object: unknown): Inbound {
  const parsed = written.safeParse(object)
  if (!parsed.success) return unknown(body)
  const { message: said, client_info: client } = parsed.data
  const externalKey = `in:${said.id}`
  if (!isPrivate(said) || said.from_id !== said.peer_id) return { kind: 'ignored', externalKey: hashOf(body) }
  const attachments = attachmentsOf(withFiles(said))
  const text = textOf(said)
  if (text === '' && attachments.length === 0) return { kind: 'ignored', externalKey }
  const { reply_message: reply, date } = said
  const quoted = plain(reply?.text ?? '').slice(0, QUOTED_LENGTH)
  const chatId = String(said.peer_id)
  // The name is asked for: messages do not tell it.
  const sender = {
    externalId: chatId,
    name: chatId,
    username: null,
    language: LANGUAGES[client?.lang_id ?? -1] ?? null,
  }
  return {
    ...{ kind: 'message', externalKey, externalMessageId: String(said.id), chatId, sender, text },
    ...(attachments.length > 0 && { attachments }),
    ...passedOn(said),
    ...(quoted !== '' && { quoted }),
    ...(reply?.id && { repliesTo: String(reply.id) }),
    ...(date !== undefined && { saidAt: date * 1000 }),
  }
}

/** The customer has changed what they said; what the community changes says nothing. */
function parseEdit(body: unknown, object: unknown): Inbound {
  const parsed = message.safeParse(object)
  if (!parsed.success) return unknown(body)
  const said = parsed.data
  const externalKey = `edit:${said.id}:${said.update_time ?? hashOf(body)}`
  const text = textOf(said)
  if (!isPrivate(said) || said.from_id !== said.peer_id || text === '') return { kind: 'ignored', externalKey }
  return {
    ...{ kind: 'edit', externalKey, chatId: String(said.peer_id), externalMessageId: String(said.id), text },
    ...passedOn(said),
    ...(said.update_time && { editedAt: said.update_time * 1000 }),
  }
}

/**
 * An answer of the community. What people write at VK names who has written it; what we send comes back as well, and so does what other
 * programs and VK's own automatic answers say, which name nobody.
 */
function parseReply(body: unknown, object: unknown, isSentByUs: (randomId: number) => boolean): Inbound {
  const parsed = message.safeParse(object)
  if (!parsed.success) return unknown(body)
  const said = parsed.data
  const externalKey = `out:${said.id}`
  const isOurs = payloadOf(said)?.parley !== undefined || (said.random_id !== undefined && isSentByUs(said.random_id))
  if (isOurs || said.admin_author_id === undefined || !isPrivate(said)) return { kind: 'ignored', externalKey }
  const text = textOf(said)
  const [chatId, externalMessageId] = [String(said.peer_id), String(said.id)]
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

/** Of one person with the community: in chats of several it overhears others. */
function isPrivate({ id, peer_id: peer }: Message): boolean {
  return id > 0 && peer > 0 && peer < CHATS_FROM
}

/**
 * What was pressed is said by its words; those of a choice of ours stand whole in what its button carries. The button "Start" is a
 * greeting, with what the link carried by which the customer came. What is forwarded is told line by line.
 */
function textOf(said: Message): string {
  const pressed = payloadOf(said)
  if (pressed?.choice) return pressed.choice
  if (pressed?.command === 'start') return said.ref ? `/start ${said.ref}` : '/start'
  return [plain(said.text), quotedLines(othersIn(said))].filter(Boolean).join('\n')
}

function passedOn(said: Message): { forwarded?: Forward } {
  const others = isPressed(said) ? [] : othersIn(said)
  return others.length > 0 ? { forwarded: forwardOf(others.map(nameIn), quotedLines(others)) } : {}
}

/** What a button says, and nothing else. */
function isPressed(said: Message): boolean {
  const pressed = payloadOf(said)
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

/** A key for what has none of its own: the same body again is the same event. */
function hashOf(body: unknown): string {
  return `sha256:${createHash('sha256')
    .update(JSON.stringify(body) ?? 'undefined')
    .digest('base64url')}`
}
