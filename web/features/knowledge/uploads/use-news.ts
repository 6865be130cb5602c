// Reports finished work in a toast on any page, and keeps failures until the user dismisses or retries them.
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { toast } from '#web/lib/toast.ts'
import { useSent } from '../documents/use-uploads.ts'
import { endedSince } from './ended.rules.ts'
import type { Work, WorkEntry } from './work.rules.ts'

const FAILED_KEY = 'parley-failed-work'

/**
 * One toast for work that became ready together, and one for failures. Work that had ended before is not reported, except uploads of this
 * page.
 *
 * @returns failures since this tab was opened, also before a reload, that still stand; and a function that dismisses one
 */
export function useNews(work: Work | undefined): { failed: WorkEntry[]; forget: (key: string) => void } {
  const { t } = useTranslation('tray')
  const navigate = useNavigate()
  const sent = useSent()
  const before = useRef<Work | undefined>(undefined)
  const reported = useRef(new Set<string>())
  const [known, setKnown] = useState(readFailed)
  useEffect(() => {
    if (!work) return
    const awaited = new Set([...sent].filter((key) => !reported.current.has(key)))
    const { ready, failed } = endedSince(before.current, work, awaited)
    before.current = work
    for (const { key } of [...ready, ...failed]) reported.current.add(key)
    const [first] = failed
    if (ready.length > 0) toast.success(t(($) => $.ready, { count: ready.length, name: ready[0]?.name ?? '' }))
    if (!first) return
    setKnown((keys) => keepFailed([...new Set([...keys, ...failed.map(({ key }) => key)])]))
    toast.error(
      t(($) => $.failed, { count: failed.length, name: first.name }),
      { action: { label: t(($) => $.show), onClick: () => void navigate(paths.space(first.spaceSlug)) } },
    )
  }, [work, sent, t, navigate])
  return {
    failed: (work?.ended ?? []).filter(({ key, outcome }) => outcome === 'failed' && known.includes(key)),
    forget: (key) => setKnown((keys) => keepFailed(keys.filter((each) => each !== key))),
  }
}

function readFailed(): string[] {
  return (sessionStorage.getItem(FAILED_KEY) ?? '').split(' ').filter(Boolean)
}

function keepFailed(keys: string[]): string[] {
  sessionStorage.setItem(FAILED_KEY, keys.join(' '))
  return keys
}
