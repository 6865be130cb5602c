// Says that the address of the person is not confirmed, and sends the letter again.
import { useState } from 'react'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useFetched } from '#web/lib/server/query-client.ts'
import { getConfig, sendVerification } from '#web/lib/sign-in/auth.ts'
import { describeAuthError } from '#web/lib/sign-in/auth-errors.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { toast } from '#web/lib/toast.ts'

/** Nothing once the address is confirmed. */
export function VerifyEmailNote() {
  const { t } = useTranslation('settings')
  const { email, isEmailVerified } = useCurrentUser()
  const { value } = useFetched(['config'], getConfig)
  const [isBusy, setIsBusy] = useState(false)
  if (isEmailVerified) return null
  const send = async () => {
    setIsBusy(true)
    try {
      await sendVerification(email)
      toast.success(t(($) => $.verifyEmail.sent))
    } catch (error) {
      const fallback = t(($) => $.failed)
      toast.error(describeAuthError(error, fallback))
    } finally {
      setIsBusy(false)
    }
  }
  const canSend = value?.canSendMail !== false
  return (
    <Alert>
      <p className="font-medium">{t(($) => $.verifyEmail.title)}</p>
      <p>{t(($) => (canSend ? $.verifyEmail.text : $.verifyEmail.noMail), { email })}</p>
      {canSend && (
        <Button className="mt-2" isBusy={isBusy} onClick={send}>
          {t(($) => $.verifyEmail.send)}
        </Button>
      )}
    </Alert>
  )
}
