// /forgot: asks for a link that sets a new password, or says whom to ask where no mail is sent.
import { Alert } from '#web/components/ui/alert.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useFetched } from '#web/lib/server/query-client.ts'
import { getConfig, requestPasswordReset } from '#web/lib/sign-in/auth.ts'
import { EmailStep } from './email-step.tsx'
import { NoticePage } from './notice-page.tsx'

/** Says the same whether or not the address has an account. */
export function ForgotPage() {
  const { t } = useTranslation('auth')
  const { value } = useFetched(['config'], getConfig)
  return (
    <NoticePage title={t(($) => $.forgot.title)} subtitle={t(($) => $.forgot.subtitle)}>
      {value?.canSendMail === false ? (
        <NoMail contact={value.signUp.contact} />
      ) : (
        <EmailStep
          send={requestPasswordReset}
          submitLabel={t(($) => $.forgot.submit)}
          sentText={(email) => t(($) => $.forgot.sent, { email })}
          failedText={t(($) => $.forgot.failed)}
        />
      )}
    </NoticePage>
  )
}

function NoMail({ contact }: { contact: string | null }) {
  const { t } = useTranslation('auth')
  return (
    <Alert>
      <p className="font-medium">{t(($) => $.forgot.noMailTitle)}</p>
      <p>{t(($) => (contact ? $.forgot.noMailContact : $.forgot.noMail))}</p>
      {contact && (
        <a className="font-medium text-primary hover:underline" href={`mailto:${contact}`}>
          {contact}
        </a>
      )}
    </Alert>
  )
}
