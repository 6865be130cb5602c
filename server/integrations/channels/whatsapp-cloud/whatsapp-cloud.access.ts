// What one number of the WhatsApp Cloud API is reached with, as the one text that a connection stores encrypted. The app's secret, by
// which deliveries are signed, stands beside it as the secret of the webhook.
import { z } from 'zod'

const access = z.object({
  /** Of a system user of the business, with the rights to its WhatsApp account. */
  accessToken: z.string(),
  phoneNumberId: z.string(),
  /** Of the WhatsApp Business account that the number belongs to. */
  accountId: z.string(),
  /** What Meta repeats when it asks whether an address wants its deliveries. */
  verifyToken: z.string(),
})
export type CloudAccess = z.infer<typeof access>

/** The token of a connection's credentials. */
export function cloudToken(parts: CloudAccess): string {
  return JSON.stringify(parts)
}

/** @throws Error when the text was not made here */
export function readCloudAccess(token: string): CloudAccess {
  return access.parse(JSON.parse(token))
}
