// The pages of a site: the result of each, and a retry for failures.
import { RotateCw } from 'lucide-react'
import type { Site, SitePage } from '#shared/knowledge/sites.ts'
import { api } from '#web/api.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, usePaginatedQuery } from '#web/lib/server/convex.ts'

const PAGE_SIZE = 50
const TONES = { pending: 'neutral', done: 'success', skipped: 'neutral', failed: 'destructive' } as const

/** Open while mounted. Live, ordered by address. */
export function SitePagesDialog({ site, onClose }: { site: Site; onClose: () => void }) {
  const { t } = useTranslation('web-search')
  const { results, status, loadMore } = usePaginatedQuery(
    api.knowledge.sites.pages,
    { siteId: site._id },
    { initialNumItems: PAGE_SIZE },
  )
  const pages: SitePage[] = results
  const title = t(($) => $.pages.title)
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title={title} description={site.url} className="max-w-3xl">
        <section
          aria-label={title}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
          tabIndex={0}
          className="-mx-6 -mb-6 flex min-h-0 flex-col gap-3 overflow-y-auto overscroll-contain rounded-b-2xl px-6 pb-6 focus-visible:-outline-offset-2"
        >
          {status === 'LoadingFirstPage' && (
            <Delayed>
              <Skeleton className="h-24" />
            </Delayed>
          )}
          {status !== 'LoadingFirstPage' && pages.length === 0 && (
            <p className="text-muted-foreground">{t(($) => $.pages.empty)}</p>
          )}
          <ul className="divide-y divide-border">
            {pages.map((page) => (
              <PageRow key={page._id} page={page} />
            ))}
          </ul>
          {(status === 'CanLoadMore' || status === 'LoadingMore') && (
            <Button className="self-center" isBusy={status === 'LoadingMore'} onClick={() => loadMore(PAGE_SIZE)}>
              {t(($) => $.pages.more)}
            </Button>
          )}
        </section>
      </DialogContent>
    </Dialog>
  )
}

function PageRow({ page }: { page: SitePage }) {
  const { t } = useTranslation('web-search')
  const retry = useMutation(api.knowledge.sites.retryPage)
  const canRetry = page.status === 'skipped' || page.status === 'failed'
  return (
    <li className="flex items-start gap-3 py-2.5">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="max-w-full truncate font-medium">{page.title || page.url}</span>
          <Badge tone={TONES[page.status]}>{t(($) => $.pages.status[page.status])}</Badge>
        </div>
        <a
          href={page.url}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className="block truncate text-muted-foreground text-xs underline-offset-4 hover:underline"
        >
          {page.url}
        </a>
        {page.reason && <p className="text-[0.8125rem]">{t(($) => $.sites.reason[page.reason ?? 'unreachable'])}</p>}
      </div>
      {canRetry && (
        <Button
          size="sm"
          variant="ghost"
          aria-label={t(($) => $.pages.retryLabel, { name: page.title || page.url })}
          onClick={() => void retry({ sitePageId: page._id }).catch(() => undefined)} // reported in a toast
        >
          <RotateCw aria-hidden="true" />
          {t(($) => $.pages.retry)}
        </Button>
      )}
    </li>
  )
}
