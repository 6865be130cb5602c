// /settings/notifications: which alerts the user receives, and where.
import type { AlertSettings } from '#shared/organizations/alerts.ts'
import { api } from '#web/api.ts'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useAlertSettings } from '#web/lib/alerts.ts'
import { currentLanguage } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { ownTimeZone } from '#web/lib/time-zone.ts'
import { SettingsLayout } from '../settings-layout.tsx'
import { AlertBrowserSection } from './alert-browser-section.tsx'
import { AlertEmailSection } from './alert-email-section.tsx'
import { AlertKindsSection } from './alert-kinds-section.tsx'
import { AlertMannerSection } from './alert-manner-section.tsx'
import { AlertPushSection } from './alert-push-section.tsx'
import { AlertTelegramSection } from './alert-telegram-section.tsx'
import { AlertsWaitingSection } from './alerts-waiting-section.tsx'

/** Every choice takes effect at once. */
export function AlertsPage() {
  const settings = useAlertSettings()
  const user = useCurrentUser()
  const save = useMutation(api.alerts.save)
  const change = (patch: Partial<AlertSettings>) => {
    if (!settings) return
    const place = { language: currentLanguage(), timeZone: settings.timeZone, ...ownTimeZone(user.timeZone) }
    void save({ ...settings, ...place, ...patch }).catch(() => undefined) // reported in a toast
  }
  return (
    <SettingsLayout tab="notifications">
      <AlertsWaitingSection />
      {settings ? (
        <>
          <AlertKindsSection settings={settings} onChange={change} />
          <AlertMannerSection settings={settings} onChange={change} />
        </>
      ) : (
        <Delayed>
          <Skeleton className="h-80" />
        </Delayed>
      )}
      <AlertBrowserSection />
      <AlertPushSection />
      <AlertEmailSection />
      <AlertTelegramSection />
    </SettingsLayout>
  )
}
