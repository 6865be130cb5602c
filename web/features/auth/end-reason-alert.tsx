// Why the person is on the sign-in page again.
import { Alert } from '#web/components/ui/alert.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { SessionState } from '#web/lib/sign-in/session.tsx'

/** Nothing unless a session was lost. */
export function EndReasonAlert({ session }: { session: SessionState }) {
  const { t } = useTranslation('auth')
  if (session.status !== 'signedOut' || session.cause !== 'expired') return null
  const reason = session.reason ?? 'expired'
  return <Alert className="mb-5">{t(($) => $.ended[reason])}</Alert>
}
