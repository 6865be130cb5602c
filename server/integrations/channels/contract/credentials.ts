// What every part of a channel's contract works with: the credentials of an account, and a message that it has sent.

/**
 * By what an adapter acts for one connection. `token` is opaque to everybody else: one word, or the JSON of several. It is made in
 * the adapter's own folder from what a person has entered.
 */
export type Credentials = {
  token: string
  webhookSecret: string
  /** What people call the account, where that is known: in a group they speak to it by its name. */
  identifier?: string
  /** The account as its provider names it, where that is known: `externalAccountId` of `identify`. */
  accountId?: string
}

/** A part that was taken. `status`: the HTTP status of the answer, where people are shown it. */
export type Sent = { externalMessageId: string; status?: number }
