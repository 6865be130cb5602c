// What calls for the person in this browser: live alerts, their texts, which conversations are being looked at, and the tone.
import { useMemo } from 'react'
import type { Id } from '#shared/ids.ts'
import type { Alert, AlertReach, AlertSettings } from '#shared/organizations/alerts.ts'
import { api } from '#web/api.ts'
import { findPushWorker } from './browser/push.ts'
import { useTranslation } from './i18n.ts'
import { paths } from './paths.ts'
import { useAction, useQuery } from './server/convex.ts'
import { useFetched } from './server/query-client.ts'

/** What the person has not seen, newest first; undefined while it is not known. Everybody who asks shares one query. */
export function useAlerts(): Alert[] | undefined {
  return useQuery(api.alerts.list, {})
}

/** How the person is alerted; undefined while it is not known. */
export function useAlertSettings(): AlertSettings | undefined {
  return useQuery(api.alerts.settings, {})
}

/** Which ways lead out of this installation; undefined while it is not known. */
export function useAlertReach(): AlertReach | undefined {
  const reach = useAction(api.alerts.reach)
  return useFetched(['alerts-reach'], () => reach({})).value
}

/** One line that says what an alert is about. */
export function useAlertText(): (alert: Pick<Alert, 'kind' | 'event' | 'name' | 'by'>) => string {
  const { t } = useTranslation()
  return useMemo(() => {
    return ({ kind, event, name, by }) =>
      t(($) => $.alerts[event ?? kind], { name: name || t(($) => $.alerts.unnamed), by: by ?? '' })
  }, [t])
}

/** The page that an alert is about. */
export function alertPath(alert: Pick<Alert, 'kind' | 'event' | 'conversationId' | 'agentSlug'>): string {
  const { kind, event, conversationId, agentSlug } = alert
  if (conversationId) return paths.conversation(conversationId)
  if (event === 'calendarLost') return paths.calendarSetup(agentSlug)
  if (event === 'mcpLost') return paths.mcpServer(agentSlug ?? '')
  if (kind === 'connection') return paths.channels
  if (kind === 'product') return paths.notifications
  if (kind === 'summary') return '/analytics'
  if (kind === 'agent') return agentSlug ? paths.agentSettings(agentSlug) : paths.agents
  return event === 'billingSpending' ? paths.organizationSpend : paths.organization
}

/** Conversations that are on the screen. */
const open = new Set<Id<'conversations'>>()

/** Notes that a conversation is on the screen. The result takes it back. */
export function noteOpen(conversationId: Id<'conversations'>): () => void {
  open.add(conversationId)
  return () => void open.delete(conversationId)
}

/** Whether the person has a conversation before their eyes. */
export function isLookedAt(conversationId: Id<'conversations'> | null): boolean {
  return conversationId !== null && open.has(conversationId) && document.visibilityState === 'visible'
}

/** Hertz of two tones after each other. */
const TONES = [660, 880]
const TONE_SECONDS = 0.14

/** Plays the tone of an alert. Silent where the browser wants the person to touch the page first. */
export async function playTone(): Promise<void> {
  const audio = new AudioContext()
  const volume = audio.createGain()
  volume.gain.value = 0.12
  volume.connect(audio.destination)
  const ended = TONES.map((frequency, index) => {
    const tone = audio.createOscillator()
    tone.frequency.value = frequency
    tone.connect(volume)
    tone.start(audio.currentTime + index * TONE_SECONDS)
    tone.stop(audio.currentTime + (index + 1) * TONE_SECONDS)
    return tone
  })
  ended.at(-1)?.addEventListener('ended', () => void audio.close())
  await audio.resume()
}

/** Whether alerts may be shown outside the tab. */
export function notificationState(): NotificationPermission | 'unsupported' {
  return 'Notification' in window ? Notification.permission : 'unsupported'
}

/**
 * Shows an alert outside the tab. Without effect where that is not permitted, and on phones that want a service worker for it. Where push is on
 * the service worker shows it: what is pushed then takes its place.
 */
export async function notifyOutside(
  text: string,
  options: { body?: string; tag: string; path?: string; onOpen?: () => void },
): Promise<void> {
  if (notificationState() !== 'granted') return
  const { tag, path = '', onOpen } = options
  const shown = { tag, icon: '/icon-192.png', ...(options.body && { body: options.body }) }
  try {
    const worker = await findPushWorker()
    if (worker) return await worker.showNotification(text, { ...shown, data: location.origin + path })
    const notification = new Notification(text, shown)
    notification.onclick = () => {
      window.focus()
      onOpen?.()
      notification.close()
    }
  } catch {
    // The sound and the mark in the title tell of it.
  }
}
