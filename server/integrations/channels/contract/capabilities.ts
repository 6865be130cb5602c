// What only some channels can do, one group for each ability: an adapter has the groups of what its provider offers. All that ask a
// provider may throw AdapterError.
import type { AccountState, WhatsappLink } from '#shared/channels/channels.ts'
import type { ChosenTemplate, MessageTemplate } from '#shared/channels/templates.ts'
import type { AdapterError } from './adapter-error.ts'
import type { Credentials, Sent } from './credentials.ts'

/** Updates as `parse` understands them, oldest first. `isAll`: there are no more. `failure`: what has broken the reading off. */
export type Missed = { updates: unknown[]; isAll: boolean; failure?: AdapterError }

/** Being asked for messages where none can be delivered. */
export interface Polling {
  /**
   * Waits up to `waitSeconds` (or the least that the provider knows) for updates.
   *
   * @param offset receipt for everything polled before, which is stored: the provider forgets it. Null: nothing to confirm
   * @returns nextOffset is the receipt for these updates; null, or what it was, when there are none. `isGap`: the provider does not keep all
   * that came after `offset` any more
   */
  poll(
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
}

/** Deliveries that hold several notifications, or something that may not be kept. */
export interface Envelope {
  /** Takes the body of one webhook request apart into bodies that tell one thing each; what is not understood stays whole. Never throws. */
  split(body: unknown): unknown[]
  /** Whose account such a body is about, where several share an address; null: it does not tell. Left out where each has its own. */
  accountOf?(body: unknown): string | null
}

/** A provider that asks by posting, and looks at the text of an answer. */
export interface Callback {
  /**
   * What a body is answered that is no delivery but a question; null: it is a delivery, or a question about another account. It is asked
   * before `verify`, and may ask the provider. @throws AdapterError
   */
  answerQuestion(credentials: Credentials, body: unknown): Promise<string | null>
  /** The text by which the provider knows that a delivery was taken. */
  readonly takenText: string
}

/** Names and subjects, where messages do not tell them. */
export interface Profiles {
  /**
   * Asks what somebody who writes is called, where `parse` gives their id for a name; null: the provider does not say. Asked until there is
   * an answer, and then never again. @throws AdapterError
   */
  nameSender(
    credentials: Credentials,
    sender: { chatId: string; externalId: string },
    signal: AbortSignal,
  ): Promise<{ name: string; username: string | null } | null>
  /**
   * Asks what a chat is about, such as the ad under which it was begun, in one line; null: nothing. Asked when the first message of a chat
   * comes. Left out where chats are about nothing. @throws AdapterError
   */
  chatSubject?(credentials: Credentials, chatId: string, signal: AbortSignal): Promise<string | null>
}

/**
 * How a provider's deliveries to us go. `url`: where it delivers; null: nowhere, it is asked. `pending`: what it has not delivered yet,
 * null where it does not tell. `lastError`: its last failure to deliver, which may be over. Instants in milliseconds.
 */
export type DeliveryReport = {
  url: string | null
  pending: number | null
  lastError: { at: number; text: string } | null
}

/** A provider that tells of an account only while it is asked to, whatever the address is. */
export interface Subscription {
  /** Whether it tells of the account at all, as it says when it is asked; `connect` makes it so, and may be refused. */
  isSubscribed(credentials: Credentials): Promise<boolean>
  /** Makes it so that it tells, and nothing else of what `connect` does. Throws as `connect` */
  subscribe(credentials: Credentials): Promise<void>
}

/** A request as the provider would make it. */
export type Probe = { headers: Record<string, string>; body: unknown }

/** A text that a provider has taken is in its log after this time at the latest. */
export const TAKEN_IS_TOLD_MS = 3 * 60_000

/** A text that the provider has taken from us. */
export type TakenText = { externalMessageId: string; chatId: string; text: string }

/**
 * How it is found out what became of a send whose outcome is unknown: the provider lists the texts that it has taken since `since`
 * (milliseconds), of the whole account or of one chat at a time; or all that the account sends comes as a `humanReply` that `mayBeOurs`.
 * A text taken a moment ago, less than `TAKEN_IS_TOLD_MS`, may be missing. The lists throw AdapterError, `permanent` where it does not tell
 * of this chat; when `signal` aborts, its reason.
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
  /** A question for a rating has its scores as buttons, whose presses name it (`rating` of `Inbound`); elsewhere customers type a number. */
  readonly hasScores?: true
  /**
   * Tells the provider that a press was taken, and the customer what came of it. `text` null: nothing is to be told. Left out where a
   * press is a message like any other, without `pressed`. Best effort, never throws.
   */
  answerPress?(credentials: Credentials, answerId: string, text: string | null): Promise<void>
}

/** How a channel differs from others in what becomes of messages; all left out of one that is as most are. */
export type ChannelTraits = {
  /** `verify` looks at the headers alone: a request is turned away before its body is read. Left out where the body is signed. */
  isVerifiedByHeaders?: true
  /**
   * Whoever receives shows a part that comes again with the same `partId` only once, for so many milliseconds after the first of them. What
   * may have arrived is then sent again instead of being left unknown.
   */
  dropsRepeatsForMs?: number
  /** Customers are shown what stands recorded as sent, and nothing else: a part whose sending was interrupted has surely not arrived. */
  showsOnlyRecorded?: true
  /** Customers can be shown an answer while it is being written. */
  showsDrafts?: true
  /** Customers are known by several ids, of which a message may name some; a private chat goes by any of them. */
  hasAliases?: true
  /** The other side is a program of the organization's own: every attempt is written down for whoever runs it. */
  logsAttempts?: true
  /** Left out: what becomes of a message after it was taken is never told, and `parse` makes no receipts. */
  tellsReceipts?: true
  /** "Typing" is shown below a message of the customer, which it shows as read. */
  typesBelowMessage?: true
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
