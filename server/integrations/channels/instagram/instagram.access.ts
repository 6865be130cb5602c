// What one Instagram account is reached with, as the one text that a connection stores encrypted. The secret of its app, by which
// deliveries are signed, stands beside it as the secret of the webhook.
import { z } from 'zod'

const access = z.object({
  /** Of the account, for sixty days from when it was made or last renewed. */
  accessToken: z.string(),
  /** What Meta repeats when it asks whether an address wants its deliveries. */
  verifyToken: z.string(),
  /** When it is renewed next, milliseconds. */
  renewAt: z.number(),
})
export type InstagramAccess = z.infer<typeof access>

/** The token of a connection's credentials. */
export function instagramToken(parts: InstagramAccess): string {
  return JSON.stringify(parts)
}

/** @throws Error when the text was not made here */
export function readInstagramAccess(token: string): InstagramAccess {
  return access.parse(JSON.parse(token))
}
