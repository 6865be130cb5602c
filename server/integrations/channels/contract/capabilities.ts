// Optional abilities of channels, one group for each: an adapter has the groups that its provider supports. All methods that call the
// provider may throw AdapterError.
import type { AccountState, WhatsappLink } from '#shared/channels/channels.ts'
import type { ChosenTemplate, MessageTemplate } from '#shared/channels/templates.ts'
import type { AdapterError } from './adapter-error.ts'
import type { Credentials, Sent } from './credentials.ts'

/** Updates in the form that `parse` reads, oldest first. `isAll`: there are no more. `failure`: the error that ended the reading early. */
export type Missed = { updates: unknown[]; isAll: boolean; failure?: AdapterError }

/** Polling for messages where none can be delivered. */
export interface Polling {
  /**
   * Waits up to `waitSeconds` (or the provider's minimum) for updates.
   *
   * @param offset receipt for everything polled before, which is stored: the provider forgets it. Null: nothing to confirm
   * @returns nextOffset is the receipt for these updates; null, or unchanged, when there are none. `isGap`: the provider no longer has all
   * updates after `offset`
   */
  poll(
    credentials: Credentials,
    offset: number | null,
    waitSeconds: number,
    signal: AbortSignal,
  ): Promise<{ updates: unknown[]; nextOffset: number | null; isGap?: true }>
  /**
   * The offset after the latest update, as `nextOffset`: polling from there misses nothing that follows. Read once, when a connection that
   * will be polled is created. Null: there is none. Left out where the provider keeps updates until they are polled. @throws AdapterError
   */
  beginPolling?(credentials: Credentials): Promise<number | null>
  /**
   * Reads by other means the updates since `since` (milliseconds) that a poll could no longer return, and perhaps known ones too. Left out
   * where there are no other means. @throws when `signal` aborts, its reason
   */
  readMissed?(credentials: Credentials, since: number, signal: AbortSignal): Promise<Missed>
}

/** Deliveries that hold several notifications, or data that must not be stored. */
export interface Envelope {
  /** Splits the body of one webhook request into bodies of one event each; an unknown body stays whole. Never throws. */
  split(body: unknown): unknown[]
  /** The account that such a body is about, where several share an address; null: unknown. Left out where each has its own. */
  accountOf?(body: unknown): string | null
}

/** A provider that verifies the address by posting to it, and checks the text of answers. */
export interface Callback {
  /**
   * The answer to a body that is a verification request; null: it is a delivery, or a request about another account. Called before
   * `verify`, and may call the provider. @throws AdapterError
   */
  answerQuestion(credentials: Credentials, body: unknown): Promise<string | null>
  /** The text that confirms a delivery to the provider. */
  readonly takenText: string
}

/** Names and subjects, where messages do not carry them. */
export interface Profiles {
  /**
   * Looks up the sender's name, where `parse` gives their id for a name; null: the provider does not say. Asked until there is an answer,
   * and then never again. @throws AdapterError
   */
  nameSender(
    credentials: Credentials,
    sender: { chatId: string; externalId: string },
    signal: AbortSignal,
  ): Promise<{ name: string; username: string | null } | null>
  /**
   * Looks up the subject of a chat, such as the ad under which it was started, in one line; null: none. Called with the first message of a
   * chat. Left out where chats have no subject. @throws AdapterError
   */
  chatSubject?(credentials: Credentials, chatId: string, signal: AbortSignal): Promise<string | null>
}

/**
 * The state of a provider's deliveries to us. `url`: where it delivers; null: nowhere, it is polled. `pending`: undelivered updates, null
 * where unknown. `lastError`: its last failure to deliver, which may be over. Instants in milliseconds.
 */
export type DeliveryReport = {
  url: string | null
  pending: number | null
  lastError: { at: number; text: string } | null
}

/** A provider that delivers an account's events only while the account is subscribed, independently of the address. */
export interface Subscription {
  /** Whether the account is subscribed, as the provider reports it; `connect` subscribes it, and may be refused. */
  isSubscribed(credentials: Credentials): Promise<boolean>
  /** Subscribes the account, and does nothing else of what `connect` does. Throws as `connect` */
  subscribe(credentials: Credentials): Promise<void>
}

/** A request as the provider would make it. */
export type Probe = { headers: Record<string, string>; body: unknown }

/** A text that a provider has accepted is in its log after this time at the latest. */
export const ACCEPTED_IS_LOGGED_MS = 3 * 60_000

/** A text of ours that the provider has accepted. */
export type TakenText = { externalMessageId: string; chatId: string; text: string }

/**
 * How a send with an unknown outcome is resolved: the provider lists the texts that it has accepted since `since` (milliseconds), of the
 * whole account or of one chat at a time; or everything that the account sends comes back as a `humanReply` that `mayBeOurs`. A text
 * accepted less than `ACCEPTED_IS_LOGGED_MS` ago may be missing. The lists throw AdapterError, `permanent` where this chat cannot be listed;
 * when `signal` aborts, its reason.
 */
export type SendLog =
  | { of: 'account'; list(credentials: Credentials, since: number, signal?: AbortSignal): Promise<TakenText[]> }
  | {
      of: 'chat'
      list(credentials: Credentials, chatId: string, since: number, signal?: AbortSignal): Promise<TakenText[]>
    }
  | { of: 'echoes' }

/** Choices that customers press. A choice has at most CHOICE_MAX_BYTES. */
export interface Buttons {
  /** A rating question has its scores as buttons, whose presses name it (`rating` of `Inbound`); elsewhere customers type a number. */
  readonly hasScores?: true
  /**
   * Confirms a press to the provider, and shows the customer its result. `text` null: there is nothing to show. Left out where a press is
   * a message like any other, without `pressed`. Best effort, never throws.
   */
  answerPress?(credentials: Credentials, answerId: string, text: string | null): Promise<void>
}

/** How a channel differs from others in handling messages; all fields are left out by an ordinary channel. */
export type ChannelTraits = {
  /** `verify` reads only the headers: a request is rejected before its body is read. Left out where the body is signed. */
  isVerifiedByHeaders?: true
  /**
   * The recipient's side shows a part repeated with the same `partId` only once, for this many milliseconds after the first attempt. Within
   * that time a part with an unknown outcome is sent again instead of being left unknown.
   */
  dropsRepeatsForMs?: number
  /** Customers see exactly what is recorded as sent: a part whose sending was interrupted has definitely not arrived. */
  showsOnlyRecorded?: true
  /** An answer can be shown while it is being generated. */
  showsDrafts?: true
  /** Customers have several ids, of which a message may name some; any of them may name a private chat. */
  hasAliases?: true
  /** The other side is a program of the organization's own: every attempt is logged for its developers. */
  logsAttempts?: true
  /** Left out: the provider never reports on a message after accepting it, and `parse` makes no receipts. */
  tellsReceipts?: true
  /** "Typing" is shown below a message of the customer, and marks that message as read. */
  typesBelowMessage?: true
}

/** At most `count` messages in any `perMs` milliseconds. */
export type Pace = { count: number; perMs: number }
/** Limits of one connection: for all its messages, and for those to the chat of an address; several addresses may share a chat. */
export type ChannelPace = { all: Pace; of(chatId: string): { chat: string; pace: Pace } }

/** Texts with placeholders, which the provider has approved. All may throw AdapterError. */
export interface MessageTemplates {
  /** Templates that may be sent and need only texts as parameters. */
  list(credentials: Credentials): Promise<MessageTemplate[]>
  /** `partId` as for a text. */
  send(credentials: Credentials, chatId: string, template: ChosenTemplate, partId: string): Promise<Sent>
}

/** An account on a person's phone: it has to be linked, and can lose its link or its right to send. All may throw AdapterError. */
export interface LinkedAccount {
  /** `identifier`: what people call the account, such as its number; null while it is not linked. */
  describe(credentials: Credentials): Promise<{ state: AccountState; identifier: string | null }>
  /** A picture to be scanned with the phone: a PNG as base64. `linked`: there is nothing to scan. `starting`: ask again later. */
  qr(credentials: Credentials): Promise<WhatsappLink>
  /** A code to be typed on the phone instead. @param phone digits only */
  phoneCode(credentials: Credentials, phone: string): Promise<string>
  reboot(credentials: Credentials): Promise<void>
  /** Unlinks the phone. */
  unlink(credentials: Credentials): Promise<void>
}
