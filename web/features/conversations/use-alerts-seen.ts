// What calls for the reader in a conversation is over once they have it before their eyes.
import { useEffect } from 'react'
import type { Id } from '#shared/ids.ts'
import { api } from '#web/api.ts'
import { noteOpen, useAlerts } from '#web/lib/alerts.ts'
import { useMutation } from '#web/lib/convex.ts'

/** Marks the alerts of a conversation as seen while it is open in a tab that can be seen. */
export function useAlertsSeen(conversationId: Id<'conversations'>): void {
  const alerts = useAlerts()
  const markSeen = useMutation(api.alerts.markSeen, { hasToast: false })
  const calling = alerts?.filter((alert) => alert.conversationId === conversationId).map(({ _id }) => _id) ?? []
  const key = calling.join()
  useEffect(() => noteOpen(conversationId), [conversationId])
  useEffect(() => {
    if (key === '') return
    const alertIds = key.split(',') as Id<'alerts'>[]
    const mark = () => {
      if (document.visibilityState !== 'visible') return
      markSeen({ alertIds }).catch(() => undefined) // they stay, and the next visit tries again
    }
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [key, markSeen])
}
