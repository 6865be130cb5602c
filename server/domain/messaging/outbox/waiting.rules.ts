// Why a part of an answer cannot be sent by its connection, for reasons that a user can do something about.
import type { PartWait } from '#shared/messaging/conversations.ts'

/** GREEN-API's errors for an exhausted plan and for an expired instance. */
const UNPAID = /^466\b|account is expired/i

/**
 * Null when no obstacle is known.
 *
 * @param error the part's last error @param connection `isRefused`: its token is refused, `lastError` has the details
 */
export function waitOf(
  error: string | null,
  { isRefused, isFrozen, lastError }: { isRefused: boolean; isFrozen: boolean; lastError: string | null },
): Pick<PartWait, 'why' | 'detail'> | null {
  if (isRefused) return { why: 'refused', detail: lastError?.replace(/^unauthorized: /, '') ?? null }
  if (isFrozen) return { why: 'frozen', detail: null }
  const [code, ...rest] = (error ?? '').split(': ')
  const detail = rest.join(': ') || null
  if (code !== 'suspended') return null
  return { why: UNPAID.test(detail ?? '') ? 'unpaid' : 'frozen', detail }
}
