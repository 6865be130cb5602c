// Credentials of one Instagram account, as the one text that a connection stores encrypted. The app secret that signs deliveries is stored
// separately, as the secret of the webhook.
import { z } from 'zod'

const access = z.object({
  /** Of the account, valid for sixty days after it was created or last renewed. */
  accessToken: z.string(),
  /** The token that Meta sends when it verifies an address. */
  verifyToken: z.string(),
  /** When it is renewed next, milliseconds. */
  renewAt: z.number(),
})
export type InstagramAccess = z.infer<typeof access>

/** The token of a connection's credentials. */
export function instagramToken(parts: InstagramAccess): string {
  return JSON.stringify(parts)
}

/** @throws Error when the text is not in this format */
export function readInstagramAccess(token: string): InstagramAccess {
  return access.parse(JSON.parse(token))
}
