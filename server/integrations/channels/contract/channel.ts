// The contract of a channel: everything the product knows of Telegram, WhatsApp and the like passes through it.
// An adapter is handed credentials; it knows no table, no organization and no agent.
import type { AccountState } from '#shared/channels/channels.ts'
import type { Showing } from '#shared/channels/manifest.ts'
import type {
  Buttons,
  Callback,
  ChannelPace,
  ChannelTraits,
  DeliveryReport,
  Envelope,
  LinkedAccount,
  MessageTemplates,
  Polling,
  Probe,
  Profiles,
  SendLog,
  Subscription,
} from './capabilities.ts'
import type { ChannelMedia } from './channel.media.ts'
import type { Credentials, Sent } from './credentials.ts'
import type { Entered, MadeCredentials } from './entered.ts'
import type { Inbound } from './inbound.ts'

/**
 * How a text is meant. `isPlain`: a person typed it; otherwise it is Markdown. `choices`: buttons below it, each of which says what
 * stands on it; only to a channel that has buttons. `ratingId`: they are the scores of a question for a rating, by which presses name it.
 */
export type Manner = { isPlain?: boolean; choices?: string[]; ratingId?: string }

/** What every channel does, then what only some do, each left out where the provider has nothing of the kind. */
export interface ChannelAdapter {
  /** What customers get to see of an answer; its manifest says the same. */
  readonly showing: Showing
  readonly traits: ChannelTraits

  /** Checks the credentials with the provider. `state`: of an account that is a phone, else null. @throws AdapterError */
  identify(token: string): Promise<{ externalAccountId: string; identifier: string; state: AccountState | null }>
  /** Makes the provider deliver to `webhookUrl`, or, when null, be ready to be polled. Never drops pending updates. */
  connect(credentials: Credentials, webhookUrl: string | null): Promise<void>
  /**
   * Stops delivery. What other programs have the provider deliver to them goes on. `webhookUrl`: where was delivered, unless the public
   * address has changed since; null: not known any more.
   */
  disconnect(credentials: Credentials, webhookUrl: string | null): Promise<void>
  /** Whether a webhook request carries this connection's secret, or a signature by it over `body`. Constant time. */
  verify(credentials: Credentials, headers: Headers, body: string): boolean
  /** Understands the body of one webhook request, or one piece of it, or one polled update. Never throws. */
  parse(body: unknown, credentials: Credentials): Inbound
  /** Sends one part. `partId` is the same whenever the same part is sent again. @throws AdapterError */
  send(credentials: Credentials, chatId: string, text: string, partId: string, manner?: Manner): Promise<Sent>
  /**
   * Shows "typing" where the channel can. Best effort, never throws.
   *
   * @param messageId the customer's last message, by the provider's id, for a channel that `typesBelowMessage`; null: none is known
   */
  showTyping(credentials: Credentials, chatId: string, messageId?: string | null): Promise<void>

  readonly polling?: Polling
  readonly envelope?: Envelope
  readonly callback?: Callback
  readonly profiles?: Profiles
  readonly subscription?: Subscription
  readonly sendLog?: SendLog
  readonly buttons?: Buttons
  readonly media?: ChannelMedia
  /** Texts that may be sent at any time, where there is a time after which free words are too late. */
  readonly templates?: MessageTemplates
  /** Of accounts that are phones. */
  readonly account?: LinkedAccount
  /** How fast the provider takes messages before it refuses them. Left out: it does not mind, or keeps them apart by itself. */
  readonly pace?: ChannelPace
  /** Asks how deliveries go. @throws AdapterError */
  inspect?(credentials: Credentials): Promise<DeliveryReport>
  /**
   * What a provider is answered that asks, before it delivers, whether the address wants that; null: it does not know the connection.
   * Constant time.
   */
  answerHandshake?(credentials: Credentials, query: URLSearchParams): string | null
  /**
   * A notification that the provider never sends, and that means nothing: whoever tries the webhook out posts it, and `parse` takes it as
   * ignored under the key that `parse` gives it. `nonce`: a positive number that is used once.
   */
  probe?(credentials: Credentials, nonce: number): Probe
  /**
   * Renews what the connection is allowed in with, where that has a time to live; null: it is not time yet. `tail`: as a person would have
   * entered it. @throws AdapterError, and nothing has changed
   */
  renewAccess?(credentials: Credentials, now: number): Promise<{ token: string; tail: string } | null>
}

/** An adapter that has these groups. */
export type AdapterWith<Group extends keyof ChannelAdapter> = ChannelAdapter & Required<Pick<ChannelAdapter, Group>>

/** A messenger: its accounts are connected by what a person copies from the provider's own pages. */
export type EnteredChannel = ChannelAdapter & {
  credentialsFrom(entered: Entered): MadeCredentials
  /** The credentials with what was entered instead; what was not entered stays, and `tail` is left out when no other secret was. */
  withEntered(token: string, entered: Entered): Omit<MadeCredentials, 'tail'> & { tail?: string }
  /** What a person enters together with the address so that the provider delivers; left out where it learns the address itself. */
  verifyToken?(token: string): string
}
