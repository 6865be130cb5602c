// Credentials of one number of the WhatsApp Cloud API, as the one text that a connection stores encrypted. The app secret that signs
// deliveries is stored separately, as the secret of the webhook.
import { z } from 'zod'

const access = z.object({
  /** Of a system user of the business, with the rights to its WhatsApp account. */
  accessToken: z.string(),
  phoneNumberId: z.string(),
  /** Of the WhatsApp Business account that the number belongs to. */
  accountId: z.string(),
  /** The token that Meta sends when it verifies an address. */
  verifyToken: z.string(),
})
export type CloudAccess = z.infer<typeof access>

/** The token of a connection's credentials. */
export function cloudToken(parts: CloudAccess): string {
  return JSON.stringify(parts)
}

/** @throws Error when the text is not in this format */
export function readCloudAccess(token: string): CloudAccess {
  return access.parse(JSON.parse(token))
}
