// Telegram's updates → Inbound. Only the fields that are used are checked; anything else of an update is kept as it came.
// @source core.telegram.org/bots/api#update
import { createHash } from 'node:crypto'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import { readPress } from '#server/integrations/channels/contract/rating-press.ts'
import type { BusinessAccount } from '#shared/channels/channels.ts'
import { TELEGRAM_TEXT_MAX } from '#shared/limits.ts'
import { addressOf } from './telegram.address.ts'
import { attachmentsOf } from './telegram.attachments.ts'
import { telegramForward } from './telegram.forwards.ts'
import { type Bot, isForBot, isTopicRoot, textFor } from './telegram.groups.ts'
import {
  KNOWN_KINDS,
  type TelegramBusiness,
  type TelegramMessage,
  type TelegramPlace,
  type TelegramTap,
  type TelegramUser,
  update,
} from './telegram.schema.ts'

/** Characters that are kept of the message replied to. */
const QUOTE_LENGTH = 300
/** Placeholder for a message without text: a picture, a voice message. */
const WORDLESS = '📎'

/** Parses one update. Never throws. */
export function parseUpdate(body: unknown, bot: Bot): Inbound {
  const parsed = update.safeParse(body)
  if (!parsed.success) return { kind: 'unknown', externalKey: keyOf(body) }
  const { data } = parsed
  const externalKey = String(data.update_id)
  const moved = data.message && moveOf(data.message)
  if (moved) return { kind: 'chatMoved', externalKey, ...moved }
  const raw = body as Record<'message' | 'business_message', object>
  if (data.message) return parseMessage(data.message, { externalKey, bot, raw: raw.message })
  if (data.business_message)
    return parseBusiness(data.business_message, { externalKey, bot, raw: raw.business_message })
  const edited = data.edited_message ?? data.edited_business_message
  if (edited) return parseEdit(edited, externalKey, bot)
  if (data.business_connection) {
    return { kind: 'business', externalKey, business: businessOf(data.business_connection) }
  }
  if (data.callback_query) return parseTap(data.callback_query, externalKey)
  return { kind: hasKnownKind(body) ? 'ignored' : 'unknown', externalKey }
}

/** The number of an update, undefined when it has none. */
export function updateId(body: unknown): number | undefined {
  if (typeof body !== 'object' || body === null || !('update_id' in body)) return undefined
  return Number.isSafeInteger(body.update_id) ? (body.update_id as number) : undefined
}

/** A group that becomes a supergroup sends two updates: one under its old id, one under its new id. */
function moveOf({ chat, migrate_to_chat_id: to, migrate_from_chat_id: from }: TelegramMessage) {
  if (to !== undefined) return { chatId: String(chat.id), toChatId: String(to) }
  return from === undefined ? null : { chatId: String(from), toChatId: String(chat.id) }
}

function businessOf({ id, user, date, is_enabled: isOn, ...rest }: TelegramBusiness): BusinessAccount {
  const mayReply = isOn && (rest.rights?.can_reply ?? rest.can_reply ?? false)
  return { linkId: id, ownerId: String(user.id), ownerName: nameOf(user), isOn, mayReply, since: date * 1000 }
}

/** `raw`: the message as it came. */
type Received = { externalKey: string; bot: Bot; raw: object }

function parseMessage(message: TelegramMessage, { externalKey, bot, raw }: Received): Inbound {
  const { from } = message
  const attachments = attachmentsOf(message, raw)
  const text = textFor(message, bot) || submittedText(message)
  const isEmpty = text === '' && attachments.length === 0
  if (!from || isProgram(message) || isEmpty || !isMeant(message, bot)) return { kind: 'ignored', externalKey }
  const quoted = quoteOf(message)
  const forwarded = telegramForward(message, text)
  // An album comes as one message per picture, and a text that is too long for one message as several.
  const isPiece = message.media_group_id !== undefined || text.length >= TELEGRAM_TEXT_MAX
  return {
    kind: 'message',
    externalKey,
    chatId: addressIn(message),
    ...whoWrote(message, from, anonymOf(message)),
    text,
    externalMessageId: String(message.message_id),
    ...(attachments.length > 0 && { attachments }),
    ...(forwarded && { forwarded }),
    ...(quoted && { quoted }),
    ...repliedTo(message),
    ...(isPiece && { isPiece }),
  }
}

/** Data entered in a mini app, below the label of the button that opened it. */
function submittedText({ web_app_data: submitted }: TelegramMessage): string {
  return submitted ? [submitted.button_text, submitted.data].filter(Boolean).join('\n').trim() : ''
}

/** Messages of a business account, which its owner sees on their phone, and where they answer as well. */
function parseBusiness(message: TelegramMessage, received: Received): Inbound {
  const { from, chat, sender_business_bot: isSentByBot, is_from_offline: isAutomatic } = message
  if (from?.id === chat.id) return parseMessage(message, received)
  const { externalKey, bot } = received
  if (!from || isSentByBot || isAutomatic) return { kind: 'ignored', externalKey }
  const externalMessageId = String(message.message_id)
  const text = textFor(message, bot) || WORDLESS
  return { kind: 'humanReply', externalKey, chatId: addressIn(message), externalMessageId, text }
}

/** A live location that moves is an edit too, without text. */
function parseEdit(message: TelegramMessage, externalKey: string, bot: Bot): Inbound {
  const { from, chat, business_connection_id: business, location, edit_date: editedAt } = message
  const isByOwner = business !== undefined && from?.id !== chat.id
  if (!from || isProgram(message) || isByOwner || location) return { kind: 'ignored', externalKey }
  const externalMessageId = String(message.message_id)
  const text = textFor(message, bot)
  const forwarded = telegramForward(message, text)
  return {
    ...{ kind: 'edit', externalKey, chatId: addressIn(message), externalMessageId, text },
    ...(forwarded && { forwarded }),
    ...(editedAt !== undefined && { editedAt: editedAt * 1000 }),
  }
}

/** A press sends the button's label, once, however often it is pressed. */
function parseTap({ id, from, data, message }: TelegramTap, externalKey: string): Inbound {
  if (!message || !data) return { kind: 'ignored', externalKey }
  const buttons = message.reply_markup?.inline_keyboard.flat() ?? []
  const chatId = addressIn(message)
  const pressed = { externalMessageId: String(message.message_id), answerId: id }
  const rating = readPress(data)
  if (rating) {
    // Each press counts separately: the same score may be chosen again after another.
    return { kind: 'rating', externalKey: `rating:${id}`, chatId, ...whoWrote(message, from), pressed, ...rating }
  }
  return {
    kind: 'message',
    externalKey: `tap:${chatId}:${message.message_id}:${data}`,
    chatId,
    ...whoWrote(message, from),
    pressed,
    text: buttons.find(({ callback_data: own }) => own === data)?.text ?? data,
  }
}

function isMeant(message: TelegramMessage, bot: Bot): boolean {
  if (message.chat.type === 'private') return true
  return isGroup(message) && isForBot(message, bot)
}

function isGroup({ chat }: TelegramPlace): boolean {
  return chat.type === 'group' || chat.type === 'supergroup'
}

/** Each topic is a separate conversation. Replies have a thread id too, which is not a topic. */
function addressIn({ chat, message_thread_id: thread, is_topic_message: isTopic, ...place }: TelegramPlace): string {
  const { business_connection_id: business } = place
  return addressOf({
    chat_id: chat.id,
    ...(isTopic && thread !== undefined && { message_thread_id: thread }),
    ...(business !== undefined && { business_connection_id: business }),
  })
}

/** Messages on behalf of a group or a channel have one of Telegram's own bots as their sender. */
function isProgram({ from, sender_chat: inNameOf }: TelegramMessage): boolean {
  return from?.is_bot === true && inNameOf === undefined
}

/** The name a group shows for a member who writes on behalf of a chat; null: the member is shown. */
function anonymOf({ sender_chat: inNameOf, author_signature: signature }: TelegramMessage): string | null {
  return inNameOf ? (signature ?? inNameOf.title ?? '').slice(0, 200) || null : null
}

/** A group is one customer with several speakers. */
function whoWrote(place: TelegramPlace, from: TelegramUser, anonym: string | null = null) {
  const { chat } = place
  const name = nameOf(from)
  const language = from.language_code ?? null
  if (!isGroup(place)) {
    return { sender: { externalId: String(from.id), name, username: from.username ?? null, language } }
  }
  const title = (chat.title ?? '').slice(0, 200) || name
  const sender = { externalId: String(chat.id), name: title, username: chat.username ?? null, language }
  return { sender, speaker: anonym ?? name }
}

function nameOf({ first_name: first, last_name: last }: TelegramUser): string {
  return [first, last].filter(Boolean).join(' ').slice(0, 200)
}

/** In a topic every message references the one that opened it. */
function repliedTo(message: TelegramMessage): { repliesTo?: string } {
  const { reply_to_message: to } = message
  return to && !isTopicRoot(message) ? { repliesTo: String(to.message_id) } : {}
}

function quoteOf(message: TelegramMessage): string | null {
  const { quote, reply_to_message: to } = message
  if (isTopicRoot(message)) return null
  const text = (quote?.text ?? to?.text ?? to?.caption ?? '').trim()
  return text.length > QUOTE_LENGTH ? `${text.slice(0, QUOTE_LENGTH).toWellFormed()}…` : text || null
}

/** Known kinds of updates that need no handling. */
function hasKnownKind(body: unknown): boolean {
  return typeof body === 'object' && body !== null && KNOWN_KINDS.some((kind) => kind in body)
}

/** A key for a body without a usable number: the same body again is the same notification. */
function keyOf(body: unknown): string {
  const id = updateId(body)
  if (id !== undefined) return String(id)
  const text = JSON.stringify(body) ?? 'undefined'
  return `sha256:${createHash('sha256').update(text).digest('base64url')}`
}
