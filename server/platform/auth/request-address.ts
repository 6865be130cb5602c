// From which address a request comes, as limits count it and people see it.
import type { BetterAuthOptions } from 'better-auth'
import { getIP } from 'better-auth/api'

/** IPv6 networks count as one address. Empty when the address is unknown. */
export function addressOf({
  headers,
  context,
}: {
  headers?: Headers | undefined
  context: { options: BetterAuthOptions }
}): string {
  return (headers && getIP(headers, context.options)) || ''
}

/** An address that tells its owner where it was, and a person at their shoulder no more than the network. */
export function maskedAddress(address: string | null): string | null {
  if (!address) return null
  const groups = address.split(':')
  if (groups.length > 2) return `${groups.slice(0, 3).join(':')}:*`
  return address.replace(/\.\d+$/, '.*')
}
