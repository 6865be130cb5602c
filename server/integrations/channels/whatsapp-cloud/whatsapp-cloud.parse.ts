// Deliveries of the Cloud API → Inbound. One delivery may hold several accounts, changes, messages and receipts: it is split first,
// into deliveries that hold one each. Only the fields that are used are checked; anything else is kept as it came.
// @source developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference
import { z } from 'zod'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import { keyOfBody } from '#server/integrations/channels/meta/webhook.ts'
import { forwardOf } from '#shared/messaging/forwards.ts'
import { attachmentFields, attachmentsOf, captionOf } from './whatsapp-cloud.attachments.ts'
import { kindOf, wordsOf } from './whatsapp-cloud.call.ts'

const words = z.string().optional().catch(undefined)
const list = z.array(z.unknown()).optional().catch(undefined)
const value = z.looseObject({
  metadata: z.object({ phone_number_id: z.string() }).optional().catch(undefined),
  contacts: list,
  messages: list,
  statuses: list,
  message_echoes: list,
})
const change = z.object({ field: z.string(), value })
const delivery = z.object({
  object: z.literal('whatsapp_business_account'),
  entry: z.array(z.looseObject({ id: z.string(), changes: z.array(z.unknown()) })),
})
const contact = z.object({
  wa_id: words,
  user_id: words,
  profile: z.object({ name: words, username: words }).optional().catch(undefined),
})
const choice = z
  .object({ id: z.string(), title: z.string().catch('') })
  .optional()
  .catch(undefined)
const message = z.object({
  id: z.string(),
  from: words,
  /** The id of a customer who hides their number. */
  from_user_id: words,
  /** Of an echo. */
  to: words,
  to_user_id: words,
  text: z.object({ body: z.string() }).optional().catch(undefined),
  button: z.object({ text: z.string() }).optional().catch(undefined),
  interactive: z
    .object({
      button_reply: choice,
      list_reply: choice,
      /** A submitted form; `response_json`: the answers. */
      nfm_reply: z.object({ body: words, response_json: words }).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  /** The new content of an earlier message. */
  edit: z
    .object({ original_message_id: z.string(), message: z.looseObject({}) })
    .optional()
    .catch(undefined),
  /** Seconds since 1970, as a text. */
  timestamp: z.coerce.number().optional().catch(undefined),
  ...attachmentFields,
})
const status = z.object({
  id: z.string(),
  status: z.string(),
  errors: z
    .array(
      z.object({
        code: z.number(),
        title: words,
        error_data: z.object({ details: words }).optional().catch(undefined),
      }),
    )
    .optional()
    .catch(undefined),
})

type Message = z.infer<typeof message>
type Change = z.infer<typeof change>

/** Lists of which each element is a notification of its own. */
const LISTS = ['messages', 'statuses', 'message_echoes'] as const
/** Actions on messages, without text of their own. */
const DEEDS = new Set(['reaction', 'system', 'edit', 'revoke', 'request_welcome'])
/** Known kinds of changes that need no handling. */
const KNOWN = new Set([
  'account_alerts',
  'account_review_update',
  'account_settings_update',
  'account_update',
  'business_capability_update',
  'calls',
  'history',
  'message_template_components_update',
  'message_template_quality_update',
  'message_template_status_update',
  'phone_number_name_update',
  'phone_number_quality_update',
  'security',
  'smb_app_state_sync',
  'template_category_update',
  'user_preferences',
])
/** Marks a probe of ours. */
export const PROBE_FIELD = 'parley_probe'
/** Prefix of a choice's text in the id of our buttons: ids of others are ignored. */
export const CHOICE_PREFIX = 'choice:'
/** Placeholder for a message without text that a person sent from the phone: a picture, a voice message. */
const WORDLESS = '📎'

/** Splits a delivery. An unknown body stays whole. */
export function splitDelivery(body: unknown): unknown[] {
  const parsed = delivery.safeParse(body)
  if (!parsed.success) return [body]
  const { object, entry } = parsed.data
  const single = (id: string, one: unknown) => ({ object, entry: [{ id, changes: [one] }] })
  const all = entry.flatMap(({ id, changes }) => changes.flatMap(singles).map((one) => single(id, one)))
  return all.length > 0 ? all : [body]
}

/** Splits a change into one per notification. */
function singles(given: unknown): unknown[] {
  const parsed = change.safeParse(given)
  if (!parsed.success) return [given]
  const { field, value: content } = parsed.data
  const { metadata, contacts } = content
  const all = LISTS.flatMap((name) =>
    (content[name] ?? []).map((one) => {
      const theirs = name === 'messages' ? { contacts: contactsOf(contacts, one) } : {}
      return { field, value: { ...(metadata && { metadata }), ...theirs, [name]: [one] } }
    }),
  )
  return all.length > 0 ? all : [given]
}

/** Those of the sender; all, where the sender is unknown. */
function contactsOf(contacts: unknown[] | undefined, given: unknown): unknown[] {
  const sent = message.safeParse(given)
  const all = contacts ?? []
  if (!sent.success) return all
  const theirs = all.filter((one) => {
    const { success, data } = contact.safeParse(one)
    return success && isOf(data, sent.data)
  })
  return theirs.length > 0 ? theirs : all
}

/** Parses one notification for the number. Never throws. */
export function parseNotification(body: unknown, phoneNumberId: string): Inbound {
  const parsed = delivery.safeParse(body)
  const [first, ...others] = parsed.success ? parsed.data.entry.flatMap(({ changes }) => changes) : []
  const known = change.safeParse(first)
  if (!known.success || others.length > 0) return unknown(body)
  const { field, value: given } = known.data
  const number = given.metadata?.phone_number_id
  // An app receives at its own address the events of all its numbers without one of their own, whichever organization each belongs to here.
  if (number !== undefined && number !== phoneNumberId) {
    return { kind: 'ignored', externalKey: keyOfBody(body), isOthers: true }
  }
  if (field === PROBE_FIELD || KNOWN.has(field)) return { kind: 'ignored', externalKey: keyOfBody(body) }
  if (field !== 'messages' && field !== 'smb_message_echoes' && field !== 'message_echoes') return unknown(body)
  return parseChange(body, given)
}

function parseChange(body: unknown, given: Change['value']): Inbound {
  const [written] = given.messages ?? []
  if (written !== undefined) return parseMessage(body, written, given.contacts ?? [])
  const [receipt] = given.statuses ?? []
  if (receipt !== undefined) return parseStatus(body, receipt)
  const [echo] = given.message_echoes ?? []
  if (echo !== undefined) return parseEcho(body, echo)
  // Errors of the number itself come without a message.
  return 'errors' in given ? { kind: 'ignored', externalKey: keyOfBody(body) } : unknown(body)
}

function parseMessage(body: unknown, given: unknown, contacts: unknown[]): Inbound {
  const parsed = message.safeParse(given)
  const received = parsed.data
  const ids = received ? idsOf(received, contacts) : []
  const [chatId] = ids
  if (!received || chatId === undefined) return unknown(body)
  const externalKey = `in:${received.id}`
  if (received.edit) return parseEdit(received.edit, { externalKey, chatId, timestamp: received.timestamp })
  if (DEEDS.has(received.type)) return { kind: 'ignored', externalKey }
  const text = textOf(received)
  const attachments = attachmentsOf(received, text)
  if (text === '' && attachments.length === 0) return { kind: 'ignored', externalKey }
  const { timestamp } = received
  const repliesTo = received.context?.id
  const isForwarded = received.context?.forwarded || received.context?.frequently_forwarded
  return {
    ...{
      kind: 'message',
      externalKey,
      externalMessageId: received.id,
      chatId,
      sender: { ...senderOf(chatId, received, contacts), aliases: ids.slice(1) },
      text,
    },
    ...(attachments.length > 0 && { attachments }),
    ...(isForwarded && { forwarded: forwardOf([], text) }),
    ...(repliesTo && { repliesTo }),
    ...(timestamp !== undefined && { sentAt: timestamp * 1000 }),
  }
}

/** The customer has edited the text of an earlier message, or the caption of its file. */
function parseEdit(
  edit: NonNullable<Message['edit']>,
  { externalKey, chatId, timestamp }: { externalKey: string; chatId: string; timestamp: number | undefined },
): Inbound {
  const { original_message_id: externalMessageId, message: given } = edit
  const { data } = message.safeParse({ ...given, id: externalMessageId })
  const text = data ? textOf(data) : ''
  if (text === '') return { kind: 'ignored', externalKey }
  const editedAt = timestamp === undefined ? {} : { editedAt: timestamp * 1000 }
  return { kind: 'edit', externalKey, chatId, externalMessageId, text, ...editedAt }
}

/** A person has answered from the WhatsApp Business app. */
function parseEcho(body: unknown, given: unknown): Inbound {
  const parsed = message.safeParse(given)
  const chatId = parsed.data?.to ?? parsed.data?.to_user_id
  if (!parsed.success || !chatId) return unknown(body)
  const externalKey = `out:${parsed.data.id}`
  if (DEEDS.has(parsed.data.type)) return { kind: 'ignored', externalKey }
  const text = textOf(parsed.data) || WORDLESS
  return { kind: 'humanReply', externalKey, chatId: digitsOf(chatId), externalMessageId: parsed.data.id, text }
}

/** `sent` adds nothing to the answer of the send call. */
function parseStatus(body: unknown, given: unknown): Inbound {
  const parsed = status.safeParse(given)
  if (!parsed.success) return unknown(body)
  const { id: externalMessageId, status: name, errors } = parsed.data
  const externalKey = `status:${externalMessageId}:${name}`
  const receipt = { kind: 'receipt' as const, externalKey, externalMessageId }
  if (name === 'delivered' || name === 'read') return { ...receipt, state: name }
  if (name === 'played') return { ...receipt, state: 'read' }
  if (name !== 'failed') return { kind: 'ignored', externalKey }
  const [error] = errors ?? []
  if (!error) return { ...receipt, state: 'failed', reason: 'failed' }
  const detail = wordsOf(error.code, error.error_data?.details || error.title || '')
  const kind = kindOf(error.code)
  return { ...receipt, state: 'failed', reason: kind === 'permanent' ? detail : `${kind}: ${detail}` }
}

/**
 * The text of a press is its button's label; for a choice of ours the whole label is in the button's id. The customer sees a press as a
 * message of their own, so it is one here too, however late it comes and whatever was pressed before.
 */
function textOf(message: Message): string {
  const pressed = message.interactive?.button_reply ?? message.interactive?.list_reply
  if (pressed?.id.startsWith(CHOICE_PREFIX)) return pressed.id.slice(CHOICE_PREFIX.length)
  const form = message.interactive?.nfm_reply
  const text =
    message.text?.body ?? message.button?.text ?? pressed?.title ?? (form ? answersOf(form) : captionOf(message))
  return text.trim()
}

/** The answers of a form, one per line, below the text that WhatsApp shows for it. Answers that are not JSON are kept as they came. */
function answersOf({ body, response_json: json }: { body?: string | undefined; response_json?: string | undefined }) {
  return [body, ...answerLines(json)].filter(Boolean).join('\n')
}

function answerLines(json: string | undefined): string[] {
  if (json === undefined) return []
  try {
    const answers = z.record(z.string(), z.unknown()).parse(JSON.parse(json))
    const asked = Object.entries(answers).filter(([name]) => name !== 'flow_token')
    return asked.map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
  } catch {
    return [json]
  }
}

/** All ids of the sender, the number first, which may be present only in their contact. */
function idsOf(message: Message, contacts: unknown[]): string[] {
  const known = contactOf(message, contacts)
  const ids = [message.from, known?.wa_id, message.from_user_id, known?.user_id]
  return [...new Set(ids.filter((id) => id !== undefined && id !== ''))] as string[]
}

function contactOf(message: Message, contacts: unknown[]): z.infer<typeof contact> | undefined {
  return contacts.map((one) => contact.safeParse(one).data).find((one) => one && isOf(one, message))
}

function senderOf(chatId: string, message: Message, contacts: unknown[]) {
  const known = contactOf(message, contacts)
  const username = known?.profile?.username?.replace(/^@/, '') || null
  const name = known?.profile?.name || username || (/^\d+$/.test(chatId) ? `+${chatId}` : chatId)
  return { externalId: chatId, name: name.slice(0, 200), username, language: null }
}

function isOf(
  { wa_id: phone, user_id: user }: z.infer<typeof contact>,
  message: Pick<Message, 'from' | 'from_user_id'>,
) {
  return (phone !== undefined && phone === message.from) || (user !== undefined && user === message.from_user_id)
}

/** Some numbers come with a plus. */
function digitsOf(chatId: string): string {
  return /^\+\d+$/.test(chatId) ? chatId.slice(1) : chatId
}

function unknown(body: unknown): Inbound {
  return { kind: 'unknown', externalKey: keyOfBody(body) }
}
