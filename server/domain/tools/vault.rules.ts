// Hosts as people write them → as they are compared with those of calls.
import { domainOf } from '#server/domain/knowledge/web-search/web-search.rules.ts'

/** `api.shop.example` or `*.shop.example`, in lower case; null for anything else, such as an address of numbers. */
export function hostOf(text: string): string | null {
  const isWild = text.startsWith('*.')
  const given = isWild ? text.slice(2) : text
  const host = domainOf(`${given}`)
  if (host === null) return null
  // `www.` belongs to the name of a host, unlike to that of a site.
  const whole = /^(https?:\/\/)?www\./i.test(given) ? `www.${host}` : host
  return isWild ? `*.${host}` : whole
}
