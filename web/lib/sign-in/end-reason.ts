// Why the session of this browser ended, as the server answered: shown on the sign-in page once.
import type { EndReason } from '#shared/organizations/security.ts'

const REASONS: readonly string[] = [
  'inactive',
  'revoked',
  'password',
  'expired',
  'admin',
  'locked',
] satisfies EndReason[]

let noted: EndReason | null = null

/** Keeps a reason that an answer brought; anything else is ignored. */
export function noteEndReason(reason: unknown): void {
  if (typeof reason === 'string' && REASONS.includes(reason)) noted = reason as EndReason
}

/** The reason, once; null: none is known. */
export function takeEndReason(): EndReason | null {
  const reason = noted
  noted = null
  return reason
}
