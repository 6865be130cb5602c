// Re-signs cookies and bearer tokens that were signed with a former application secret, so that changing the secret signs no user out.
import { createHmac } from 'node:crypto'
import { constantTimeEqual } from '#server/platform/lib/constant-time-equal.ts'
import { deriveKey } from '#server/platform/lib/secrets.aes.ts'
import type { SecretRing } from './application-secret.ts'

/** Derives the secret of the sign-in library from the application secret. */
export function signInSecret(applicationSecret: string): string {
  return deriveKey(applicationSecret, 'sign-in').toString('base64url')
}

const CARRIERS = ['cookie', 'better-auth-cookie', 'authorization']
/** A value, a dot and a signature of 32 bytes, as cookies and the bearer token carry them. */
const SIGNED = /([A-Za-z0-9_-]{1,64})(\.|%2E)((?:[A-Za-z0-9+/_-]|%2B|%2F){43}(?:=|%3D)?)/gi

/** Changes the headers of requests in place. A no-op without former secrets. */
export function resigner({ current, previous }: SecretRing): (headers: Headers) => void {
  const former = previous.map(signInSecret)
  const now = signInSecret(current)
  return (headers) => {
    if (former.length === 0) return
    for (const name of CARRIERS) {
      const value = headers.get(name)
      if (value?.includes('.') || value?.includes('%2E')) headers.set(name, value.replace(SIGNED, resign))
    }
  }

  function resign(whole: string, value: string, dot: string, signature: string): string {
    const given = decodeURIComponent(signature).replaceAll('-', '+').replaceAll('_', '/').replace(/=$/, '')
    const isFormer = former.some((secret) => constantTimeEqual(signatureOf(value, secret).replace(/=$/, ''), given))
    return isFormer ? `${value}${dot}${encodeURIComponent(signatureOf(value, now))}` : whole
  }
}

function signatureOf(value: string, secret: string): string {
  return createHmac('sha256', secret).update(value).digest('base64')
}
