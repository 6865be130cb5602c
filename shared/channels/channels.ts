// Channels and their connections.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { HTTP_NAME_MAX, HTTP_URL_MAX, TELEGRAM_TEXT_MAX, WHATSAPP_TEST_TEXT_MAX } from '#shared/limits.ts'
import { id } from '#shared/schema.ts'
import type { ConnectionSettings } from './connection-settings.ts'
import type { ConnectedChannel } from './manifests.ts'
import type { WidgetSettings } from './webchat.ts'

/** Channels that a customer may write through; `test` is the test chat, which never leaves Parley. */
export type Channel = ConnectedChannel | 'test'

/** `used`: live connections that take a slot; more than `allowed` after a change of plans. `allowed` null: unlimited. */
export type ChannelSlots = { used: number; allowed: number | null }

export type ConnectionStatus = 'connected' | 'disconnected' | 'error' | 'pending'

/**
 * State of an account that belongs to a phone, as reported by the provider; unknown values show as `unknown`.
 *
 *   notAuthorized ──scan──► authorized ◄──► sleepMode     the phone is off; messages leave all the same
 *        ▲                    │  ▲
 *        └──logged out────────┤  └── starting             after a restart, for up to five minutes
 *                             └────► yellowCard, suspended, blocked   WhatsApp restricts the account
 *   pendingPassword                  the link waits for the account's second password
 */
export const ACCOUNT_STATES = [
  'authorized',
  'notAuthorized',
  'starting',
  'sleepMode',
  'yellowCard',
  'suspended',
  'blocked',
  'pendingPassword',
  'unknown',
] as const
export type AccountState = (typeof ACCOUNT_STATES)[number]

/** Whether nothing may be sent: messages wait until the account recovers. */
export function isFrozen(state: AccountState | null): boolean {
  return state !== null && state !== 'authorized' && state !== 'sleepMode'
}

export const BOT_TOKEN_PATTERN = /^\d{5,}:[A-Za-z0-9_-]{20,}$/

export const provisionTelegramInput = z.strictObject({
  agentId: id('agents'),
  botToken: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
})
export const rotateTelegramInput = z.strictObject({
  connectionId: id('channelConnections'),
  botToken: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
})
/** The number of a chat, as Telegram gives it; negative for a group. */
export const TELEGRAM_CHAT_PATTERN = /^-?\d{1,15}$/
export const testTelegramInput = z.strictObject({
  connectionId: id('channelConnections'),
  chatId: z.string().check(z.trim(), z.regex(TELEGRAM_CHAT_PATTERN)),
  text: z.string().check(z.trim(), z.minLength(1), z.maxLength(TELEGRAM_TEXT_MAX)),
})
/** Format of GREEN-API's ids: digits, or letters with digits. */
export const INSTANCE_ID_PATTERN = /^\d{6,20}$/
export const INSTANCE_TOKEN_PATTERN = /^[A-Za-z0-9]{20,100}$/
/**
 * At least six digits, as people write and copy them, with a label or the address of a chat. The server resolves the number, since it knows
 * the organization's country.
 */
export const PHONE_PATTERN =
  /^\s*(?:(?:tel|тел|моб|whatsapp)[.:\s]*|(?:https?:\/\/)?(?:wa\.me\/|api\.whatsapp\.com\/send\/?\?phone=))?(?:[^\p{L}\p{Nd}]*\p{Nd}){6,18}[^\p{L}\p{Nd}]*(?:@c\.us|@s\.whatsapp\.net)?$/iu

const phone = z.string().check(z.regex(PHONE_PATTERN))

export const provisionWhatsappInput = z.strictObject({
  agentId: id('agents'),
  idInstance: z.string().check(z.trim(), z.minLength(1), z.maxLength(50)),
  apiToken: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
  /** The instance's own host, from the provider's console; by default the one of this installation. */
  apiUrl: z.optional(z.string().check(z.trim(), z.maxLength(200))),
  /** The host of its files; by default the one that belongs to `apiUrl`. */
  mediaUrl: z.optional(z.string().check(z.trim(), z.maxLength(200))),
})
export const rotateWhatsappInput = z.strictObject({
  connectionId: id('channelConnections'),
  apiToken: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
})
export const whatsappPhoneCodeInput = z.strictObject({ connectionId: id('channelConnections'), phone })
export const whatsappTestInput = z.strictObject({
  connectionId: id('channelConnections'),
  phone,
  text: z.string().check(z.trim(), z.minLength(1), z.maxLength(WHATSAPP_TEST_TEXT_MAX)),
})
/** http(s), without a name and a password in it. */
const HTTP_URL_PATTERN = /^https?:\/\/(?![^/?#]*@)[^\s/?#]+\S*$/i

const httpAddress = {
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(HTTP_NAME_MAX)),
  url: z.string().check(
    z.trim(),
    z.maxLength(HTTP_URL_MAX),
    z.regex(HTTP_URL_PATTERN),
    z.refine((url) => URL.canParse(url)),
  ),
}
/** Input for an HTTP connection. */
export const httpAddressInput = z.strictObject(httpAddress)
export const provisionHttpInput = z.strictObject({ agentId: id('agents'), ...httpAddress })
export const updateHttpInput = z.strictObject({ connectionId: id('channelConnections'), ...httpAddress })
/** `inbound`: the secret that signs what the program posts to us; `outbound`: the one that signs what we post to it. */
export const rotateHttpSecretInput = z.strictObject({
  connectionId: id('channelConnections'),
  direction: z.enum(['inbound', 'outbound']),
})
export const connectionInput = z.strictObject({ connectionId: id('channelConnections') })
export const listConnectionsInput = z.strictObject({ agentId: z.optional(id('agents')) })

/** A connection as a client sees it. Secrets never leave the server; the token shows as its last four characters. */
export type ChannelConnection = {
  _id: Id<'channelConnections'>
  agentId: Id<'agents'>
  channel: ConnectedChannel
  /**
   * Telegram: the bot's username without @. WhatsApp: the phone number, digits only; the instance id until it is linked. HTTP: its name.
   * Web chat: its title. Messengers: defined by their adapters.
   */
  identifier: string
  /**
   * WhatsApp: the instance id; through the Cloud API the id of the number. Telegram: the bot's id. HTTP: one of ours. Web chat: the public
   * key in its addresses. Messengers: the provider's id of the account.
   */
  externalAccountId: string
  /** HTTP: where events are posted, without what follows the path; null for other channels. */
  address: string | null
  status: ConnectionStatus
  /** Null for channels whose accounts are not phones. */
  accountState: AccountState | null
  /** When the provider last reported or confirmed it. */
  accountStateAt: number | null
  /** Since when, as far as known. */
  accountStateSince: number | null
  /** `webhook` when the installation has a public https URL, else `polling`. */
  delivery: 'webhook' | 'polling'
  maskedToken: string
  lastError: string | null
  /** The latest twenty, newest first; most have passed. */
  errors: ConnectionFault[]
  /** When a delivery was last rejected because its signature does not match the stored secret; null: none since the last accepted one. */
  signatureRejectedAt: number | null
  /** Since when it has had an error while enabled; null: no error. */
  failingSince: number | null
  lastHeartbeatAt: number | null
  lastInboundAt: number | null
  messagesProcessed: number
  linkedAt: number
  /** For channels whose provider can be queried; null: never queried. */
  deliveryCheck: DeliveryCheck | null
  /** Web chat only, else null. */
  widget: WidgetSettings | null
  /** Telegram only, else null. */
  settings: ConnectionSettings | null
  /** Telegram only, one for each owner, in the order in which they became known; elsewhere empty. */
  businesses: BusinessAccount[]
}

/**
 * A person on whose behalf a bot answers their customers. `linkId`: the id of their connection to it, made at `since`; reconnecting creates
 * another one. `isOn`: they have not removed it. `mayReply`: they let it answer.
 */
export type BusinessAccount = {
  linkId: string
  ownerId: string
  ownerName: string
  isOn: boolean
  mayReply: boolean
  since: number
}

/** An error of a connection, first seen at `at`, milliseconds. */
export type ConnectionFault = { at: number; text: string }

/** Where a provider delivers; null: it is polled instead. `isWhole` false: the secret part is hidden from this caller. */
export type WebhookAddress = { url: string | null; isWhole: boolean }

/** A provider's report on its deliveries to us at `at`. `isOurs`: it delivers to this installation. */
export type DeliveryCheck = {
  at: number
  isOurs: boolean
  /** Updates that wait to be delivered. */
  pending: number
  /** Its last failure to deliver, which may be over. */
  lastError: { at: number; text: string } | null
}

/** The steps on the way to a linked phone. */
export type WhatsappLink =
  | { kind: 'code'; png: string }
  /** `passkey`: the phone asks for one before it shows a code. */
  | { kind: 'linked' | 'starting' | 'passkey' }

/** Secrets of a new HTTP connection: the only time that they leave the server. */
export type HttpSecrets = { inbound: string; outbound: string }

/** `sent`: accepted. `queued`: not accepted, will be retried. `unknown`: it may have been delivered. */
export type DeliveryOutcome = 'sent' | 'queued' | 'failed' | 'unknown'

/** One attempt to post an event to the program behind an HTTP connection. */
export type DeliveryAttempt = {
  _id: string
  at: number
  outcome: DeliveryOutcome
  /** Null: there was no answer. */
  httpStatus: number | null
  latencyMs: number
  /** Why it was not accepted; null: it was. */
  reason: string | null
  /** Of its part, from 1. */
  attempt: number
  /** Null: a test, or the conversation is gone. */
  conversationId: Id<'conversations'> | null
  /** A failed part that can be resent; null: nothing to resend. */
  resendId: Id<'outbox'> | null
}

/** Health of a connection, in addition to its own fields. */
export type ConnectionHealth = {
  /** When the provider last took a message. */
  lastOutboundAt: number | null
  /** Parts that did not reach their customers, or may not have, and that were not resent. */
  undelivered: number
  /** Parts that wait to be sent. */
  waiting: number
  /** Notifications that were fetched late: because polling had stopped, or because deliveries failed. */
  recovered: number
  /** The period in which messages may have been lost; null: none is known to be. */
  missed: { since: number; until: number } | null
  /** Notifications that were not understood and are kept for inspection. */
  quarantined: number
  /** When the last of them came; null: none has. */
  quarantinedAt: number | null
  /** How long the provider lately waited for the answer to a delivery; null: it has not delivered. */
  webhookMs: number | null
  /** Updates that the provider has not delivered yet; null: not reported. */
  pendingUpdates: number | null
  /** Why the provider's last delivery failed; null: it did not. */
  providerError: string | null
  /** Visitors who have the web chat open now; null for other channels. */
  openStreams: number | null
  /** The site that was last not allowed to show the web chat, as it would be listed; null: none since the list was last saved. */
  refusedSite: { site: string; at: number } | null
}

/** A notification that was not understood. */
export type QuarantinedNotification = {
  _id: string
  at: number
  /**
   * Its stored content, up to `QUARANTINE_TEXT_MAX` characters and then an ellipsis; null: it was empty, or was removed by retention or
   * with its customer.
   */
  text: string | null
}

/**
 * credentials  the provider accepts them; the program behind an HTTP connection takes a test event
 * address      the provider delivers to the address of this connection
 * receiving    a notification posted to that address from outside was accepted, parsed and stored; of a polled connection: the
 *              provider has answered in the last two minutes
 * page         the page of a web chat opens
 * stream       a visitor of a web chat receives changes as they happen: no proxy on the way buffers them
 */
export type ConnectionCheck = {
  check: 'credentials' | 'address' | 'receiving' | 'page' | 'stream'
  /** `skipped`: not applicable. */
  outcome: 'passed' | 'failed' | 'skipped'
  /** The reported reason; null unless failed. */
  reason: string | null
  ms: number
}
