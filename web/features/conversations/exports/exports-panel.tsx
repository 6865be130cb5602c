// Files of conversations that this person has asked for, in the header of every page: while they are written, and when they are ready.
import { EyeOff, FileDown } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Export } from '#shared/messaging/exports.ts'
import { api } from '#web/api.ts'
import { ExportItem, useDownload } from '#web/components/exports/export-item.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '#web/components/ui/popover.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { toast } from '#web/lib/toast.ts'

const SEEN_KEY = 'parley-exports'

/** Renders nothing without exports to show. Live; exports that this tab has seen running stay until hidden, also after a reload. */
export function ExportsPanel() {
  const { t } = useTranslation('exports')
  const { _id: me } = useCurrentUser()
  const exports: Export[] | undefined = useQuery(api.conversations.exports.list, {})
  const { shown, hide } = useShown(exports?.filter(({ author }) => author?._id === me))
  if (shown.length === 0) return null
  const isWorking = shown.some(isOpen)
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button
          variant="ghost"
          className="gap-1.5 px-2"
          aria-label={t(($) => $.open, { count: shown.length })}
          title={t(($) => $.tray)}
        >
          <FileDown aria-hidden="true" className={isWorking ? 'motion-safe:animate-pulse' : ''} />
          <span aria-hidden="true" className="tabular-nums">
            {formatNumber(shown.length)}
          </span>
        </Button>
      </PopoverTrigger>
      <PopoverContent align="end" className="w-96" aria-label={t(($) => $.tray)}>
        <h2 className="mb-3 font-medium">{t(($) => $.tray)}</h2>
        <ul
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
          tabIndex={0}
          className="flex max-h-80 flex-col gap-4 overflow-y-auto"
        >
          {shown.map((item) => (
            <ExportItem key={item._id} item={item}>
              {!isOpen(item) && (
                <Button
                  variant="ghost"
                  size="icon-sm"
                  aria-label={t(($) => $.hide, { name: item.name })}
                  onClick={() => hide(item._id)}
                >
                  <EyeOff />
                </Button>
              )}
            </ExportItem>
          ))}
        </ul>
      </PopoverContent>
    </Popover>
  )
}

/** Those that are under way, and those that were when this tab looked before; tells once when one of them is over. */
function useShown(own: Export[] | undefined): { shown: Export[]; hide: (id: string) => void } {
  const { t } = useTranslation('exports')
  const download = useDownload()
  const [seen, setSeen] = useState(readSeen)
  const open = useRef(new Set<string>())
  const latest = useRef({ t, download })
  latest.current = { t, download }
  useEffect(() => {
    if (!own) return
    for (const item of own) {
      if (isOpen(item)) open.current.add(item._id)
      else if (open.current.delete(item._id)) tell(item, latest.current)
    }
    const fresh = own.filter((item) => isOpen(item) && !seen.includes(item._id)).map(({ _id }) => _id)
    if (fresh.length > 0) setSeen(keepSeen([...seen, ...fresh]))
  }, [own, seen])
  const hide = (id: string) => setSeen(keepSeen(seen.filter((each) => each !== id)))
  const isNews = (item: Export) => seen.includes(item._id) && item.status !== 'cancelled'
  return { shown: (own ?? []).filter((item) => isOpen(item) || isNews(item)), hide }
}

type ToastContext = Pick<ReturnType<typeof useTranslation<'exports'>>, 't'> & {
  download: ReturnType<typeof useDownload>
}

function tell(item: Export, { t, download }: ToastContext): void {
  const { name, status } = item
  if (status === 'failed') toast.error(t(($) => $.failed, { name }))
  if (status !== 'ready') return
  toast.success(
    t(($) => $.ready, { name }),
    { action: { label: t(($) => $.downloadShort), onClick: () => download(item._id) } },
  )
}

function isOpen({ status }: Export): boolean {
  return status === 'waiting' || status === 'running'
}

function readSeen(): string[] {
  return (sessionStorage.getItem(SEEN_KEY) ?? '').split(' ').filter(Boolean)
}

function keepSeen(ids: string[]): string[] {
  sessionStorage.setItem(SEEN_KEY, ids.join(' '))
  return ids
}
