// The secret of an invitation's link, kept for this tab while its holder signs in or signs up.
import { spendSecret } from '#web/lib/sign-in/address-secrets.ts'

const KEY = 'parley-invite'

/** The secret that has just come in the address, or the one that is kept; null: none. */
export function takeInvite(): string | null {
  const token = spendSecret('token')
  try {
    if (token !== null) sessionStorage.setItem(KEY, token)
    return token ?? sessionStorage.getItem(KEY)
  } catch {
    return token
  }
}

/** Forgets it, once it has been used. */
export function forgetInvite(): void {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // nothing was stored either
  }
}
