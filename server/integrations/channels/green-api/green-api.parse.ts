// GREEN-API's notifications → Inbound. Only the fields that are used are checked; anything else is kept as it came.
// @source green-api.com/en/docs/api/receiving/notifications-format
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import { ACCOUNT_STATES, type AccountState } from '#shared/channels/channels.ts'
import { forwardOf } from '#shared/messaging/forwards.ts'
import { attachmentFields, attachmentsOf, describedIn, unread } from './green-api.attachments.ts'
import { textFields, textOf, unreadMarkOf } from './green-api.text.ts'

const head = z.object({
  typeWebhook: z.string(),
  instanceData: z.object({ idInstance: z.union([z.number(), z.string()]), wid: z.string().optional() }),
  timestamp: z.number().optional(),
  idMessage: z.string().optional(),
})
const words = z.string().optional().catch(undefined)
const message = z.object({
  idMessage: z.string(),
  senderData: z.object({
    chatId: z.string(),
    sender: z.string().optional(),
    senderName: z.string().optional(),
    senderContactName: z.string().optional(),
    chatName: z.string().optional(),
    /** Of a sender whose ids are not made of it. */
    senderPhoneNumber: z.union([z.number(), z.string()]).optional().catch(undefined),
  }),
  messageData: z.object({
    typeMessage: z.string(),
    ...textFields,
    editedMessageData: z.object({ textMessage: words, caption: words, stanzaId: z.string() }).optional(),
    quotedMessage: z.object({ stanzaId: words, textMessage: words, caption: words }).optional().catch(undefined),
    ...attachmentFields,
  }),
})
/** The fields that mark a part of a message as forwarded. */
const mark = z.looseObject({
  isForwarded: z.boolean().optional().catch(undefined),
  forwardingScore: z.number().optional().catch(undefined),
})
const marked = z.looseObject({ messageData: z.record(z.string(), z.unknown()) })
const status = z.object({ idMessage: z.string(), status: z.string(), description: z.string().optional() })
const state = z.object({ stateInstance: z.string() })

type Head = z.infer<typeof head>
type Message = z.infer<typeof message>

/** Statuses after which an accepted message will not arrive. */
const LOST = new Set(['failed', 'noAccount', 'notInGroup'])
/** Actions on messages, without text of their own. */
const DEEDS = new Set(['reactionMessage', 'deletedMessage'])
/** A vote in a poll, as a rule of a person on the account's phone: it names all votes by now. */
const VOTE = 'pollUpdateMessage'
/**
 * Known notifications that need no handling. `quotaExceeded` is not one of them: the instance's plan allows no further chats this month,
 * so it is kept for people to see.
 */
const KNOWN = new Set([
  'outgoingAPIMessageReceived', // what we have sent ourselves comes back as this
  'statusInstanceChanged',
  'deviceInfo',
  'incomingCall',
  'outgoingCall',
  'incomingBlock',
  'deletedMessage',
])
/** Parts of a message that describe another one. */
const ABOUT_OTHERS = new Set(['quotedMessage', 'editedMessageData'])
/** Characters that are kept of the message replied to. */
const QUOTED_LENGTH = 500
/** Placeholder for a message without text that a person sent from the phone: a picture, a voice message. */
const WORDLESS = '📎'

/** What one notification for the instance means. One of another instance is not understood. Never throws. */
export function parseNotification(body: unknown, idInstance: string): Inbound {
  const parsed = head.safeParse(body)
  if (!parsed.success || String(parsed.data.instanceData.idInstance) !== idInstance) return unknown(body)
  const { typeWebhook } = parsed.data
  switch (typeWebhook) {
    case 'incomingMessageReceived':
    case 'outgoingMessageReceived':
      return parseMessage(body, parsed.data)
    case 'outgoingMessageStatus':
      return parseStatus(body, parsed.data)
    case 'stateInstanceChanged':
      return parseState(body, parsed.data)
    default:
      return KNOWN.has(typeWebhook) ? { kind: 'ignored', externalKey: hashOf(body) } : unknown(body)
  }
}

/** Private chats only: in groups an account also receives messages not meant for it. */
function parseMessage(body: unknown, { typeWebhook, timestamp }: Head): Inbound {
  const parsed = message.safeParse(body)
  if (!parsed.success) return unknown(body)
  const { idMessage, senderData } = parsed.data
  const isIncoming = typeWebhook === 'incomingMessageReceived'
  // In messages of the account itself, the sender's number is not a customer's.
  const chatId = isIncoming ? chatOf(senderData) : senderData.chatId
  const { typeMessage, editedMessageData: edited } = parsed.data.messageData
  const externalKey = `${isIncoming ? 'in' : 'out'}:${idMessage}`
  if (chatId.endsWith('@g.us') || chatId.endsWith('@broadcast')) return { kind: 'ignored', externalKey }
  if (DEEDS.has(typeMessage)) return { kind: 'ignored', externalKey }
  if (edited && isIncoming) {
    return { ...editOf(edited, externalKey, chatId), ...(timestamp !== undefined && { editedAt: timestamp * 1000 }) }
  }
  if (edited) return { kind: 'ignored', externalKey }
  const isVote = typeMessage === VOTE
  const text = isVote ? chosenBy(parsed.data) : textOf(parsed.data.messageData)
  if (isVote && (text === '' || !isIncoming)) return { kind: 'ignored', externalKey }
  if (!isIncoming) {
    const words = text || describedIn(parsed.data.messageData)?.text || WORDLESS
    return { kind: 'humanReply', externalKey, chatId, externalMessageId: idMessage, text: words }
  }
  const mark = unreadMarkOf(parsed.data.messageData)
  const attachments = mark ? [unread(mark)] : isVote ? [] : attachmentsOf(parsed.data.messageData, text)
  if (text === '' && attachments.length === 0) return { kind: 'ignored', externalKey }
  const quoted = quotedOf(parsed.data)
  const isForwarded = isPassedOn(body)
  const { quotedMessage, pollMessageData } = parsed.data.messageData
  const repliesTo = isVote ? pollMessageData?.stanzaId : quotedMessage?.stanzaId
  return {
    ...{ kind: 'message', externalKey, externalMessageId: idMessage, chatId, sender: senderOf(senderData), text },
    ...(attachments.length > 0 && { attachments }),
    ...(isForwarded && { forwarded: forwardOf([], text) }),
    ...(quoted && { quoted }),
    ...(repliesTo && { repliesTo }),
    ...(timestamp !== undefined && { sentAt: timestamp * 1000 }),
  }
}

function editOf(edited: NonNullable<Message['messageData']['editedMessageData']>, externalKey: string, chatId: string) {
  const { stanzaId: externalMessageId, textMessage, caption } = edited
  return { kind: 'edit' as const, externalKey, chatId, externalMessageId, text: (textMessage ?? caption ?? '').trim() }
}

/** WhatsApp hides the number behind an id of its own (LID) more and more: who is known by the number stays the same customer. */
function chatOf({ chatId, senderPhoneNumber: phone }: Message['senderData']): string {
  return chatId.endsWith('@lid') && /^\d{7,15}$/.test(String(phone)) ? `${phone}@c.us` : chatId
}

/** A message with the status `yellowCard` is kept by the provider, and sent when the account may send again. */
function parseStatus(body: unknown, { instanceData, timestamp = 0 }: Head): Inbound {
  const parsed = status.safeParse(body)
  if (!parsed.success) return unknown(body)
  const { idMessage, status: name, description } = parsed.data
  const externalKey = `status:${idMessage}:${name}`
  const receipt = { kind: 'receipt' as const, externalKey, externalMessageId: idMessage }
  if (name === 'delivered' || name === 'read') return { ...receipt, state: name }
  if (name === 'yellowCard') {
    const identifier = phoneOf(instanceData.wid ?? '')
    return { kind: 'accountState', externalKey, state: name, identifier, at: timestamp * 1000 }
  }
  if (!LOST.has(name)) return { kind: 'ignored', externalKey }
  return { ...receipt, state: 'failed', reason: description ? `${name}: ${description}` : name }
}

function parseState(body: unknown, { instanceData, timestamp = 0 }: Head): Inbound {
  const parsed = state.safeParse(body)
  if (!parsed.success) return unknown(body)
  return {
    kind: 'accountState',
    externalKey: `state:${timestamp}:${parsed.data.stateInstance}`,
    state: accountState(parsed.data.stateInstance),
    identifier: phoneOf(instanceData.wid ?? ''),
    at: timestamp * 1000,
  }
}

/** Each kind of message marks a forward in a field of its own. The original author is not included. */
function isPassedOn(body: unknown): boolean {
  const { messageData = {} } = marked.safeParse(body).data ?? {}
  const parts = [...Object.entries(messageData), ['messageData', messageData] as const]
  return parts.some(([name, content]) => {
    const { isForwarded = false, forwardingScore = 0 } = (!ABOUT_OTHERS.has(name) && mark.safeParse(content).data) || {}
    return isForwarded || forwardingScore > 0
  })
}

/** The state by our name; one that is not in the table is `unknown`. */
export function accountState(name: unknown): AccountState {
  return ACCOUNT_STATES.find((known) => known === name) ?? 'unknown'
}

/** The digits of a private chat's id; null when it has none. */
export function phoneOf(chatId: string): string | null {
  return /^(\d+)@c\.us$/.exec(chatId)?.[1] ?? null
}

function quotedOf({ messageData: { typeMessage, quotedMessage: quoted, pollMessageData: poll } }: Message): string {
  const text = typeMessage === VOTE ? poll?.name : (quoted?.textMessage ?? quoted?.caption)
  return (text ?? '').trim().slice(0, QUOTED_LENGTH)
}

/** The options that the sender has chosen in a poll; empty: none any more. */
function chosenBy({ senderData: { sender, chatId }, messageData: { pollMessageData: poll } }: Message): string {
  const ids = new Set([sender, chatId])
  const chosen = (poll?.votes ?? []).filter(({ optionVoters }) => optionVoters.some((voter) => ids.has(voter)))
  return chosen.flatMap(({ optionName }) => optionName ?? []).join(', ')
}

function senderOf(data: Message['senderData']) {
  const { senderContactName, senderName, chatName } = data
  const sender = chatOf({ ...data, chatId: data.sender ?? data.chatId })
  const phone = phoneOf(sender)
  const name = senderContactName || senderName || chatName || (phone ? `+${phone}` : sender)
  const aliases = [...new Set([data.sender, data.chatId])].filter((id) => id !== undefined && id !== sender) as string[]
  return { externalId: sender, aliases, name: name.slice(0, 200), username: null, language: null }
}

function unknown(body: unknown): Inbound {
  return { kind: 'unknown', externalKey: hashOf(body) }
}

/** A key for a notification without an id: an equal body is the same notification. */
function hashOf(body: unknown): string {
  return `sha256:${createHash('sha256')
    .update(JSON.stringify(body) ?? 'undefined')
    .digest('base64url')}`
}
