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
 * Of an account that is somebody's phone, as the provider tells it; one that we do not know shows as `unknown`.
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

/** Whether nothing may be sent: what is written waits until the account is well again. */
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
/** As GREEN-API gives them out: digits, and letters with digits. */
export const INSTANCE_ID_PATTERN = /^\d{6,20}$/
export const INSTANCE_TOKEN_PATTERN = /^[A-Za-z0-9]{20,100}$/
/** Six digits at least, as people write them. Which number it is the server finds out, which knows the organization's country. */
export const PHONE_PATTERN = /^\s*\+?(?:[\s().-]*\d){6,18}[\s().-]*$/

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
/** What a person enters of a program. */
export const httpAddressInput = z.strictObject(httpAddress)
export const provisionHttpInput = z.strictObject({ agentId: id('agents'), ...httpAddress })
export const updateHttpInput = z.strictObject({ connectionId: id('channelConnections'), ...httpAddress })
/** `inbound`: by which the program signs what it posts to us; `outbound`: by which we sign what we post to it. */
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
  /** Telegram: the bot's username without @. WhatsApp: the phone number, digits only; the instance id until it is linked. HTTP: its name. Web chat: its title. Messengers: as their adapters say. */
  identifier: string
  /** WhatsApp: the instance id; through the Cloud API the id of the number. Telegram: the bot's id. HTTP: one of ours. Web chat: the public key in its addresses. Messengers: as the provider names the account. */
  externalAccountId: string
  /** HTTP: where events are posted, without what stands behind the path; null for other channels. */
  address: string | null
  status: ConnectionStatus
  /** Null for channels whose accounts are not phones. */
  accountState: AccountState | null
  /** When the provider last told or confirmed it. */
  accountStateAt: number | null
  /** Since when it is so, as far as we know. */
  accountStateSince: number | null
  /** `webhook` when the installation has a public https URL, else `polling`. */
  delivery: 'webhook' | 'polling'
  maskedToken: string
  lastError: string | null
  /** The latest twenty, newest first; most have passed. */
  errors: ConnectionFault[]
  /** When a delivery was last turned away, because what is known here is not what signs it; null: none was since one was taken. */
  turnedAwayAt: number | null
  /** Since when something has been wrong while it is on; null: nothing is. */
  failingSince: number | null
  lastHeartbeatAt: number | null
  lastInboundAt: number | null
  messagesProcessed: number
  linkedAt: number
  /** Of channels whose provider can be asked; null: it was never asked. */
  deliveryCheck: DeliveryCheck | null
  /** Web chat only, else null. */
  widget: WidgetSettings | null
  /** Telegram only, else null. */
  settings: ConnectionSettings | null
  /** Telegram only, one for each owner, in the order in which they became known; elsewhere empty. */
  businesses: BusinessAccount[]
}

/**
 * Somebody in whose name a bot answers their customers. `linkId`: by which they have connected it, at `since`; whoever connects it again
 * does so by another one. `isOn`: they have not taken it off. `mayReply`: they let it answer.
 */
export type BusinessAccount = {
  linkId: string
  ownerId: string
  ownerName: string
  isOn: boolean
  mayReply: boolean
  since: number
}

/** Something that was wrong with a connection since `at`, milliseconds. */
export type ConnectionFault = { at: number; text: string }

/** Where a provider delivers; null: it is asked instead. `isWhole` false: the secret part is left out for this caller. */
export type WebhookAddress = { url: string | null; isWhole: boolean }

/** What a provider said of its delivery to us at `at`. `isOurs`: it delivers where this installation listens. */
export type DeliveryCheck = {
  at: number
  isOurs: boolean
  /** Updates that wait to be delivered. */
  pending: number
  /** Its last failure to deliver, which may be over. */
  lastError: { at: number; text: string } | null
}

/** What stands between a person and a linked phone. */
export type WhatsappLink =
  | { kind: 'code'; png: string }
  /** `passkey`: the phone asks for one before it shows a code. */
  | { kind: 'linked' | 'starting' | 'passkey' }

/** Secrets of a new HTTP connection: the only time that they leave the server. */
export type HttpSecrets = { inbound: string; outbound: string }

/** `sent`: taken. `queued`: not taken, and tried again. `unknown`: it may have arrived. */
export type DeliveryOutcome = 'sent' | 'queued' | 'failed' | 'unknown'

/** One attempt to post an event to the program behind an HTTP connection. */
export type DeliveryAttempt = {
  _id: string
  at: number
  outcome: DeliveryOutcome
  /** Null: there was no answer. */
  httpStatus: number | null
  latencyMs: number
  /** Why it was not taken; null: it was. */
  reason: string | null
  /** Of its part, from 1. */
  attempt: number
  /** Null: a test, or the conversation is gone. */
  conversationId: Id<'conversations'> | null
  /** A part that is given up and can be sent again; null: there is nothing to send again. */
  resendId: Id<'outbox'> | null
}

/** How a connection is doing, beside what is known of it anyway. */
export type ConnectionHealth = {
  /** When the provider last took a message. */
  lastOutboundAt: number | null
  /** Parts that did not reach their customers, or of which it is not known, and that nobody has sent again. */
  undelivered: number
  /** Parts that wait to be sent. */
  waiting: number
  /** Notifications that were fetched after they had waited: while nobody asked, or while deliveries failed. */
  recovered: number
  /** Messages may never have come in between these instants, the last of them lately; null: none is known to be missing. */
  missed: { since: number; until: number } | null
  /** Notifications that were not understood, and are kept for a person to look at. */
  quarantined: number
  /** When the last of them came; null: none has. */
  quarantinedAt: number | null
  /** How long the provider lately waited for the answer to a delivery; null: it has not delivered. */
  webhookMs: number | null
  /** What the provider has not delivered yet; null: it does not tell. */
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
  /** What is kept of it, up to `QUARANTINE_TEXT_MAX` characters and then an ellipsis; null: there was nothing in it, or it was taken away with other old content or with its customer. */
  text: string | null
}

/**
 * credentials  the provider accepts them; the program behind an HTTP connection takes a test event
 * address      the provider delivers to the address of this connection
 * receiving    a notification posted to that address from outside was believed, understood and stored; of a polled connection: the
 *              provider has answered in the last two minutes
 * page         the page of a web chat opens
 * stream       a visitor of a web chat sees what changes while it changes: nothing on the way holds it back
 */
export type ConnectionCheck = {
  check: 'credentials' | 'address' | 'receiving' | 'page' | 'stream'
  /** `skipped`: there is nothing of the kind to look at. */
  outcome: 'passed' | 'failed' | 'skipped'
  /** What was told; null unless failed. */
  reason: string | null
  ms: number
}
