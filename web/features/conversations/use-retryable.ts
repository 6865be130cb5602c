// Running something that the server may refuse: the refusal is shown with a retry action.
import { useCallback } from 'react'
import { FAILURE_TOAST_MS } from '#shared/limits.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'

/** Returns a function that shows the error in a toast with a retry action. */
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

/** Returns a function that runs its argument and never rejects: a refusal is shown in a toast. */
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
