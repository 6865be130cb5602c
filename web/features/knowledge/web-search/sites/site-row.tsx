// One site: its state, reading progress, and the actions of that state.
import { EllipsisVertical, Globe, List, RotateCw, Settings2, Trash2, X } from 'lucide-react'
import type { Site } from '#shared/knowledge/sites.ts'
import { api } from '#web/api.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#web/components/ui/dropdown-menu.tsx'
import { Progress } from '#web/components/ui/progress.tsx'
import { formatDateTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'

type SiteRowProps = { site: Site; onOpen: (dialog: 'edit' | 'pages' | 'remove') => void }

const TONES = {
  syncing: 'primary',
  ready: 'success',
  stopped: 'neutral',
  error: 'destructive',
  removing: 'neutral',
} as const

/** Starts and stops reading; the pages are in a dialog. */
export function SiteRow({ site, onOpen }: SiteRowProps) {
  const { t } = useTranslation('web-search')
  const name = site.url.replace(/^https?:\/\//, '').replace(/\/$/, '')
  const isSyncing = site.status === 'syncing'
  const isGoing = site.status === 'removing'
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <Globe aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted-foreground" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <a
            href={site.url}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className="max-w-full truncate font-medium underline-offset-4 hover:underline"
          >
            {name}
          </a>
          <Badge tone={TONES[site.status]} hasDot>
            {t(($) => $.sites.status[site.status])}
          </Badge>
        </div>
        {isGoing ? (
          <p className="text-[0.8125rem] text-muted-foreground">
            {t(($) => $.sites.left, { count: Object.values(site.pages).reduce((sum, pages) => sum + pages, 0) })}
          </p>
        ) : (
          <SiteFacts site={site} />
        )}
        {isSyncing && <SiteProgress site={site} name={name} />}
        {site.errorReason && (
          <p className="mt-1 max-w-prose text-[0.8125rem] text-destructive-soft-foreground">
            {t(($) => $.sites.reason[site.errorReason ?? 'unreachable'])}
          </p>
        )}
        {!isGoing && <SiteButtons site={site} name={name} onOpen={onOpen} />}
      </div>
      {!isGoing && <SiteMenu name={name} onOpen={onOpen} />}
    </li>
  )
}

function SiteButtons({ site, name, onOpen }: SiteRowProps & { name: string }) {
  const { t } = useTranslation('web-search')
  return (
    <div className="mt-2 flex flex-wrap gap-2">
      {site.status === 'syncing' ? <StopButton site={site} name={name} /> : <SyncButton site={site} name={name} />}
      <Button size="sm" variant="ghost" onClick={() => onOpen('pages')}>
        <List aria-hidden="true" />
        {t(($) => $.sites.showPages)}
      </Button>
    </div>
  )
}

function SiteMenu({ name, onOpen }: Pick<SiteRowProps, 'onOpen'> & { name: string }) {
  const { t } = useTranslation('web-search')
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon-sm" aria-label={t(($) => $.sites.actions, { name })}>
          <EllipsisVertical />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuItem onSelect={() => onOpen('edit')}>
          <Settings2 aria-hidden="true" />
          {t(($) => $.sites.edit)}
        </DropdownMenuItem>
        <DropdownMenuItem isDestructive onSelect={() => onOpen('remove')}>
          <Trash2 aria-hidden="true" />
          {t(($) => $.sites.remove)}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

function SiteFacts({ site: { pages, lastSyncedAt, nextSyncAt } }: { site: Site }) {
  const { t } = useTranslation('web-search')
  const facts = [
    t(($) => $.sites.done, { count: pages.done }),
    pages.failed > 0 && t(($) => $.sites.failed, { count: pages.failed }),
    pages.skipped > 0 && t(($) => $.sites.skipped, { count: pages.skipped }),
    nextSyncAt !== null && t(($) => $.sites.next, { at: formatDateTime(nextSyncAt) }),
  ].filter((fact) => fact !== false)
  return (
    <p className="text-[0.8125rem] text-muted-foreground">
      {facts.join(' · ')}
      {lastSyncedAt !== null && (
        <>
          {' · '}
          <RelativeTime at={lastSyncedAt} />
        </>
      )}
    </p>
  )
}

function SiteProgress({ site: { pages }, name }: { site: Site; name: string }) {
  const { t } = useTranslation('web-search')
  const read = pages.done + pages.failed + pages.skipped
  const total = read + pages.pending
  return (
    <Progress
      className="mt-2 max-w-md"
      value={total === 0 ? null : read / total}
      label={t(($) => $.sites.progress, { read, total, name })}
    />
  )
}

function StopButton({ site, name }: { site: Site; name: string }) {
  const { t } = useTranslation('web-search')
  const cancel = useMutation(api.knowledge.sites.cancel)
  return (
    <Button
      size="sm"
      aria-label={t(($) => $.sites.stopLabel, { name })}
      onClick={() => void cancel({ siteId: site._id }).catch(() => undefined)} // reported in a toast
    >
      <X aria-hidden="true" />
      {t(($) => $.sites.stop)}
    </Button>
  )
}

function SyncButton({ site, name }: { site: Site; name: string }) {
  const { t } = useTranslation('web-search')
  const sync = useMutation(api.knowledge.sites.syncNow)
  return (
    <Button
      size="sm"
      aria-label={t(($) => $.sites.syncLabel, { name })}
      onClick={() => void sync({ siteId: site._id }).catch(() => undefined)} // reported in a toast
    >
      <RotateCw aria-hidden="true" />
      {t(($) => $.sites.sync)}
    </Button>
  )
}
