// Credentials of one Avito account, as the one text that a connection stores encrypted: the key of the account's own application. The
// access tokens requested with it expire after a day and are not stored.
import { z } from 'zod'

const access = z.object({ clientId: z.string(), clientSecret: z.string() })
export type AvitoAccess = z.infer<typeof access>

/** The token of a connection's credentials. */
export function avitoToken({ clientId, clientSecret }: AvitoAccess): string {
  return JSON.stringify({ clientId, clientSecret })
}

/** @throws Error when the text is not in this format */
export function readAvitoAccess(token: string): AvitoAccess {
  return access.parse(JSON.parse(token))
}
