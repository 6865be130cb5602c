// Secrets that arrive in the address of the page: taken out before the router, history or a report can keep them.

/** Query parameters, also after the #, whose value signs in or proves something by itself. */
const SECRET_PARAMS = ['ott', 'token', 'challenge'] as const
export type SecretParam = (typeof SECRET_PARAMS)[number]

const taken = new Map<SecretParam, string>()

/** Moves every secret from the address of the current history entry into memory. Safe to call again. */
export function takeAddressSecrets(): void {
  const url = new URL(window.location.href)
  for (const name of SECRET_PARAMS) {
    const value = url.searchParams.get(name) ?? paramsAfterHash(url.hash)?.get(name)
    if (value) taken.set(name, value)
  }
  const cleaned = withoutSecrets(url.pathname + url.search + url.hash)
  if (cleaned === url.pathname + url.search + url.hash) return
  // Not as a bare path: one with two slashes at its beginning would name another host.
  window.history.replaceState(window.history.state, '', url.origin + cleaned)
}

/** The secret that came in the address, once; null when there was none. */
export function spendSecret(name: SecretParam): string | null {
  takeAddressSecrets()
  const value = taken.get(name) ?? null
  taken.delete(name)
  return value
}

/** A path with query and hash, without the secrets in either or in the page to which its `from` returns. */
export function withoutSecrets(path: string): string {
  const [beforeHash = '', ...rest] = path.split('#')
  const [pathname = '', ...query] = beforeHash.split('?')
  const hash = rest.length > 0 ? `#${rest.join('#')}` : ''
  return pathname + cleanQuery(query.join('?'), query.length > 0) + cleanHash(hash)
}

function cleanQuery(query: string, hasQuery: boolean): string {
  if (!hasQuery) return ''
  const params = new URLSearchParams(query)
  if (!removeSecrets(params)) return `?${query}`
  return params.size > 0 ? `?${params}` : ''
}

/** A hash that is no list of parameters stays as it is. */
function cleanHash(hash: string): string {
  const params = paramsAfterHash(hash)
  if (!params || !removeSecrets(params)) return hash
  const before = hash.slice(1).split('?')
  const path = before.length > 1 ? `${before[0]}` : ''
  const list = params.size > 0 ? `${before.length > 1 ? '?' : ''}${params}` : ''
  return path || list ? `#${path}${list}` : ''
}

function paramsAfterHash(hash: string): URLSearchParams | null {
  const list = hash.slice(1).split('?').at(-1) ?? ''
  return list.includes('=') ? new URLSearchParams(list) : null
}

/** @returns whether there were any */
function removeSecrets(params: URLSearchParams): boolean {
  const before = params.toString()
  for (const name of SECRET_PARAMS) params.delete(name)
  const from = params.get('from')
  if (from !== null) params.set('from', withoutSecrets(from))
  return params.toString() !== before
}
