// The address for alert emails, and whether this installation can send any.
import { useState } from 'react'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { useAlertReach } from '#web/lib/alerts.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { toast } from '#web/lib/toast.ts'

/** Offers no test when no mail server is configured. */
export function AlertEmailSection() {
  const { t } = useTranslation('settings')
  const { email } = useCurrentUser()
  const test = useAction(api.alerts.testEmail)
  const [isSending, setSending] = useState(false)
  const isConfigured = useAlertReach()?.email
  const send = async () => {
    setSending(true)
    try {
      await test({})
      toast.success(t(($) => $.alerts.emailSent))
    } catch {
      // reported in a toast
    } finally {
      setSending(false)
    }
  }
  return (
    <CardSection
      title={t(($) => $.alerts.email)}
      actions={
        isConfigured && (
          <Button size="sm" isBusy={isSending} onClick={() => void send()}>
            {t(($) => $.alerts.test)}
          </Button>
        )
      }
    >
      {isConfigured === false ? (
        <Alert tone="warning">{t(($) => $.alerts.emailMissing)}</Alert>
      ) : (
        <p className="break-words">{t(($) => $.alerts.emailTo, { email })}</p>
      )}
    </CardSection>
  )
}
