// Shows alerts while Parley is open: a count and a mark on the tab, a tone, and a toast or a browser notification.
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { type Alert, type AlertSettings, isQuiet } from '#shared/organizations/alerts.ts'
import { api } from '#web/api.ts'
import {
  alertPath,
  isLookedAt,
  notifyOutside,
  playTone,
  useAlertSettings,
  useAlerts,
  useAlertText,
} from '#web/lib/alerts.ts'
import { setTabCount, setTabMark } from '#web/lib/browser/tab-badge.ts'
import { LANGUAGES, useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { useUnread } from '#web/lib/use-unread.ts'

/** How long one tab holds the lock of an alert, so that other tabs do not show it too. */
const ONE_TAB_MS = 3000

/** Renders nothing. */
export function AlertWatcher() {
  const alerts = useAlerts()
  const settings = useAlertSettings()
  const tell = useTelling(settings)
  useReportedLanguage(settings)
  useUnreadInTitle()
  const known = useRef<Set<string> | null>(null)
  useEffect(() => {
    if (!alerts) return
    const shown = alerts.filter(({ isInBrowser }) => isInBrowser)
    setTabMark(shown.length > 0)
    const before = known.current
    known.current = new Set(alerts.map(({ _id }) => _id))
    // Alerts that existed when the page was opened only mark the tab.
    const news = before
      ? shown.filter(({ _id, conversationId }) => !before.has(_id) && !isLookedAt(conversationId))
      : []
    for (const alert of news) tell(alert)
  }, [alerts, tell])
  useEffect(() => () => setTabMark(false), [])
  return null
}

/** Shows the inbox badge's unread count in the title. */
function useUnreadInTitle(): void {
  const text = useUnread()?.text ?? null
  useEffect(() => setTabCount(text), [text])
  useEffect(() => () => setTabCount(null), [])
}

/** Reports the interface language, in which notifications are sent. Once per language: two browsers may differ. */
function useReportedLanguage(settings: AlertSettings | undefined): void {
  const { i18n } = useTranslation()
  const setLanguage = useMutation(api.alerts.setLanguage, { hasToast: false })
  const language = LANGUAGES.find((each) => i18n.language === each)
  const reported = useRef<string>(undefined)
  useEffect(() => {
    if (!settings || !language || reported.current === language) return
    reported.current = language
    if (settings.language !== language) setLanguage({ language }).catch(() => undefined) // reported again on the next visit
  }, [settings, language, setLanguage])
}

/** Returns a stable function that shows one alert, in one tab of the browser. */
function useTelling(settings: AlertSettings | undefined): (alert: Alert) => void {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const textOf = useAlertText()
  const current = useRef<(alert: Alert) => void>(() => undefined)
  current.current = (alert) => {
    if (!settings || isQuiet(settings.quietHours, hourIn(settings.timeZone))) return
    const open = () => void navigate(alertPath(alert))
    const text = textOf(alert)
    const body = alert.preview ?? undefined
    void inOneTab(alert._id, () => {
      if (settings.hasSound) void playTone().catch(() => undefined)
      if (document.visibilityState !== 'visible')
        return void notifyOutside(text, { tag: alert._id, path: alertPath(alert), onOpen: open, ...(body && { body }) })
      const action = { label: t(($) => $.alerts.open), onClick: open }
      toast.notice(text, { id: alert._id, action, ...(body && { description: body }) })
    })
  }
  const stable = useRef((alert: Alert) => current.current(alert))
  return stable.current
}

function hourIn(timeZone: string): number {
  return Number(new Intl.DateTimeFormat('en-US', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(Date.now()))
}

/** Runs `tell` unless another tab does so for the same alert. */
async function inOneTab(alertId: string, tell: () => void): Promise<void> {
  if (!navigator.locks) return tell()
  await navigator.locks.request(`alert-${alertId}`, { ifAvailable: true }, async (lock) => {
    if (!lock) return
    tell()
    await new Promise((resolve) => setTimeout(resolve, ONE_TAB_MS))
  })
}
