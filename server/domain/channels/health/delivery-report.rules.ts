// What a provider's report of its deliveries means at present. Pure.
import type { DeliveryReport } from '#server/integrations/channels/contract/capabilities.ts'
import type { DeliveryCheck } from '#shared/channels/channels.ts'

/**
 * Why deliveries fail now; null: they do not. Providers keep their last error for ever, and updates of a busy account wait at any moment:
 * it is not over when something waits and nothing was delivered since.
 *
 * @param heardAt when something was last delivered, or the provider last called for deliveries
 */
export function lastingError(
  { pending, lastError }: Pick<DeliveryReport, 'pending' | 'lastError'>,
  heardAt: Date,
): string | null {
  if (pending === null || pending === 0 || lastError === null) return null
  return heardAt.getTime() > lastError.at ? null : lastError.text
}

/**
 * That another program has registered its own address for the deliveries; shown until a later check no longer finds it. What came
 * meanwhile went to that program. Null: none has, as after a change of our own public address, or for another account of ours.
 */
export function takenBy(url: string | null, webhookPath: string, publicUrl: string): string | null {
  if (url === null || !URL.canParse(url) || url.endsWith(`/${webhookPath}`)) return null
  const { host } = new URL(url)
  return host === new URL(publicUrl).host ? null : `another program has taken the deliveries: ${host}`
}

/** The report as it is shown; null where the provider does not report what waits. @param address where it is to deliver; null: nowhere */
export function toCheck(
  { url, pending, lastError }: DeliveryReport,
  address: string | null,
  at: number,
): DeliveryCheck | null {
  return pending === null ? null : { at, isOurs: url === address, pending, lastError }
}
