// Says when the processing of documents has come to an end, wherever one is by then.
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import type { DocumentWork } from '#shared/knowledge.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { toast } from '#web/lib/toast.ts'
import { endedSince } from './ended.rules.ts'

/** One toast for what became ready at one moment, and one for what failed. Nothing for what had ended before. */
export function useEndedToasts(work: DocumentWork | undefined): void {
  const { t } = useTranslation('tray')
  const navigate = useNavigate()
  const before = useRef<DocumentWork | undefined>(undefined)
  useEffect(() => {
    if (!work) return
    const { ready, failed } = endedSince(before.current, work)
    before.current = work
    const [first] = failed
    if (ready.length > 0) toast.success(t(($) => $.ready, { count: ready.length, name: ready[0]?.name ?? '' }))
    if (first) {
      toast.error(
        t(($) => $.failed, { count: failed.length, name: first.name }),
        { action: { label: t(($) => $.show), onClick: () => void navigate(paths.space(first.spaceSlug)) } },
      )
    }
  }, [work, t, navigate])
}
