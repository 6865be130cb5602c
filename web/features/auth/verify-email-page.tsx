// /verify-email: confirms an address by the link of a letter, or sends another link.
import { Link } from 'react-router'
import { Alert } from '#web/components/ui/alert.tsx'
import { HttpError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useFetched } from '#web/lib/server/query-client.ts'
import { sendVerification, verifyEmail } from '#web/lib/sign-in/auth.ts'
import { EmailStep } from './email-step.tsx'
import { NoticePage } from './notice-page.tsx'
import { useAddressToken } from './use-address-token.ts'

/** Says what has become of the link. */
export function VerifyEmailPage() {
  const { t } = useTranslation('auth')
  const token = useAddressToken()
  const { value } = useFetched(['verify-email', token ?? ''], () => verify(token))
  return (
    <NoticePage title={t(($) => $.verify.title)} subtitle={t(($) => $.verify.subtitle)}>
      {value === undefined && <p role="status">{t(($) => $.verify.checking)}</p>}
      {value === 'failed' && <Alert tone="destructive">{t(($) => $.verify.failed)}</Alert>}
      {value === 'done' && (
        <Alert tone="success">
          <p className="font-medium">{t(($) => $.verify.done)}</p>
          <Link to={paths.home} className="font-medium text-primary hover:underline">
            {t(($) => $.verify.continue)}
          </Link>
        </Alert>
      )}
      {value === 'bad' && (
        <Alert tone="destructive" className="mb-5">
          <p className="font-medium">{t(($) => $.verify.badTitle)}</p>
          <p>{t(($) => $.verify.bad)}</p>
        </Alert>
      )}

      {value === 'bad' && (
        <EmailStep
          send={sendVerification}
          submitLabel={t(($) => $.verify.submit)}
          sentText={(email) => t(($) => $.verify.sent, { email })}
          failedText={t(($) => $.verify.sendFailed)}
        />
      )}
    </NoticePage>
  )
}

async function verify(token: string | null): Promise<'done' | 'bad' | 'failed'> {
  if (token === null) return 'bad'
  try {
    await verifyEmail(token)
    return 'done'
  } catch (error) {
    return error instanceof HttpError && error.status < 429 ? 'bad' : 'failed'
  }
}
