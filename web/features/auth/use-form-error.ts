// Translates the messages of the auth forms' rules.
import { useTranslation } from '#web/lib/i18n.ts'
import { FORM_ERRORS } from './auth-forms.ts'

/** A function from a field's error to its text, a general one for a rule without words; undefined for a good field. */
export function useFormError(): (error: { message?: string | undefined } | undefined) => string | undefined {
  const { t } = useTranslation('auth')
  return (error) => error?.message && t(($) => $.error[FORM_ERRORS.find((known) => known === error.message) ?? 'other'])
}
