// What calls for the reader in a conversation is over once they have it before their eyes.
import { useEffect } from 'react'
import type { Id } from '#shared/ids.ts'
import type { Alert } from '#shared/organizations/alerts.ts'
import { api } from '#web/api.ts'
import { noteOpen, useAlerts } from '#web/lib/alerts.ts'
import { useMutation } from '#web/lib/server/convex.ts'

/** Marks the alerts of a conversation, and of those that are shown as one with it, as seen while it is open in a tab that can be seen. */
export function useAlertsSeen(conversationIds: Id<'conversations'>[]): void {
  const alerts = useAlerts()
  const markSeen = useMutation(api.alerts.markSeen, { hasToast: false })
  const isHere = ({ conversationId: id }: Alert) => id !== null && conversationIds.includes(id)
  const calling = alerts?.filter(isHere).map(({ _id }) => _id) ?? []
  const key = calling.join()
  const open = conversationIds.join()
  useEffect(() => {
    const closed = (open.split(',') as Id<'conversations'>[]).map(noteOpen)
    return () => {
      for (const close of closed) close()
    }
  }, [open])
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
