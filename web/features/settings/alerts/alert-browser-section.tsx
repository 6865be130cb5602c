// Whether this browser shows alerts outside the tab, and how one looks and sounds.
import { useState } from 'react'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { notificationState, notifyOutside, playTone } from '#web/lib/alerts.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { toast } from '#web/lib/toast.ts'

/** The permission, a button to ask for it, and a test. */
export function AlertBrowserSection() {
  const { t } = useTranslation(['settings', 'common'])
  const common = useTranslation('common').t
  const [state, setState] = useState(notificationState)
  const permit = async () => {
    await Notification.requestPermission()
    setState(notificationState())
  }
  const test = () => {
    const text = common(($) => $.alerts.test)
    void playTone().catch(() => undefined)
    toast.notice(text, { id: 'alert-test' })
    void notifyOutside(text, { tag: 'alert-test', path: paths.notifications })
  }
  return (
    <CardSection
      title={t(($) => $.alerts.browser)}
      description={t(($) => $.alerts.browserDescription)}
      actions={
        <Button size="sm" onClick={test}>
          {t(($) => $.alerts.test)}
        </Button>
      }
    >
      <Alert tone={state === 'granted' ? 'success' : state === 'denied' ? 'warning' : 'info'}>
        <span className="flex flex-wrap items-center gap-3">
          <span className="min-w-0 flex-1 basis-56">{t(($) => $.alerts.permission[state])}</span>
          {state === 'default' && (
            <Button size="sm" onClick={() => void permit()}>
              {t(($) => $.alerts.permit)}
            </Button>
          )}
        </span>
      </Alert>
    </CardSection>
  )
}
