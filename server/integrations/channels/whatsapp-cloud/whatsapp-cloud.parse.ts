// Deliveries of the Cloud API → Inbound. One delivery may hold several accounts, changes, messages and receipts: it is taken apart first,
// into deliveries that hold one each. Only the fields that are used are checked; anything else is kept as it came.
// @source developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference
import { z } from 'zod'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import { keyOfBody } from '#server/integrations/channels/meta/webhook.ts'
import { forwardOf } from '#shared/messaging/forwards.ts'
import { attachmentFields, attachmentsOf, captionOf } from './whatsapp-cloud.attachments.ts'
import { kindOf, wordsOf } from './whatsapp-cloud.call.ts'

const words = z.string().optional().catch(undefined)
const flag = z.boolean().optional().catch(undefined)
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
  /** Of a customer who keeps their number to themselves. */
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
      /** A form that was filled in; `response_json`: the answers. */
      nfm_reply: z.object({ body: words, response_json: words }).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  context: z.object({ id: words, forwarded: flag, frequently_forwarded: flag }).optional().catch(undefined),
  /** What another message says from now on. */
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
/** What is done to messages, and says nothing by itself. */
const DEEDS = new Set(['reaction', 'system', 'edit', 'revoke', 'request_welcome'])
/** Kinds of change that exist and that we have nothing to answer to. */
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
/** By which a probe of ours is known. */
export const PROBE_FIELD = 'parley_probe'
/** Before the words of a choice of ours, in the id of its button: the ids of others mean nothing to us. */
export const CHOICE_PREFIX = 'choice:'
/** Stands for what a person sent from the phone without a word: a picture, a voice message. */
const WORDLESS = '📎'

/** Takes a delivery apart. What is not understood stays whole. */
export function splitDelivery(body: unknown): unknown[] {
  const parsed = delivery.safeParse(body)
  if (!parsed.success) return [body]
  const { object, entry } = parsed.data
  const single = (id: string, one: unknown) => ({ object, entry: [{ id, changes: [one] }] })
  const all = entry.flatMap(({ id, changes }) => changes.flatMap(singles).map((one) => single(id, one)))
  return all.length > 0 ? all : [body]
}

/** A change as one for each thing that it tells. */
function singles(given: unknown): unknown[] {
  const parsed = change.safeParse(given)
  if (!parsed.success) return [given]
  const { field, value: told } = parsed.data
  const { metadata, contacts } = told
  const all = LISTS.flatMap((name) =>
    (told[name] ?? []).map((one) => {
      const theirs = name === 'messages' ? { contacts: contactsOf(contacts, one) } : {}
      return { field, value: { ...(metadata && { metadata }), ...theirs, [name]: [one] } }
    }),
  )
  return all.length > 0 ? all : [given]
}

/** Those of the sender; all, where nobody is known to be. */
function contactsOf(contacts: unknown[] | undefined, given: unknown): unknown[] {
  const said = message.safeParse(given)
  const all = contacts ?? []
  if (!said.success) return all
  const theirs = all.filter((one) => {
    const { success, data } = contact.safeParse(one)
    return success && isOf(data, said.data)
  })
  return theirs.length > 0 ? theirs : all
}

/** What one notification for the number means. Never throws. */
export function parseNotification(body: unknown, phoneNumberId: string): Inbound {
  const parsed = delivery.safeParse(body)
  const [first, ...others] = parsed.success ? parsed.data.entry.flatMap(({ changes }) => changes) : []
  const told = change.safeParse(first)
  if (!told.success || others.length > 0) return unknown(body)
  const { field, value: given } = told.data
  const number = given.metadata?.phone_number_id
  // An app is told at its own address of all its numbers that have none, whoever they belong to here.
  if (number !== undefined && number !== phoneNumberId) {
    return { kind: 'ignored', externalKey: keyOfBody(body), isOthers: true }
  }
  if (field === PROBE_FIELD || KNOWN.has(field)) return { kind: 'ignored', externalKey: keyOfBody(body) }
  if (field !== 'messages' && field !== 'smb_message_echoes' && field !== 'message_echoes') return unknown(body)
  return parseChange(body, given)
}

function parseChange(body: unknown, given: Change['value']): Inbound {
  const [said] = given.messages ?? []
  if (said !== undefined) return parseMessage(body, said, given.contacts ?? [])
  const [receipt] = given.statuses ?? []
  if (receipt !== undefined) return parseStatus(body, receipt)
  const [echo] = given.message_echoes ?? []
  if (echo !== undefined) return parseEcho(body, echo)
  // Errors of the number itself come without a message.
  return 'errors' in given ? { kind: 'ignored', externalKey: keyOfBody(body) } : unknown(body)
}

function parseMessage(body: unknown, given: unknown, contacts: unknown[]): Inbound {
  const parsed = message.safeParse(given)
  const said = parsed.data
  const ids = said ? idsOf(said, contacts) : []
  const [chatId] = ids
  if (!said || chatId === undefined) return unknown(body)
  const externalKey = `in:${said.id}`
  if (said.edit) return parseEdit(said.edit, { externalKey, chatId, timestamp: said.timestamp })
  if (DEEDS.has(said.type)) return { kind: 'ignored', externalKey }
  const text = textOf(said)
  const attachments = attachmentsOf(said, text)
  if (text === '' && attachments.length === 0) return { kind: 'ignored', externalKey }
  const { timestamp } = said
  const repliesTo = said.context?.id
  const isForwarded = said.context?.forwarded || said.context?.frequently_forwarded
  return {
    ...{
      kind: 'message',
      externalKey,
      externalMessageId: said.id,
      chatId,
      sender: { ...senderOf(chatId, said, contacts), aliases: ids.slice(1) },
      text,
    },
    ...(attachments.length > 0 && { attachments }),
    ...(isForwarded && { forwarded: forwardOf([], text) }),
    ...(repliesTo && { repliesTo }),
    ...(timestamp !== undefined && { saidAt: timestamp * 1000 }),
  }
}

/** The customer has changed the words of an earlier message, or those below its file. */
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

/** `sent` says no more than the answer to the sending did. */
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
 * What was pressed is said by its words; those of a choice of ours stand whole in its id. The customer sees a press as a message of their
 * own, so that it is one here too, however late it comes and whatever was pressed before.
 */
function textOf(said: Message): string {
  const pressed = said.interactive?.button_reply ?? said.interactive?.list_reply
  if (pressed?.id.startsWith(CHOICE_PREFIX)) return pressed.id.slice(CHOICE_PREFIX.length)
  const form = said.interactive?.nfm_reply
  const text = said.text?.body ?? said.button?.text ?? pressed?.title ?? (form ? answersOf(form) : captionOf(said))
  return text.trim()
}

/** The answers of a form, a line each, below what WhatsApp shows of it. Answers that are no JSON stand as they came. */
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

/** All by which the sender is named, the number first: it may stand with their contact alone. */
function idsOf(said: Message, contacts: unknown[]): string[] {
  const known = contactOf(said, contacts)
  const ids = [said.from, known?.wa_id, said.from_user_id, known?.user_id]
  return [...new Set(ids.filter((id) => id !== undefined && id !== ''))] as string[]
}

function contactOf(said: Message, contacts: unknown[]): z.infer<typeof contact> | undefined {
  return contacts.map((one) => contact.safeParse(one).data).find((one) => one && isOf(one, said))
}

function senderOf(chatId: string, said: Message, contacts: unknown[]) {
  const known = contactOf(said, contacts)
  const username = known?.profile?.username?.replace(/^@/, '') || null
  const name = known?.profile?.name || username || (/^\d+$/.test(chatId) ? `+${chatId}` : chatId)
  return { externalId: chatId, name: name.slice(0, 200), username, language: null }
}

function isOf({ wa_id: phone, user_id: user }: z.infer<typeof contact>, said: Pick<Message, 'from' | 'from_user_id'>) {
  return (phone !== undefined && phone === said.from) || (user !== undefined && user === said.from_user_id)
}

/** Numbers come with a plus here and there. */
function digitsOf(chatId: string): string {
  return /^\+\d+$/.test(chatId) ? chatId.slice(1) : chatId
}

function unknown(body: unknown): Inbound {
  return { kind: 'unknown', externalKey: keyOfBody(body) }
}
