// Says when work has come to an end, wherever one is by then, and keeps what has failed at hand until somebody deals with it.
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
 * One toast for what became ready at one moment, and one for what failed. Nothing for what had ended before, but for what this page
 * has sent itself.
 *
 * @returns what has failed since this tab was opened, also before a reload, and is as it was; and how to forget one of it
 */
export function useNews(work: Work | undefined): { failed: WorkEntry[]; forget: (key: string) => void } {
  const { t } = useTranslation('tray')
  const navigate = useNavigate()
  const sent = useSent()
  const before = useRef<Work | undefined>(undefined)
  const told = useRef(new Set<string>())
  const [known, setKnown] = useState(readFailed)
  useEffect(() => {
    if (!work) return
    const awaited = new Set([...sent].filter((key) => !told.current.has(key)))
    const { ready, failed } = endedSince(before.current, work, awaited)
    before.current = work
    for (const { key } of [...ready, ...failed]) told.current.add(key)
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
