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
import type { Entered, MadeCredentials } from './form-credentials.ts'
import type { Inbound } from './inbound.ts'

/**
 * How a text is shown. `isPlain`: a person typed it; otherwise it is Markdown. `choices`: buttons below it, each of which sends its
 * label; only for a channel that has buttons. `ratingId`: the choices are the scores of this rating question, and presses name it.
 */
export type SendOptions = { isPlain?: boolean; choices?: string[]; ratingId?: string }

/** What every channel does, then optional abilities, each left out where the provider does not support it. */
export interface ChannelAdapter {
  /** What customers see of an answer; the manifest says the same. */
  readonly showing: Showing
  readonly traits: ChannelTraits

  /** Checks the credentials with the provider. `state`: of an account that is a phone, else null. @throws AdapterError */
  identify(token: string): Promise<{ externalAccountId: string; identifier: string; state: AccountState | null }>
  /** Makes the provider deliver to `webhookUrl`, or, when null, be ready to be polled. Never drops pending updates. */
  connect(credentials: Credentials, webhookUrl: string | null): Promise<void>
  /**
   * Stops delivery to us. Deliveries to other programs continue. `webhookUrl`: the address used until now, unless the public address has
   * changed since; null: no longer known.
   */
  disconnect(credentials: Credentials, webhookUrl: string | null): Promise<void>
  /** Whether a webhook request carries this connection's secret, or a signature by it over `body`. Constant time. */
  verify(credentials: Credentials, headers: Headers, body: string): boolean
  /** Parses the body of one webhook request, or one piece of it, or one polled update. Never throws. */
  parse(body: unknown, credentials: Credentials): Inbound
  /** Sends one part. `partId` is the same whenever the same part is sent again. @throws AdapterError */
  send(credentials: Credentials, chatId: string, text: string, partId: string, options?: SendOptions): Promise<Sent>
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
  /** Templates that may be sent at any time, where free text is allowed only for a limited time. */
  readonly templates?: MessageTemplates
  /** Of accounts that are phones. */
  readonly account?: LinkedAccount
  /** The provider's rate limits for messages. Left out: it has none, or queues messages by itself. */
  readonly pace?: ChannelPace
  /** Reads the state of deliveries. @throws AdapterError */
  inspect?(credentials: Credentials): Promise<DeliveryReport>
  /**
   * The answer to a provider that verifies the address before it delivers; null: the request is not for this connection.
   * Constant time.
   */
  answerHandshake?(credentials: Credentials, query: URLSearchParams): string | null
  /**
   * A meaningless notification that the provider never sends: the webhook check posts it, and `parse` returns it as ignored, under
   * the key by which the check recognizes it. `nonce`: a positive number that is used once.
   */
  probe?(credentials: Credentials, nonce: number): Probe
  /**
   * Renews the access token, where it expires; null: it is not due yet. `tail`: the token in the form that a person enters.
   * @throws AdapterError, and nothing has changed
   */
  renewAccess?(credentials: Credentials, now: number): Promise<{ token: string; tail: string } | null>
}

/** An adapter that has these groups. */
export type AdapterWith<Group extends keyof ChannelAdapter> = ChannelAdapter & Required<Pick<ChannelAdapter, Group>>

/** A messenger: its accounts are connected with credentials that a person copies from the provider's pages. */
export type CredentialFormChannel = ChannelAdapter & {
  credentialsFrom(entered: Entered): MadeCredentials
  /** The credentials with the entered fields replaced; others stay, and `tail` is left out when no new secret was entered. */
  withEntered(token: string, entered: Entered): Omit<MadeCredentials, 'tail'> & { tail?: string }
  /** The token that a person enters at the provider together with the address; left out where the address is registered by a call. */
  verifyToken?(token: string): string
}
