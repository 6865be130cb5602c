// The WhatsApp channel over Meta's own Cloud API: the one place that knows its calls. Deliveries are read in whatsapp-cloud.parse.ts,
// failures in whatsapp-cloud.call.ts, files and templates in the files next to it.

import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { AdapterWith } from '#server/integrations/channels/contract/channel.ts'
import type { Sent } from '#server/integrations/channels/contract/credentials.ts'
import type { CloudNumber } from '#server/integrations/channels/contract/whatsapp-numbers.ts'
import type { Ask } from '#server/integrations/channels/meta/graph.ts'
import { answerSubscription, isSigned, signedHeaders } from '#server/integrations/channels/meta/webhook.ts'
import { sentText } from '#server/platform/lib/text/sent-text.ts'
import { CHANNELS } from '#shared/channels/manifests.ts'
import { readCloudAccess } from './whatsapp-cloud.access.ts'
import { createCloudGraph, pagesOf } from './whatsapp-cloud.call.ts'
import { createMedia } from './whatsapp-cloud.media.ts'
import { CHOICE_PREFIX, PROBE_FIELD, parseNotification, splitDelivery } from './whatsapp-cloud.parse.ts'
import { createSubscription } from './whatsapp-cloud.subscription.ts'
import { createTemplates } from './whatsapp-cloud.templates.ts'

const CALL_TIMEOUT_MS = 20_000
/** What fits below a text. @source developers.facebook.com/documentation/business-messaging/whatsapp/messages/interactive-reply-buttons-messages */
const BUTTONS = { count: 3, titleLength: 20, textLength: 1024 }
/** Limits of a list, which is used for choices that do not fit on buttons. */
const ROWS = { titleLength: 24, descriptionLength: 72 }
/** Opens the list. */
const LIST_LABEL = '☰'

const done = z.object({ success: z.literal(true) })
const posted = z.object({ messages: z.array(z.object({ id: z.string() })).min(1) })
const numberFields = z.object({
  id: z.string(),
  display_phone_number: z.string(),
  verified_name: z.string().catch(''),
  quality_rating: z.string().catch('UNKNOWN'),
  status: z.string().catch('UNKNOWN'),
})
const identity = numberFields.pick({ id: true, display_phone_number: true })
const limit = z.object({ whatsapp_business_manager_messaging_limit: z.string() })
const named = z.object({ id: z.string() })
const webhookFields = z.object({
  webhook_configuration: z
    .object({
      phone_number: z.string().optional().catch(undefined),
      whatsapp_business_account: z.string().optional().catch(undefined),
      application: z.string().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
})

/** A number of Meta's own API, whose account has to be subscribed and may send templates. */
type WhatsappCloud = AdapterWith<'templates' | 'probe' | 'inspect' | 'subscription'> & { number: CloudNumber }

/** `graphUrl`: with the version, without a trailing slash. */
export type WhatsappCloudOptions = { graphUrl: string; callTimeoutMs?: number }

/** A WhatsApp channel over the Cloud API. */
export function createWhatsappCloudChannel({
  graphUrl,
  callTimeoutMs = CALL_TIMEOUT_MS,
}: WhatsappCloudOptions): WhatsappCloud {
  const { ask, fetch } = createCloudGraph({ graphUrl, timeoutMs: callTimeoutMs })
  const post = (token: string, chatId: string, content: object) => sendMessage(ask, token, chatId, content)
  return {
    showing: CHANNELS.whatsappCloud.showing,
    traits: { hasAliases: true, tellsReceipts: true, typesBelowMessage: true },
    buttons: {},
    media: createMedia({ ask, fetch }, post),
    templates: createTemplates(ask, post),
    number: createNumber(ask),
    ...createReceiving(),
    ...createDelivery(ask),
    ...createSending(ask, post),

    async identify(token) {
      const { id, display_phone_number: phone } = await ask(
        token,
        { path: fieldsOf(token, 'id,display_phone_number') },
        identity,
      )
      return { externalAccountId: id, identifier: phone.replaceAll(/\D/g, ''), state: null }
    },
  }
}

/** Subscribing to deliveries. */
function createReceiving(): Pick<WhatsappCloud, 'parse' | 'envelope' | 'verify' | 'answerHandshake' | 'probe'> {
  return {
    envelope: { split: splitDelivery },
    parse: (body, { token }) => parseNotification(body, readCloudAccess(token).phoneNumberId),

    verify: ({ webhookSecret }, headers, body) => isSigned(webhookSecret, headers, body),
    answerHandshake: ({ token }, query) => answerSubscription(readCloudAccess(token).verifyToken, query),

    probe({ token, webhookSecret }, nonce) {
      const { accountId } = readCloudAccess(token)
      const body = {
        object: 'whatsapp_business_account',
        entry: [{ id: accountId, changes: [{ field: PROBE_FIELD, value: { nonce } }] }],
      }
      return { headers: signedHeaders(webhookSecret, JSON.stringify(body)), body }
    },
  }
}

/** Where Meta delivers. The number's address takes precedence over those of its account and of the app. */
function createDelivery(ask: Ask): Pick<WhatsappCloud, 'connect' | 'disconnect' | 'inspect' | 'subscription'> {
  const subscription = createSubscription(ask)
  const point = (token: string, webhook: object) =>
    ask(
      token,
      { verb: 'POST', path: readCloudAccess(token).phoneNumberId, body: { webhook_configuration: webhook } },
      done,
    )
  return {
    subscription,
    async connect(credentials, webhookUrl) {
      const { token } = credentials
      await subscription.subscribe(credentials)
      const { verifyToken } = readCloudAccess(token)
      if (webhookUrl !== null) await point(token, { override_callback_uri: webhookUrl, verify_token: verifyToken })
    },

    // The account may have other numbers that still need notifications: its subscription stays.
    async disconnect({ token }) {
      await point(token, { override_callback_uri: '' })
    },

    async inspect({ token }) {
      const path = `${readCloudAccess(token).phoneNumberId}?fields=webhook_configuration`
      const { webhook_configuration: webhook } = await ask(token, { path }, webhookFields)
      const url = webhook?.phone_number || webhook?.whatsapp_business_account || webhook?.application
      return { url: url || null, pending: null, lastError: null }
    },
  }
}

function createSending(
  ask: Ask,
  post: (token: string, chatId: string, content: object) => Promise<Sent>,
): Pick<WhatsappCloud, 'pace' | 'send' | 'showTyping'> {
  /** Marks the message as read, with the given extra fields. */
  const read = async (token: string, messageId: string, also: object) => {
    const body = { messaging_product: 'whatsapp', status: 'read', message_id: messageId, ...also }
    const call = { verb: 'POST', path: `${readCloudAccess(token).phoneNumberId}/messages`, body } as const
    await ask(token, call, done).catch(() => undefined)
  }
  return {
    // One message in six seconds to one customer, with bursts of up to 45.
    pace: { all: { count: 80, perMs: 1000 }, of: (chat) => ({ chat, pace: { count: 45, perMs: 270_000 } }) },
    send: ({ token }, chatId, source, _, { choices = [], isPlain = false } = {}) => {
      const text = sentText(source, isPlain ? null : 'whatsapp')
      return post(token, chatId, contentOf(text, choices))
    },

    async showTyping({ token }, _, messageId) {
      if (messageId) await read(token, messageId, { typing_indicator: { type: 'text' } })
    },
  }
}

/** The state of the number at Meta. */
function createNumber(ask: Ask): WhatsappCloud['number'] {
  return {
    async describe({ token }) {
      const fields = 'id,display_phone_number,verified_name,quality_rating,status'
      const number = await ask(token, { path: fieldsOf(token, fields) }, numberFields)
      return {
        phone: number.display_phone_number,
        verifiedName: number.verified_name,
        quality: number.quality_rating.toLowerCase(),
        status: number.status.toLowerCase(),
        messagingLimit: await messagingLimit(ask, token),
      }
    },

    async check({ token, webhookSecret }) {
      const { phoneNumberId, accessToken } = readCloudAccess(token)
      if (!(await isOfAccount(ask, token))) return 'number'
      const proof = createHmac('sha256', webhookSecret).update(accessToken).digest('hex')
      const path = `${phoneNumberId}?fields=id&appsecret_proof=${proof}`
      try {
        await ask(token, { path }, named)
        return null
      } catch (error) {
        if (error instanceof AdapterError && /appsecret_proof/.test(error.message)) return 'secret'
        throw error
      }
    },
  }
}

/** Whether the number is among those of its account. */
async function isOfAccount(ask: Ask, token: string): Promise<boolean> {
  const { accountId, phoneNumberId } = readCloudAccess(token)
  for await (const page of pagesOf(ask, token, `${accountId}/phone_numbers?fields=id`)) {
    if (page.some((one) => named.safeParse(one).data?.id === phoneNumberId)) return true
  }
  return false
}

function fieldsOf(token: string, fields: string): string {
  return `${readCloudAccess(token).phoneNumberId}?fields=${fields}`
}

/** Not every API version reports it for every number: the other facts are returned without it. */
async function messagingLimit(ask: Ask, token: string): Promise<string | null> {
  const path = fieldsOf(token, 'whatsapp_business_manager_messaging_limit')
  const answer = await ask(token, { path }, limit).catch(() => null)
  return answer?.whatsapp_business_manager_messaging_limit ?? null
}

async function sendMessage(ask: Ask, token: string, chatId: string, content: object): Promise<Sent> {
  const to = /^\d+$/.test(chatId) ? { to: chatId } : { recipient: chatId }
  const body = { messaging_product: 'whatsapp', recipient_type: 'individual', ...to, ...content }
  const call = { verb: 'POST', path: `${readCloudAccess(token).phoneNumberId}/messages`, body } as const
  const { messages } = await ask(token, call, posted)
  return { externalMessageId: messages[0]?.id ?? '' }
}

/** A text, with its choices below it: as buttons where they fit, else as a list. */
function contentOf(text: string, choices: string[]): object {
  if (choices.length === 0) return { type: 'text', text: { body: text, preview_url: false } }
  const fit =
    choices.length <= BUTTONS.count &&
    text.length <= BUTTONS.textLength &&
    choices.every(({ length }) => length <= BUTTONS.titleLength)
  const idOf = (choice: string) => CHOICE_PREFIX + choice
  const action = fit
    ? { buttons: choices.map((choice) => ({ type: 'reply', reply: { id: idOf(choice), title: choice } })) }
    : { button: LIST_LABEL, sections: [{ rows: choices.map((choice) => ({ id: idOf(choice), ...rowOf(choice) })) }] }
  return { type: 'interactive', interactive: { type: fit ? 'button' : 'list', body: { text }, action } }
}

/** A text too long for a title is repeated whole in the description. */
function rowOf(choice: string): { title: string; description?: string } {
  if (choice.length <= ROWS.titleLength) return { title: choice }
  const title = `${choice.slice(0, ROWS.titleLength - 1).trimEnd()}…`
  return { title, description: choice.slice(0, ROWS.descriptionLength) }
}
