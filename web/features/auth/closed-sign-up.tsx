// What the sign-up page says where not everybody may sign up, and whether that is so.
import { Alert } from '#web/components/ui/alert.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useFetched } from '#web/lib/server/query-client.ts'
import { getConfig } from '#web/lib/sign-in/auth.ts'

/** Null while sign-up is open, or not known to be closed. `contact`: of the operator; null: none is shown. */
export function useClosedSignUp(): { contact: string | null } | null {
  const { value } = useFetched(['config'], getConfig)
  return value?.signUp && !value.signUp.isOpen ? { contact: value.signUp.contact } : null
}

/** Says that sign-up is closed and whom to ask. */
export function ClosedSignUp({ contact }: { contact: string | null }) {
  const { t } = useTranslation('auth')
  return (
    <Alert>
      <p className="font-medium">{t(($) => $.signUp.closedTitle)}</p>
      <p>{t(($) => (contact ? $.signUp.closedContact : $.signUp.closed))}</p>
      {contact && (
        <a className="font-medium text-primary hover:underline" href={`mailto:${contact}`}>
          {contact}
        </a>
      )}
    </Alert>
  )
}

/** Says who may sign up, above the form; nothing where everybody may, or the account is the first. */
export function SignUpRule() {
  const { t } = useTranslation('auth')
  const { value } = useFetched(['config'], getConfig)
  const { rule, domains = [], isFirst } = value?.signUp ?? {}
  if (isFirst || (rule !== 'invited' && rule !== 'domains')) return null
  return (
    <Alert className="mb-5">
      <p className="font-medium">{t(($) => (rule === 'invited' ? $.signUp.invitedTitle : $.signUp.domainsTitle))}</p>
      <p>
        {rule === 'invited' ? t(($) => $.signUp.invited) : t(($) => $.signUp.domains, { domains: domains.join(', ') })}
      </p>
    </Alert>
  )
}
