// What the sign-in service answered, in the words of the interface.
import i18next from 'i18next'
import { describeCode, HttpError, isOutage } from '#web/lib/errors.ts'

/** Translated when the code is known, else `fallback`: the service's own words are in one language alone. */
export function describeAuthError(error: unknown, fallback: string): string {
  if (!(error instanceof HttpError)) return fallback
  if (isOutage(error)) return describeCode('database_unavailable')
  if (isKnown(error.code)) {
    const { code, reason } = error
    return i18next.t(($) => $.service[code], { ns: 'errors', reason })
  }
  if (error.status === 429) return i18next.t(($) => $.rate_limited, { ns: 'errors' })
  return fallback
}

/** The service's codes that have a text of their own. */
export const SERVICE_CODES = [
  'INVALID_EMAIL_OR_PASSWORD',
  'PASSWORD_TOO_SHORT',
  'PASSWORD_TOO_LONG',
  'PASSWORD_TOO_COMMON',
  'ACCOUNT_LOCKED',
  'SIGN_UP_CLOSED',
  'SIGN_UP_INVITED_ONLY',
  'SIGN_UP_DOMAIN',
  'EMAIL_NOT_VERIFIED',
  'INVALID_TOKEN',
  'TOO_MANY_LETTERS',
  'INVALID_PASSWORD',
  'INVALID_EMAIL',
  'INVALID_PROFILE',
  'TOO_MANY_ATTEMPTS',
  'ORGANIZATION_ON_LEGAL_HOLD',
  'TWO_FACTOR_REQUIRED',
  'INVALID_CODE',
  'CHALLENGE_EXPIRED',
  'PASSWORD_REQUIRED',
  'SESSION_NOT_FRESH',
  'TWO_FACTOR_NOT_ENABLED',
  'TWO_FACTOR_ON',
  'PASSKEY_NOT_FOUND',
  'PASSKEY_NOT_VERIFIED',
  'ORGANIZATION_HAS_MEMBERS',
  'NO_DATA',
] as const

function isKnown(code: string | null): code is (typeof SERVICE_CODES)[number] {
  return SERVICE_CODES.some((known) => known === code)
}
