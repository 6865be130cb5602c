// Credentials of one GREEN-API instance, as the one text that a connection stores encrypted.
import { z } from 'zod'

const access = z.object({
  apiUrl: z.string(),
  /** Where its files are uploaded; left out: derived from `apiUrl`. */
  mediaUrl: z.string().optional(),
  idInstance: z.string(),
  apiToken: z.string(),
  /** Made by us with the partner's credentials, and to be deleted by us. */
  isOurs: z.boolean().optional(),
})
export type GreenApiAccess = z.infer<typeof access>

/** Hosts that instances have. @source green-api.com/en/docs/before-start */
const PROVIDER_HOSTS = /^(?:[a-z0-9-]+\.)*(?:green-api\.com|greenapi\.com)$/

/** The token of a connection's credentials. */
export function greenApiToken(parts: GreenApiAccess): string {
  return JSON.stringify(parts)
}

/** @throws Error when the text is not in this format */
export function readAccess(token: string): GreenApiAccess {
  return access.parse(JSON.parse(token))
}

/**
 * The address of an instance from what a person has entered; without anything, the installation's own.
 * @returns undefined for an address that the token must not be sent to: only the provider's hosts, over TLS, and `root` itself
 */
export function instanceUrl(entered: string | undefined, root: string): string | undefined {
  if (!entered) return root
  if (!URL.canParse(entered)) return undefined
  const url = new URL(entered)
  if (url.origin === new URL(root).origin) return root
  const isProvider = url.protocol === 'https:' && url.port === '' && PROVIDER_HOSTS.test(url.hostname)
  return isProvider && url.username === '' ? url.origin : undefined
}

/** Where an instance takes files: 7103.api.greenapi.com has them at 7103.media.greenapi.com. */
export function mediaUrlOf({ apiUrl, mediaUrl }: Pick<GreenApiAccess, 'apiUrl' | 'mediaUrl'>): string {
  return mediaUrl ?? apiUrl.replace(/(?<=^https:\/\/(?:[a-z0-9-]+\.)*)api(?=\.green-?api\.com$)/, 'media')
}
