// The way from the top of the product to this page.
import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { Skeleton } from './skeleton.tsx'

/** One step. `label` is undefined while the name is loading; the last step has no link. */
export type Crumb = { label: string | undefined; to?: string }

/** A label of at most this many letters is not worth cutting short. */
const SHORT = 12

/** Steps as links; the last one is the current page. It is the first to be cut short, and alone on small screens. */
export function Breadcrumb({ crumbs }: { crumbs: readonly Crumb[] }) {
  const { t } = useTranslation()
  return (
    <nav aria-label={t(($) => $.nav.breadcrumbs)} className="min-w-0">
      <ol className="flex min-w-0 items-center gap-1.5 text-sm">
        {crumbs.map((crumb, index) => {
          const isLast = index === crumbs.length - 1
          const isShort = crumb.label !== undefined && crumb.label.length <= SHORT
          return (
            <li
              key={crumb.to ?? index}
              className={cn(
                'flex min-w-0 items-center gap-1.5',
                isLast ? 'shrink-[20]' : 'max-sm:hidden',
                isShort && 'lg:shrink-0',
              )}
            >
              {index > 0 && (
                <ChevronRight aria-hidden="true" className="size-3.5 shrink-0 text-muted-foreground max-sm:hidden" />
              )}
              <CrumbText crumb={crumb} isLast={isLast} />
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

function CrumbText({ crumb, isLast }: { crumb: Crumb; isLast: boolean }) {
  if (crumb.label === undefined) return <Skeleton className="h-4 w-28" />
  if (isLast || !crumb.to) {
    return (
      <span aria-current={isLast ? 'page' : undefined} className="truncate font-medium">
        {crumb.label}
      </span>
    )
  }
  return (
    <Link to={crumb.to} className="truncate rounded-sm text-muted-foreground hover:text-foreground">
      {crumb.label}
    </Link>
  )
}
