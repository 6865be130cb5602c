// The rules of the forms of one's own account. Messages are keys of `settings`.
import * as z from 'zod/mini'
import { PASSWORD_MIN, PERSON_NAME_MAX } from '#shared/limits.ts'
import { profileSettings } from '#shared/organizations.ts'

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
  jobTitle: profileSettings.shape.jobTitle,
  bio: profileSettings.shape.bio,
  language: profileSettings.shape.language,
  timeZone: profileSettings.shape.timeZone,
  avatarUrl: profileSettings.shape.avatarUrl,
})
