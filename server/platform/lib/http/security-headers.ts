// The headers every answer carries, and the content security policy of the pages.
import { createHash } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { isOwnMachine } from '#shared/channels/webchat.ts'

/** For everything that is not a page: nothing in it may run, load or be framed. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** The policy of the web client's page: our own files, and exactly its inline scripts. */
export function pagePolicy(html: string): string {
  const hashes = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
  return [
    "default-src 'none'",
    ["script-src 'self'", ...hashes].join(' '),
    // Overlays and toasts write style elements whose text depends on the width of the scroll bar; style attributes stay refused.
    "style-src 'self' 'unsafe-inline'",
    "style-src-attr 'none'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

/** The policy of the service worker of alerts: it shows pictures of ours, and loads nothing else. */
export const WORKER_POLICY = "default-src 'none'; img-src 'self'"

/**
 * The policy of a page of the web chat: our own files and nothing inline, framed by pages of these hosts only.
 *
 * @param hosts as written in a widget's settings; none: inside no page
 */
export function widgetPolicy(hosts: string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:", // pictures that the visitor was sent: they are asked for with the session
    'media-src blob:', // spoken answers likewise
    "connect-src 'self'",
    `frame-ancestors ${hosts.flatMap(asciiOf).join(' ') || "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

/** A host as written in headers and compared by browsers; none for an invalid one. A host over http is allowed over https as well. */
function asciiOf(host: string): string[] {
  const [, scheme = isOwnMachine(host) ? 'http://' : '', below = '', name = '', port = ''] =
    /^(http:\/\/)?(\*\.)?([^:]+)(:\d+)?$/.exec(host) ?? []
  const ascii = domainToASCII(name)
  return ascii === '' ? [] : [scheme + below + ascii + port]
}

/** Adds what is missing: an answer that brings a header of its own keeps it. */
export function addSecurityHeaders(headers: Headers, isHttps: boolean): void {
  const fixed: Record<string, string> = {
    'content-security-policy': DATA_POLICY,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(self), payment=(), usb=()',
    ...(isHttps && { 'strict-transport-security': 'max-age=31536000' }),
  }
  // Browsers that know frame-ancestors ignore the older header; one that does not could only refuse a page that may be shown.
  const isFramed = /frame-ancestors (?!'none')/.test(headers.get('content-security-policy') ?? '')
  if (isFramed) delete fixed['x-frame-options']
  for (const [name, value] of Object.entries(fixed)) if (!headers.has(name)) headers.set(name, value)
}
