// Signing out, from the menu and from the palette.
import { useCallback } from 'react'
import { leavePush } from '#web/lib/browser/push.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useSession } from '#web/lib/sign-in/session.tsx'
import { toast } from '#web/lib/toast.ts'

/** Ends the session; the guard then shows the sign-in page. A failure shows a toast. */
export function useSignOut(): () => Promise<void> {
  const { end } = useSession()
  const { t } = useTranslation()
  return useCallback(async () => {
    try {
      await end()
      void leavePush().catch(() => undefined) // the server sends nothing more there in any case
    } catch {
      toast.error(t(($) => $.session.signOutFailed))
    }
  }, [end, t])
}
