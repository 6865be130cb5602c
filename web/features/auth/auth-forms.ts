// The rules of the sign-in and sign-up forms. Messages are keys of `auth:error`.
import * as z from 'zod/mini'
import {
  ORGANIZATION_DISPLAY_NAME_MAX,
  ORGANIZATION_NAME_MAX,
  ORGANIZATION_NAME_MIN,
  PASSWORD_MIN,
} from '#shared/limits.ts'

const email = z.email({ error: 'emailRequired' })

export const signInForm = z.object({
  email,
  password: z.string().check(z.minLength(1, { error: 'passwordRequired' })),
})

const passwordTwice = {
  password: z.string().check(z.minLength(PASSWORD_MIN, { error: 'passwordTooShort' })),
  confirmPassword: z.string(),
}
const same = z.refine<{ password: string; confirmPassword: string }>(
  (entry) => entry.password === entry.confirmPassword,
  {
    error: 'passwordsDiffer',
    path: ['confirmPassword'],
    // Both faults show at once, whatever else is wrong.
    when: () => true,
  },
)

export const emailForm = z.object({ email })
export const resetForm = z.object(passwordTwice).check(same)

export const accountForm = z
  .object({
    name: z.string().check(z.trim(), z.minLength(1, { error: 'nameRequired' })),
    email,
    ...passwordTwice,
  })
  .check(same)

export const organizationForm = z.object({
  organizationName: z
    .string()
    .check(
      z.trim(),
      z.minLength(ORGANIZATION_NAME_MIN, { error: 'organizationName' }),
      z.maxLength(ORGANIZATION_NAME_MAX, { error: 'organizationName' }),
    ),
  organizationDisplayName: z
    .string()
    .check(z.trim(), z.maxLength(ORGANIZATION_DISPLAY_NAME_MAX, { error: 'organizationDisplayName' })),
  // No union: of one, the resolver shows what an alternative says, not what the field does.
  organizationSupportEmail: z.string().check(
    z.trim(),
    z.refine((text) => text === '' || z.email().safeParse(text).success, { error: 'organizationSupportEmail' }),
  ),
})

export type SignInForm = z.infer<typeof signInForm>
export type EmailForm = z.infer<typeof emailForm>
export type ResetForm = z.infer<typeof resetForm>
export type AccountForm = z.infer<typeof accountForm>
export type OrganizationForm = z.infer<typeof organizationForm>
/** Keys of `auth:error`. */
export const FORM_ERRORS = [
  'nameRequired',
  'emailRequired',
  'passwordRequired',
  'passwordTooShort',
  'passwordsDiffer',
  'organizationName',
  'organizationDisplayName',
  'organizationSupportEmail',
] as const
