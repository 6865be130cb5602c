// The contract of a channel: everything the product knows of Telegram, WhatsApp and the like passes through it.
// An adapter is handed credentials; it knows no table, no organization and no agent.

export type Credentials = { token: string; webhookSecret: string }

/** One notification of a provider, understood. */
export type Inbound =
  | {
      kind: 'message'
      /** Unique per connection. */
      externalKey: string
      chatId: string
      sender: { externalId: string; name: string; username: string | null; language: string | null }
      text: string
    }
  /** Understood, and nothing to answer (a join, a reaction, a kind of content that is not handled). */
  | { kind: 'ignored'; externalKey: string }
  /** Not understood: kept for a person to look at. */
  | { kind: 'unknown'; externalKey: string }

export type AdapterErrorKind =
  | 'unauthorized'
  | 'blocked'
  | 'rate_limited'
  | 'temporary'
  | 'permanent'
  | 'unknown_outcome'

/**
 * The only error an adapter throws.
 * `temporary`: surely not sent. `unknown_outcome`: the bytes may have left and no answer came back.
 */
export class AdapterError extends Error {
  readonly kind: AdapterErrorKind
  readonly retryAfterMs: number | null
  constructor(kind: AdapterErrorKind, message: string, retryAfterMs: number | null = null) {
    super(message)
    this.name = 'AdapterError'
    this.kind = kind
    this.retryAfterMs = retryAfterMs
  }
}

export interface ChannelAdapter {
  /** Checks the credentials with the provider. @throws AdapterError */
  identify(token: string): Promise<{ externalAccountId: string; identifier: string }>
  /** Makes the provider deliver to `webhookUrl`, or, when null, be ready to be polled. Never drops pending updates. */
  connect(credentials: Credentials, webhookUrl: string | null): Promise<void>
  /** Stops delivery. */
  disconnect(credentials: Credentials): Promise<void>
  /** Whether a webhook request carries this connection's secret. Constant time. */
  verify(credentials: Credentials, headers: Headers): boolean
  /** Understands the body of one webhook request or one polled update. Never throws. */
  parse(body: unknown): Inbound
  /** Waits up to `waitSeconds` for updates from `offset` on (null: whatever is pending). */
  poll(
    credentials: Credentials,
    offset: number | null,
    waitSeconds: number,
    signal: AbortSignal,
  ): Promise<{ updates: unknown[]; nextOffset: number | null }>
  /** Sends one part. @throws AdapterError */
  send(credentials: Credentials, chatId: string, text: string): Promise<{ externalMessageId: string }>
  /** Shows "typing" where the channel can. Best effort, never throws. */
  showTyping(credentials: Credentials, chatId: string): Promise<void>
  /** Longest text of one part, UTF-16 units. */
  readonly maxTextLength: number
}

/** Channel name → adapter. A new channel is a folder and a line in the map in app.ts. */
export type Channels = Record<'telegram', ChannelAdapter>
