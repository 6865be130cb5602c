// The rules of the forms of one's own account. Messages are keys of `settings`.
import * as z from 'zod/mini'
import { PASSWORD_MIN, PERSON_NAME_MAX } from '#shared/limits.ts'
import { profileSettings } from '#shared/organizations/organizations.ts'

/** A new password, entered twice. */
export const passwordForm = z
  .object({
    currentPassword: z.string().check(z.minLength(1, { error: 'passwordRequired' })),
    newPassword: z.string().check(z.minLength(PASSWORD_MIN, { error: 'passwordTooShort' })),
    confirmPassword: z.string(),
  })
  .check(
    z.refine((entry) => entry.newPassword === entry.confirmPassword, {
      error: 'passwordsDiffer',
      path: ['confirmPassword'],
      when: () => true,
    }),
  )

/** How others see the person, and where they are. Empty texts: nothing. */
export const profileForm = z.object({
  name: z
    .string()
    .check(z.trim(), z.minLength(1, { error: 'nameRequired' }), z.maxLength(PERSON_NAME_MAX, { error: 'nameTooLong' })),
  jobTitle: worded('jobTitle', 'profile.tooLong'),
  bio: worded('bio', 'profile.tooLong'),
  language: z.enum(profileSettings.shape.language.options, { error: 'profile.languageError' }),
  timeZone: worded('timeZone', 'organization.timeZoneError'),
  avatarUrl: worded('avatarUrl', 'organization.logoError'),
})

/** The rule of the server for a text, with a message of ours. */
function worded(name: 'jobTitle' | 'bio' | 'timeZone' | 'avatarUrl', error: string) {
  const { shape } = profileSettings
  return z.string().check(z.refine((text) => z.safeParse(shape[name], text).success, { error }))
}
