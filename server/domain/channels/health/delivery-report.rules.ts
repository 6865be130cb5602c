// What a provider's report of its deliveries says about now. Pure.
import type { DeliveryReport } from '#server/integrations/channels/contract/capabilities.ts'
import type { DeliveryCheck } from '#shared/channels/channels.ts'

/**
 * Why deliveries fail now; null: they do not. Providers keep their last error for ever, and updates of a busy account wait at any moment:
 * it is not over when something waits and nothing was delivered since.
 *
 * @param heardAt when something was last delivered, or deliveries were asked for
 */
export function lastingError(
  { pending, lastError }: Pick<DeliveryReport, 'pending' | 'lastError'>,
  heardAt: Date,
): string | null {
  if (pending === null || pending === 0 || lastError === null) return null
  return heardAt.getTime() > lastError.at ? null : lastError.text
}

/**
 * That another program has had deliveries made to itself, which people are shown until it has not done so between two looks: what came
 * meanwhile is with that one. Null: nobody has, as after a change of our own public address, or for another account of ours.
 */
export function takenBy(url: string | null, webhookPath: string, publicUrl: string): string | null {
  if (url === null || !URL.canParse(url) || url.endsWith(`/${webhookPath}`)) return null
  const { host } = new URL(url)
  return host === new URL(publicUrl).host ? null : `another program has taken the deliveries: ${host}`
}

/** The report as people are shown it; null where the provider does not tell what waits. @param address where it is to deliver; null: nowhere */
export function toCheck(
  { url, pending, lastError }: DeliveryReport,
  address: string | null,
  at: number,
): DeliveryCheck | null {
  return pending === null ? null : { at, isOurs: url === address, pending, lastError }
}
