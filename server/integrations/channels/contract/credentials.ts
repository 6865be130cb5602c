// Types shared by all parts of a channel's contract: the credentials of an account, and a sent message.

/**
 * An adapter's credentials for one connection. `token` is opaque to all other code: one word, or JSON of several. It is built in the
 * adapter's own folder from the entered fields.
 */
export type Credentials = {
  token: string
  webhookSecret: string
  /** The account's public name, where it is known: members of a group mention it. */
  identifier?: string
  /** The account as its provider names it, where that is known: `externalAccountId` of `identify`. */
  accountId?: string
}

/** A part that was accepted. `status`: the HTTP status of the answer, where users see it. */
export type Sent = { externalMessageId: string; status?: number }
