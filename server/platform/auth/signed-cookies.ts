// Cookies and bearer tokens that a former application secret has signed: signed again on their way in, so that a change of the secret signs
// nobody out.
import { createHmac } from 'node:crypto'
import { isSameSecret } from '#server/platform/lib/same-secret.ts'
import { deriveKey } from '#server/platform/lib/secrets.aes.ts'
import type { SecretRing } from './application-secret.ts'

/** What the sign-in library is given of an application secret. */
export function signInSecret(applicationSecret: string): string {
  return deriveKey(applicationSecret, 'sign-in').toString('base64url')
}

const CARRIERS = ['cookie', 'better-auth-cookie', 'authorization']
/** A value, a dot and a signature of 32 bytes, as cookies and the bearer token carry them. */
const SIGNED = /([A-Za-z0-9_-]{1,64})(\.|%2E)((?:[A-Za-z0-9+/_-]|%2B|%2F){43}(?:=|%3D)?)/gi

/** Changes the headers of requests in place. Nothing to do without former secrets. */
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
    const isFormer = former.some((secret) => isSameSecret(signatureOf(value, secret).replace(/=$/, ''), given))
    return isFormer ? `${value}${dot}${encodeURIComponent(signatureOf(value, now))}` : whole
  }
}

function signatureOf(value: string, secret: string): string {
  return createHmac('sha256', secret).update(value).digest('base64')
}
