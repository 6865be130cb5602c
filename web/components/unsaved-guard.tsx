// Stands in the way of leaving a page whose changes are not saved, inside the product and in the browser.
import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { useTranslation } from '#web/lib/i18n.ts'
import { AlertDialog } from './ui/alert-dialog.tsx'

/** Asks before another path is opened, and lets the browser ask before the tab is closed. Changes of query and hash pass. */
export function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const { t } = useTranslation()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (!isDirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isDirty])
  return (
    <AlertDialog
      isOpen={blocker.state === 'blocked'}
      onOpenChange={(isOpen) => !isOpen && blocker.reset?.()}
      title={t(($) => $.leave.title)}
      description={t(($) => $.leave.body)}
      cancelLabel={t(($) => $.leave.stay)}
      confirmLabel={t(($) => $.leave.leave)}
      onConfirm={() => blocker.proceed?.()}
      isDestructive
    />
  )
}
