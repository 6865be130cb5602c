// Why a part of an answer cannot leave by its connection, where somebody can do something about it.
import type { PartWait } from '#shared/messaging/conversations.ts'

/** What GREEN-API says of a plan that is used up, and of an instance that has run out. */
const UNPAID = /^466\b|account is expired/i

/**
 * Null: nothing is known to keep it.
 *
 * @param error of the part, as it was last tried @param connection `isRefused`: its token is, of which `lastError` tells
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
