// Domains as people write them → normalized domains, and back; and those that an agent's spaces restrict it to.
import { isIP } from 'node:net'
import { domainToUnicode } from 'node:url'
import type { WebSearchSettings } from '#shared/agents/web-search.ts'

/** A whole domain in ASCII. */
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/

/**
 * The domain that a person means by a domain or an address: lower case, ASCII, without `www.`. Null for anything else, such as an IP
 * address or a name without a dot.
 */
export function domainOf(text: string): string | null {
  const trimmed = text.trim()
  const url = URL.parse(/^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`)
  if (!url || url.username || url.password) return null
  const host = url.hostname.replace(/\.$/, '').replace(/^www\.(?=[^.]+\.)/, '')
  return DOMAIN.test(host) && isIP(host) === 0 ? host : null
}

/** How people write a domain: `пример.рф`, not `xn--e1afmkfd.xn--p1ai`. */
export function domainName(domain: string): string {
  return domainToUnicode(domain) || domain
}

/** Where an agent of all of these spaces may search and read; empty: everywhere. A space that lists nothing opens nothing to the others. */
export function listedDomains(spaces: Pick<WebSearchSettings, 'domains'>[]): string[] {
  return [...new Set(spaces.flatMap(({ domains }) => domains.map(({ domain }) => domain)))]
}
