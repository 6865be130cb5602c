// Which origins are ours: the one check behind cookies, cross-origin answers and the realtime connection.

export type OriginRules = {
  publicUrl: string
  /** Origins of further sites, without a path. */
  allowedOrigins: string[]
  /** PUBLIC_URL is not configured: a page may also come from the host that the request names. */
  acceptsRequestHost: boolean
}

/**
 * Whether a browser page of `origin` may act as the signed-in person. Trusting `host` is safe: a page elsewhere that reaches us through a
 * name of its own gets no cookie of ours.
 */
export function isOwnOrigin(rules: OriginRules, origin: string, host: string | null): boolean {
  const url = URL.parse(origin)
  if (!url || url.origin !== origin || !/^https?:$/.test(url.protocol)) return false
  if (origin === new URL(rules.publicUrl).origin || rules.allowedOrigins.includes(origin)) return true
  return rules.acceptsRequestHost && url.host === host
}
