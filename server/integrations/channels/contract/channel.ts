// The contract of a channel: everything the product knows of Telegram, WhatsApp and the like passes through it.
// An adapter is handed credentials; it knows no table, no organization and no agent.
import type { AccountState, WhatsappLink } from '#shared/channels/channels.ts'
import type { Markup } from '#shared/channels/manifest.ts'
import type { MessengerChannel } from '#shared/channels/manifests.ts'
import type { ChosenTemplate, MessageTemplate } from '#shared/channels/templates.ts'
import type { ChannelMedia } from './channel.media.ts'
import type { Credentials, Sent } from './credentials.ts'
import type { Entered, MadeCredentials } from './entered.ts'
import type { Inbound } from './inbound.ts'
import type { CloudNumber, InstancePartner, NumberKeeping } from './whatsapp-numbers.ts'

/**
 * unauthorized      the credentials are refused
 * blocked           this customer cannot be written to
 * rate_limited      too much at once; `retryAfterMs` says how long to wait
 * out_of_window     the customer has been silent for too long to be written to in free words; surely not sent
 * suspended         the account may not send for the time being; surely not sent
 * conflict          somebody else takes what is delivered to this account
 * temporary         surely not sent, and may be tried again
 * permanent         refused for good
 * unknown_outcome   the bytes may have left, and no answer came back
 */
export type AdapterErrorKind =
  | 'unauthorized'
  | 'blocked'
  | 'rate_limited'
  | 'out_of_window'
  | 'suspended'
  | 'conflict'
  | 'temporary'
  | 'permanent'
  | 'unknown_outcome'

/** The only error an adapter throws. Its message holds no secret. */
export class AdapterError extends Error {
  readonly kind: AdapterErrorKind
  readonly retryAfterMs: number | null
  /** The HTTP status of a refusal, where people are shown it. */
  readonly status: number | null
  constructor(
    kind: AdapterErrorKind,
    message: string,
    retryAfterMs: number | null = null,
    status: number | null = null,
  ) {
    super(message)
    this.name = 'AdapterError'
    this.kind = kind
    this.retryAfterMs = retryAfterMs
    this.status = status
  }
}

/** A text that a provider has taken is among `listTaken` after this time at the latest. */
export const TAKEN_IS_TOLD_MS = 3 * 60_000

/** A text that the provider has taken from us. */
export type TakenText = { externalMessageId: string; chatId: string; text: string }

/**
 * How a text is meant. `isPlain`: a person typed it; otherwise it is Markdown. `choices`: buttons below it, each of which says what
 * stands on it; only to a channel that has buttons. `ratingId`: they are the scores of a question for a rating, by which presses name it.
 */
export type Manner = { isPlain?: boolean; choices?: string[]; ratingId?: string }

/**
 * How a provider's deliveries to us go. `url`: where it delivers; null: nowhere, it is asked. `pending`: what it has not delivered yet,
 * null where it does not tell. `lastError`: its last failure to deliver, which may be over. Instants in milliseconds.
 */
export type DeliveryReport = {
  url: string | null
  pending: number | null
  lastError: { at: number; text: string } | null
}

/** A command that customers are offered, without the slash, and what it is for in each language. */
export type OfferedCommand = { command: string; description: { ru: string; en: string } }

/** A request as the provider would make it. */
export type Probe = { headers: Record<string, string>; body: unknown }

/** Updates as `parse` understands them, oldest first. `isAll`: there are no more. `failure`: what has broken the reading off. */
export type Missed = { updates: unknown[]; isAll: boolean; failure?: AdapterError }

export interface ChannelAdapter {
  /** Checks the credentials with the provider. `state`: of an account that is a phone, else null. @throws AdapterError */
  identify(token: string): Promise<{ externalAccountId: string; identifier: string; state: AccountState | null }>
  /** Makes the provider deliver to `webhookUrl`, or, when null, be ready to be polled. Never drops pending updates. */
  connect(credentials: Credentials, webhookUrl: string | null): Promise<void>
  /**
   * Stops delivery. What other programs have the provider deliver to them goes on. `webhookUrl`: where was delivered, unless the public
   * address has changed since; null: not known any more.
   */
  disconnect(credentials: Credentials, webhookUrl: string | null): Promise<void>
  /** `verify` looks at the headers alone: a request is turned away before its body is read. Left out where the body is signed. */
  readonly isVerifiedByHeaders?: true
  /** Whether a webhook request carries this connection's secret, or a signature by it over `body`. Constant time. */
  verify(credentials: Credentials, headers: Headers, body: string): boolean
  /**
   * Takes the body of one webhook request apart into bodies that tell one thing each; what is not understood stays whole. Left out by a
   * channel that delivers one at a time. Never throws.
   */
  split?(body: unknown): unknown[]
  /**
   * What a provider is answered that asks, before it delivers, whether the address wants that; null: it does not know the connection.
   * Constant time. Left out where nobody asks.
   */
  answerHandshake?(credentials: Credentials, query: URLSearchParams): string | null
  /**
   * The same for a provider that asks by posting: what a body is answered that is no delivery but such a question; null: it is a delivery,
   * or a question about another account. It is asked before `verify`, and may ask the provider. @throws AdapterError
   */
  answerQuestion?(credentials: Credentials, body: unknown): Promise<string | null>
  /** The text by which the provider knows that a delivery was taken; left out where the status is enough. */
  readonly takenText?: string
  /** Whose account such a body is about, where several share an address; null: it does not tell. Left out where each has its own. */
  accountOf?(body: unknown): string | null
  /** Understands the body of one webhook request, or one piece of it, or one polled update. Never throws. */
  parse(body: unknown, credentials: Credentials): Inbound
  /**
   * Asks what somebody who writes is called, where messages do not tell it and `parse` gives their id for a name; null: the provider does
   * not say. Asked until there is an answer, and then never again. Left out where messages tell. @throws AdapterError
   */
  nameSender?(
    credentials: Credentials,
    sender: { chatId: string; externalId: string },
    signal: AbortSignal,
  ): Promise<{ name: string; username: string | null } | null>
  /**
   * Asks what a chat is about, such as the ad under which it was begun, in one line; null: nothing. Asked when the first message of a chat
   * comes. Left out by a channel whose chats are about nothing. @throws AdapterError
   */
  chatSubject?(credentials: Credentials, chatId: string, signal: AbortSignal): Promise<string | null>
  /**
   * Waits up to `waitSeconds` (or the least that the provider knows) for updates. Left out by a channel that can only deliver.
   *
   * @param offset receipt for everything polled before, which is stored: the provider forgets it. Null: nothing to confirm
   * @returns nextOffset is the receipt for these updates; null, or what it was, when there are none. `isGap`: the provider does not keep all
   * that came after `offset` any more
   */
  poll?(
    credentials: Credentials,
    offset: number | null,
    waitSeconds: number,
    signal: AbortSignal,
  ): Promise<{ updates: unknown[]; nextOffset: number | null; isGap?: true }>
  /**
   * The place behind what was said until now, as `nextOffset`: whoever polls from there misses nothing that comes. Asked once a connection is
   * made that will be polled. Null: there is none. Left out where the provider keeps what nobody has asked for. @throws AdapterError
   */
  beginPolling?(credentials: Credentials): Promise<number | null>
  /**
   * Reads in another way what a poll could not tell any more since `since` (milliseconds), and perhaps what is known already. Left out where
   * there is no other way. @throws when `signal` aborts, its reason
   */
  readMissed?(credentials: Credentials, since: number, signal: AbortSignal): Promise<Missed>
  /**
   * Renews what the connection is allowed in with, where that has a time to live; null: it is not time yet. `tail`: as a person would have
   * entered it. Left out where nothing runs out by itself. @throws AdapterError, and nothing has changed
   */
  renewAccess?(credentials: Credentials, now: number): Promise<{ token: string; tail: string } | null>
  /** Asks how deliveries go. Left out where nobody can be asked. @throws AdapterError */
  inspect?(credentials: Credentials): Promise<DeliveryReport>
  /**
   * Whether the provider tells of the account at all, as it says when it is asked; `connect` makes it so, and may be refused. Left out
   * where `inspect` tells, or where it goes without saying. @throws AdapterError
   */
  isSubscribed?(credentials: Credentials): Promise<boolean>
  /** Makes it so that it tells, and nothing else of what `connect` does; left out where that is all. Throws as `connect` */
  subscribe?(credentials: Credentials): Promise<void>
  /**
   * A notification that the provider never sends, and that means nothing: whoever tries the webhook out posts it, and `parse` takes it as
   * ignored under the key that `parse` gives it. `nonce`: a positive number that is used once. Left out where nothing is delivered.
   */
  probe?(credentials: Credentials, nonce: number): Probe
  /** Tells the provider which commands customers are offered, instead of those before. Left out where none are. @throws AdapterError */
  setCommands?(credentials: Credentials, commands: OfferedCommand[]): Promise<void>
  /** Sends one part. `partId` is the same whenever the same part is sent again. @throws AdapterError */
  send(credentials: Credentials, chatId: string, text: string, partId: string, manner?: Manner): Promise<Sent>
  /**
   * Texts that the provider has taken from us since `since` (milliseconds), as it tells when it is asked: by them the outcome of a send is
   * found out that is unknown. One that it took a moment ago, less than `TAKEN_IS_TOLD_MS`, may be missing. Left out where nobody can be
   * asked. @throws AdapterError; when `signal` aborts, its reason
   */
  listTaken?(credentials: Credentials, since: number, signal?: AbortSignal): Promise<TakenText[]>
  /** The same of a provider that is asked about each chat by itself. Throws as `listTaken`; `permanent`: it does not tell of this chat. */
  listTakenIn?(credentials: Credentials, chatId: string, since: number, signal?: AbortSignal): Promise<TakenText[]>
  /**
   * Tells the provider that a press was taken, and the customer what came of it. `text` null: nothing is to be told. Left out where a
   * press is a message like any other, without `pressed`. Best effort, never throws.
   */
  answerPress?(credentials: Credentials, answerId: string, text: string | null): Promise<void>
  /**
   * Shows "typing" where the channel can. Best effort, never throws.
   *
   * @param messageId the customer's last message, by the provider's id, for a channel that `typesBelowMessage`; null: none is known
   */
  showTyping(credentials: Credentials, chatId: string, messageId?: string | null): Promise<void>
  /**
   * Whoever receives shows a part that comes again with the same `partId` only once. What may have arrived is then sent again instead
   * of being left unknown.
   */
  readonly dropsRepeats?: true
  /** For how long after the first of them, milliseconds: what comes later is shown as new. Left out: always. */
  readonly dropsRepeatsForMs?: number
  /** All that the account sends is told as a `humanReply` that `mayBeOurs`: that settles what became of a send. */
  readonly echoesSends?: true
  /** Customers are shown what stands recorded as sent, and nothing else: a part whose sending was interrupted has surely not arrived. */
  readonly showsOnlyRecorded?: true
  /** Customers can be given choices to press; elsewhere they are listed by number. A choice has at most CHOICE_MAX_BYTES. */
  readonly hasButtons?: true
  /** A question for a rating has its scores as buttons, whose presses name it (`rating` of `Inbound`); elsewhere customers type a number. */
  readonly hasScoreButtons?: true
  /** What becomes of Markdown; `sentText` of server/platform/lib/text/sent-text.ts says which text that is. A text that `isPlain` goes as it is. */
  readonly markup: Markup
  /** Customers are known by several ids, of which a message may name some; a private chat goes by any of them. */
  readonly hasAliases?: true
  /** Customers can be shown an answer while it is being written. */
  readonly showsDrafts?: true
  /** The other side is a program of the organization's own: every attempt is written down for whoever runs it. */
  readonly logsAttempts?: true
  /** Left out: what becomes of a message after it was taken is never told, and `parse` makes no receipts. */
  readonly tellsReceipts?: true
  /** "Typing" is shown below a message of the customer, which it shows as read. */
  readonly typesBelowMessage?: true
  /**
   * For how long after a customer's last message they may be written to in free words, milliseconds; only a template may be sent later.
   * Its manifest says the same. Left out: always.
   */
  readonly replyWindowMs?: number
  /** Texts that may be sent at any time. Left out by a channel that has none. */
  readonly templates?: MessageTemplates
  /** How fast the provider takes messages before it refuses them. Left out: it does not mind, or keeps them apart by itself. */
  readonly pace?: ChannelPace
  /** Longest text of one part, UTF-16 units. Its manifest says the same. */
  readonly maxTextLength: number
  /** The same in bytes of UTF-8, where the provider counts those: a text of other letters than English ones is shorter. */
  readonly maxTextBytes?: number
  /** Null for a channel whose accounts are nothing but credentials. */
  readonly account: LinkedAccount | null
  /** Left out by a channel through which no files go. */
  readonly media?: ChannelMedia
}

/** At most `count` messages in any `perMs` milliseconds. */
export type Pace = { count: number; perMs: number }
/** Of one connection: of all its messages, and of those to the chat behind an address, which may be one for several addresses. */
export type ChannelPace = { all: Pace; of(chatId: string): { chat: string; pace: Pace } }

/** Texts with places for words, which the provider has approved. All may throw AdapterError. */
export interface MessageTemplates {
  /** Those that may be sent, and need nothing but words. */
  list(credentials: Credentials): Promise<MessageTemplate[]>
  /** `partId` as for a text. */
  send(credentials: Credentials, chatId: string, template: ChosenTemplate, partId: string): Promise<Sent>
}

/** An account that is somebody's phone: it has to be linked, and can lose its link or its right to send. All may throw AdapterError. */
export interface LinkedAccount {
  /** `identifier`: what people call the account, such as its number; null while it is not linked. */
  describe(credentials: Credentials): Promise<{ state: AccountState; identifier: string | null }>
  /** A picture to be scanned with the phone: a PNG as base64. `linked`: there is nothing to scan. `starting`: ask again later. */
  qr(credentials: Credentials): Promise<WhatsappLink>
  /** A code to be typed on the phone instead. @param phone digits only */
  phoneCode(credentials: Credentials, phone: string): Promise<string>
  reboot(credentials: Credentials): Promise<void>
  /** Takes the phone off. */
  unlink(credentials: Credentials): Promise<void>
}

/** A channel that is asked where nothing can be delivered. */
export type PolledChannel = ChannelAdapter & Required<Pick<ChannelAdapter, 'poll'>>

/** Channel name → adapter. A new channel is a folder and a line in the map in app.ts. */
export type Channels = {
  telegram: PolledChannel
  whatsapp: PolledChannel & {
    account: LinkedAccount
    number: NumberKeeping
    /** Null: none is configured. */
    partner: InstancePartner | null
  }
  whatsappCloud: ChannelAdapter &
    Required<Pick<ChannelAdapter, 'templates' | 'probe' | 'inspect' | 'isSubscribed' | 'subscribe'>> & {
      number: CloudNumber
    }
  max: EnteredChannel & PolledChannel
  vk: EnteredChannel & PolledChannel & Required<Pick<ChannelAdapter, 'answerQuestion' | 'takenText' | 'readMissed'>>
  avito: EnteredChannel
  http: ChannelAdapter & { test(credentials: Credentials): Promise<{ status: number }> }
  webchat: ChannelAdapter & Required<Pick<ChannelAdapter, 'probe'>>
} & Record<MessengerChannel, EnteredChannel>

/** A messenger: its accounts are connected by what a person copies from the provider's own pages. */
export type EnteredChannel = ChannelAdapter & {
  credentialsFrom(entered: Entered): MadeCredentials
  /** The credentials with what was entered instead; what was not entered stays, and `tail` is left out when no other secret was. */
  withEntered(token: string, entered: Entered): Omit<MadeCredentials, 'tail'> & { tail?: string }
  /** What a person enters together with the address so that the provider delivers; left out where it learns the address itself. */
  verifyToken?(token: string): string
}
