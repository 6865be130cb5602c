// What a letter of an account or an organization says: its kind, and what differs from letter to letter.
import type { Id } from '#shared/ids.ts'
import type { OrganizationRole } from '#shared/organizations/policy.ts'

export type LetterLanguage = 'ru' | 'en'

/** `path`: of the page that the link opens, on this installation. */
export type LetterContent =
  | { kind: 'confirm-email'; path: string }
  | { kind: 'reset-password'; path: string }
  | { kind: 'password-changed' }
  | { kind: 'sign-up-attempt' }
  /** `organizationId`: whose brand the letter is under. */
  | {
      kind: 'invitation'
      organizationId?: Id<'organizations'>
      organization: string
      inviter: string
      role: OrganizationRole
      path: string
      days: number
    }
  /** `device`: for example "Chrome, Windows". `place`: a city or an address; null: unknown. `at`: milliseconds. */
  | { kind: 'new-sign-in'; device: string; place: string | null; at: number }
  | { kind: 'two-step-off' }
  | { kind: 'account-deleted' }
  /** `host`: where events were sent. */
  | { kind: 'webhook-disabled'; host: string; reason: 'failing' | 'gone'; path: string }

export type Letter = { to: string; language: LetterLanguage } & LetterContent
export type LetterKind = Letter['kind']

/** The language of a letter: that of the person's profile, else the first that their browser asks for and we speak, else Russian. */
export function letterLanguage(
  profile: '' | LetterLanguage | undefined,
  acceptLanguage?: string | null,
): LetterLanguage {
  if (profile) return profile
  const asked = (acceptLanguage ?? '').split(',').map((part) => part.trim().slice(0, 2).toLowerCase())
  return asked.find((language) => language === 'ru' || language === 'en') ?? 'ru'
}
