// Updates of MAX → Inbound. Only the fields that are used are checked. In a group a bot overhears others, and answers only what is meant
// for it: its name, or an answer to it. @source dev.max.ru/docs-api/objects/Update
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import { readPress } from '#server/integrations/channels/contract/rating-press.ts'
import { MAX_TEXT_MAX } from '#shared/limits.ts'
import { type Forward, forwardOf } from '#shared/messaging/forwards.ts'
import { attachmentsOf, wordlessOf } from './max.attachments.ts'

/** Kinds of updates that we subscribe to. */
export const UPDATE_TYPES = ['message_created', 'message_callback', 'message_edited', 'bot_started'] as const
/** The kind of a probe of ours; MAX has no such kind. */
export const PROBE_TYPE = 'parley_probe'
/** Known kinds that need no handling. */
const OTHERS: ReadonlySet<string> = new Set([
  'bot_stopped',
  'bot_added',
  'bot_removed',
  'user_added',
  'user_removed',
  'chat_title_changed',
  'message_removed',
  'message_chat_created',
  'message_construction_request',
  'message_constructed',
  'dialog_cleared',
  'dialog_muted',
  'dialog_unmuted',
  'dialog_removed',
])
/** Characters that are kept of the message replied to. */
const QUOTE_LENGTH = 300

const user = z.object({
  user_id: z.number().int(),
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  name: z.string().nullish(),
  username: z.string().nullish(),
  is_bot: z.boolean().nullish(),
})
type User = z.infer<typeof user>
const body = z.object({
  mid: z.string().min(1),
  text: z.string().nullish(),
  attachments: z.array(z.unknown()).nullish(),
})
const linked = z.object({ type: z.string(), sender: user.nullish().catch(null), message: body })
const message = z.object({
  sender: user.nullish(),
  recipient: z.object({ chat_id: z.number().int(), chat_type: z.string() }),
  timestamp: z.number().nullish().catch(null),
  body: body.nullish(),
  link: linked.nullish().catch(null),
})
type Message = z.infer<typeof message>
const locale = z.string().nullish().catch(null)
const created = z.object({ update_type: z.literal('message_created'), message, user_locale: locale })
const edited = z.object({ update_type: z.literal('message_edited'), timestamp: z.number(), message })
const pressed = z.object({
  update_type: z.literal('message_callback'),
  callback: z.object({ callback_id: z.string().min(1), payload: z.string().nullish(), user }),
  message: message.nullish().catch(null),
  user_locale: locale,
})
/** The customer has pressed "Start". `payload`: the parameter of the link they followed. */
const started = z.object({
  update_type: z.literal('bot_started'),
  timestamp: z.number(),
  chat_id: z.number().int(),
  user,
  payload: z.string().nullish().catch(null),
  user_locale: locale,
})
const update = z.discriminatedUnion('update_type', [created, edited, pressed, started])
const named = z.object({ update_type: z.string(), nonce: z.number().optional() })

/** Parses one update. @param bot its username, by which members of a group mention it. Never throws. */
export function parseUpdate(given: unknown, bot: string | null): Inbound {
  const read = update.safeParse(given)
  if (!read.success) return ofOther(given)
  const { data } = read
  if (data.update_type === 'message_created') return ofMessage(data.message, { given, bot, language: data.user_locale })
  if (data.update_type === 'bot_started') return ofStart(data)
  if (data.update_type === 'message_edited') return ofEdit(data.message, { given, bot, at: data.timestamp })
  return ofPress(data, given)
}

type Received = { given: unknown; bot: string | null }

function ofMessage(
  message: Message,
  { given, bot, language }: Received & { language: string | null | undefined },
): Inbound {
  const { sender, recipient, body: content, link } = message
  const externalKey = content ? `message:${content.mid}` : hashOf(given)
  const text = textFor(message, bot)
  const forwarded = link?.type === 'forward' ? (link.message.attachments ?? []) : []
  const attached = [...(content?.attachments ?? []), ...forwarded]
  const found = attachmentsOf(attached)
  const attachments = text === '' && found.length === 0 ? wordlessOf(attached) : found
  const isEmpty = text === '' && attachments.length === 0
  if (!sender || sender.is_bot || isEmpty || !content || !isMeant(message, bot)) return { kind: 'ignored', externalKey }
  return {
    kind: 'message',
    externalKey,
    chatId: String(recipient.chat_id),
    ...whoWrote(message, sender, language ?? null),
    text,
    externalMessageId: content.mid,
    ...(attachments.length > 0 && { attachments }),
    ...passedOn(message),
    ...repliedTo(message),
    ...(message.timestamp && { sentAt: message.timestamp }),
    // A text that is too long for one message comes in several.
    ...(text.length >= MAX_TEXT_MAX && { isPiece: true }),
  }
}

/** A greeting, as in other messengers: the customer who pressed expects an answer. */
function ofStart({
  timestamp: at,
  chat_id: chat,
  user: from,
  payload,
  user_locale: language,
}: z.infer<typeof started>) {
  const sender = { externalId: String(from.user_id), name: nameOf(from), username: from.username ?? null }
  return {
    kind: 'message' as const,
    externalKey: `start:${chat}:${at}`,
    chatId: String(chat),
    sender: { ...sender, language: language ?? null },
    text: payload ? `/start ${payload}` : '/start',
    sentAt: at,
  }
}

function ofEdit(message: Message, { given, bot, at }: Received & { at: number }): Inbound {
  const { sender, recipient, body: content } = message
  if (!content) return { kind: 'ignored', externalKey: hashOf(given) }
  const externalKey = `edit:${content.mid}:${at}`
  if (!sender || sender.is_bot) return { kind: 'ignored', externalKey }
  const chatId = String(recipient.chat_id)
  const text = textFor(message, bot)
  const edit = { kind: 'edit', externalKey, chatId, externalMessageId: content.mid, text, editedAt: at } as const
  return { ...edit, ...passedOn(message) }
}

/** A press sends the button's label, once, however often it is pressed. Where its message was deleted, there is no chat to answer in. */
function ofPress(
  { callback, message: under, user_locale: language }: z.infer<typeof pressed>,
  given: unknown,
): Inbound {
  const { callback_id: answerId, payload, user: presser } = callback
  if (!under?.body || !payload) return { kind: 'ignored', externalKey: hashOf(given) }
  const { mid } = under.body
  const chatId = String(under.recipient.chat_id)
  const common = {
    chatId,
    ...whoWrote(under, presser, language ?? null),
    pressed: { externalMessageId: mid, answerId },
  }
  const rating = readPress(payload)
  // Each press of a rating counts separately: the same score may be chosen again after another.
  if (rating) return { kind: 'rating', externalKey: `rating:${answerId}`, ...common, ...rating }
  return { kind: 'message', externalKey: `tap:${mid}:${payload}`, ...common, text: payload }
}

function ofOther(given: unknown): Inbound {
  const { update_type: type, nonce } = named.safeParse(given).data ?? {}
  if (type === PROBE_TYPE && nonce !== undefined) return { kind: 'ignored', externalKey: `probe:${nonce}` }
  return { kind: type !== undefined && OTHERS.has(type) ? 'ignored' : 'unknown', externalKey: hashOf(given) }
}

/** A group is one customer with several speakers. */
function whoWrote({ recipient }: Message, from: User, language: string | null) {
  const name = nameOf(from)
  if (recipient.chat_type !== 'chat') {
    return { sender: { externalId: String(from.user_id), name, username: from.username ?? null, language } }
  }
  return { sender: { externalId: String(recipient.chat_id), name, username: null, language }, speaker: name }
}

function nameOf({ first_name: first, last_name: last, name }: User): string {
  return ([first, last].filter(Boolean).join(' ') || (name ?? '')).slice(0, 200)
}

/** Posts in channels are not addressed to the bot. */
function isMeant({ recipient, body: content, link }: Message, bot: string | null): boolean {
  if (recipient.chat_type === 'dialog') return true
  if (recipient.chat_type !== 'chat' || bot === null) return false
  const isAnswer = link?.type === 'reply' && link.sender?.username?.toLowerCase() === bot.toLowerCase()
  return isAnswer || mentionOf(bot).test(content?.text ?? '')
}

/** The text without the bot's name in it, and what was forwarded below it. */
function textFor({ recipient, body: content, link }: Message, bot: string | null): string {
  const own = (content?.text ?? '').trim()
  const isSpokenTo = recipient.chat_type === 'chat' && bot !== null
  const text = isSpokenTo
    ? own
        .replace(mentionOf(bot), '')
        .replace(/^[\s,:]+/, '')
        .trim() || own
    : own
  return [text, forwardedText(link)].filter(Boolean).join('\n\n')
}

function forwardedText(link: Message['link']): string {
  return link?.type === 'forward' ? (link.message.text ?? '').trim() : ''
}

/** A post of a channel has no sender. */
function passedOn({ link }: Message): { forwarded?: Forward } {
  if (link?.type !== 'forward') return {}
  const handle = link.sender?.username ? ` (@${link.sender.username})` : ''
  const name = link.sender ? `${nameOf(link.sender)}${handle}` : null
  return { forwarded: forwardOf([name], forwardedText(link)) }
}

function mentionOf(bot: string): RegExp {
  return new RegExp(`@${bot.replaceAll(/[^\w]/g, '\\$&')}(?![\\w-])`, 'i')
}

function repliedTo({ link }: Message): { repliesTo?: string; quoted?: string } {
  if (link?.type !== 'reply') return {}
  const text = (link.message.text ?? '').trim()
  const quoted = text.length > QUOTE_LENGTH ? `${text.slice(0, QUOTE_LENGTH).toWellFormed()}…` : text
  return { repliesTo: link.message.mid, ...(quoted && { quoted }) }
}

/** MAX does not number its updates: an equal body is the same update. */
function hashOf(given: unknown): string {
  const text = JSON.stringify(given) ?? 'undefined'
  return `sha256:${createHash('sha256').update(text).digest('base64url')}`
}
