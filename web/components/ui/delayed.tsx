// Shows a placeholder only when loading takes long enough to be noticed.
import { type ReactNode, useEffect, useState } from 'react'
import { SKELETON_DELAY_MS } from '#shared/limits.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** Renders nothing for `delayMs` (100 by default), then its children, announced as loading. */
export function Delayed({ children, delayMs = SKELETON_DELAY_MS }: { children: ReactNode; delayMs?: number }) {
  const { t } = useTranslation()
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), delayMs)
    return () => clearTimeout(timer)
  }, [delayMs])
  if (!isShown) return null
  return (
    <div aria-busy="true">
      <span role="status" className="sr-only">
        {t(($) => $.state.loading)}
      </span>
      {children}
    </div>
  )
}
