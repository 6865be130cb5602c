// Trying something that the server may refuse: the refusal is told, with a way to try again.
import { useCallback } from 'react'
import { FAILURE_TOAST_MS } from '#shared/limits.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'

/** The result says in a toast why something has failed, and tries it again from there. */
export function useRefusalToast(): (error: unknown, again: () => void) => void {
  const { t } = useTranslation()
  return useCallback(
    (error, again) => {
      toast.failure(error, {
        durationMs: FAILURE_TOAST_MS,
        action: { label: t(($) => $.action.retry), onClick: again },
      })
    },
    [t],
  )
}

/** The result runs what it is given, and never rejects: a refusal is told. */
export function useRetryable(): (run: () => Promise<unknown>) => Promise<void> {
  const tellRefusal = useRefusalToast()
  return useCallback(
    async function attempt(run) {
      try {
        await run()
      } catch (error) {
        tellRefusal(error, () => void attempt(run))
      }
    },
    [tellRefusal],
  )
}
