// For who is signed in: the button that accepts, or which address the invitation is for.
import { useState } from 'react'
import { Link } from 'react-router'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useSession } from '#web/lib/sign-in/session.tsx'
import { toast } from '#web/lib/toast.ts'
import { useJoining } from './use-joining.ts'

/** The address is the right one. */
export function AcceptCard({ token, email }: { token: string; email: string }) {
  const { t } = useTranslation('auth')
  const join = useJoining(token)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  async function accept() {
    setBusy(true)
    setFailure(null)
    try {
      await join()
    } catch (error) {
      setFailure(describeError(error).message)
      setBusy(false)
    }
  }
  return (
    <div className="flex flex-col gap-4">
      {failure && <Alert tone="destructive">{failure}</Alert>}
      <Button variant="primary" size="lg" isBusy={isBusy} onClick={() => void accept()}>
        {t(($) => $.invite.accept)}
      </Button>
      <p className="break-words text-center text-[0.8125rem] text-muted-foreground">
        {t(($) => $.invite.signedInAs, { email })}
      </p>
    </div>
  )
}

/** The address is another one. */
export function OtherAddress({ email, own }: { email: string; own: string }) {
  const { t } = useTranslation(['auth', 'common'])
  const session = useSession()
  const [isBusy, setBusy] = useState(false)
  async function signOut() {
    setBusy(true)
    await session.end().catch(() => toast.error(t(($) => $.session.signOutFailed, { ns: 'common' })))
    setBusy(false)
  }
  return (
    <div className="flex flex-col gap-4">
      <p className="break-words">{t(($) => $.invite.otherBody, { email, own })}</p>
      <Button variant="primary" size="lg" isBusy={isBusy} onClick={() => void signOut()}>
        {t(($) => $.invite.otherSignOut)}
      </Button>
      <Button asChild size="lg">
        <Link to={paths.home}>{t(($) => $.invite.stay)}</Link>
      </Button>
    </div>
  )
}
