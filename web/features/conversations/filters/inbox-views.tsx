// The views of the inbox that are kept under a name: links, a button that keeps what is shown, and what can be done with one.
import { Bookmark, BookmarkPlus, Ellipsis, Star, Users } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { InboxView } from '#shared/messaging/views.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { Button } from '#web/components/ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#web/components/ui/dropdown-menu.tsx'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { isShown, viewPath, viewQueryOf } from './inbox-view-query.ts'
import { useInboxFilters } from './use-inbox-filters.ts'
import { ViewDialog } from './view-dialog.tsx'

/** Renders nothing without saved views and without filters to save. */
export function InboxViews({ views }: { views: InboxView[] }) {
  const { t } = useTranslation('conversations')
  const [query] = useInboxFilters()
  const [isSaving, setSaving] = useState(false)
  const present = viewQueryOf(query)
  const shown = views.find((view) => isShown(view, query))
  const canSave = present !== '' && !shown
  if (views.length === 0 && !canSave) return null
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-1.5">
      {views.length > 0 && (
        <nav aria-label={t(($) => $.views.label)} className="max-h-24 min-w-0 overflow-y-auto">
          <ul className="flex flex-wrap gap-1.5">
            <li>
              <ViewLink to={viewPath()} isShown={present === ''}>
                {t(($) => $.views.all)}
              </ViewLink>
            </li>
            {views.map((view) => (
              <li key={view._id} className="min-w-0">
                <ViewLink to={viewPath(view)} isShown={view === shown}>
                  <ViewName view={view} />
                </ViewLink>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {canSave && (
        <Button variant="ghost" size="sm" onClick={() => setSaving(true)}>
          <BookmarkPlus aria-hidden="true" />
          {t(($) => $.views.save)}
        </Button>
      )}
      {shown && <ViewMenu view={shown} />}
      {isSaving && <ViewDialog query={present} onClose={() => setSaving(false)} />}
    </div>
  )
}

type ViewLinkProps = { to: string; isShown: boolean; children: React.ReactNode }

function ViewLink({ to, isShown: isPresent, children }: ViewLinkProps) {
  return (
    <Link
      to={to}
      aria-current={isPresent || undefined}
      className={cn(
        'inline-flex min-h-6 max-w-full items-center gap-1 rounded-full border border-border px-2.5 font-medium text-xs hover:bg-accent pointer-coarse:min-h-11',
        isPresent && 'border-primary bg-primary-soft text-primary-soft-foreground',
      )}
    >
      {children}
    </Link>
  )
}

function ViewName({ view: { name, isShared, isDefault } }: { view: InboxView }) {
  const { t } = useTranslation('conversations')
  const Icon = isShared ? Users : Bookmark
  return (
    <>
      <Icon aria-hidden="true" className="size-3 shrink-0" />
      <span className="truncate">{name}</span>
      {isShared && <span className="sr-only">({t(($) => $.views.shared)})</span>}
      {isDefault && (
        <>
          <Star aria-hidden="true" className="size-3 shrink-0 fill-current" />
          <span className="sr-only">({t(($) => $.views.default)})</span>
        </>
      )}
    </>
  )
}

/** Of the view that is shown. */
function ViewMenu({ view }: { view: InboxView }) {
  const { t } = useTranslation('conversations')
  const setDefault = useMutation(api.conversations.views.setDefault)
  const [asked, setAsked] = useState<'rename' | 'remove' | null>(null)
  const close = () => setAsked(null)
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button variant="ghost" size="icon-sm" aria-label={t(($) => $.views.actions, { name: view.name })}>
            <Ellipsis />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="start">
          <DropdownMenuItem onSelect={() => setAsked('rename')}>{t(($) => $.views.rename)}</DropdownMenuItem>
          <DropdownMenuItem
            onSelect={() => void setDefault({ viewId: view.isDefault ? null : view._id }).catch(() => undefined)}
          >
            {view.isDefault ? t(($) => $.views.noDefault) : t(($) => $.views.makeDefault)}
          </DropdownMenuItem>
          <DropdownMenuItem onSelect={() => setAsked('remove')}>{t(($) => $.views.remove)}</DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      {asked === 'rename' && <ViewDialog view={view} onClose={close} />}
      {asked === 'remove' && <RemoveDialog view={view} onClose={close} />}
    </>
  )
}

function RemoveDialog({ view, onClose }: { view: InboxView; onClose: () => void }) {
  const { t } = useTranslation('conversations')
  const remove = useMutation(api.conversations.views.remove)
  return (
    <ConfirmDialog
      title={t(($) => $.views.removeTitle, { name: view.name })}
      description={view.isShared ? t(($) => $.views.removeShared) : t(($) => $.views.removeOwn)}
      confirmLabel={t(($) => $.views.remove)}
      onConfirm={async () => {
        await remove({ viewId: view._id })
        toast.success(t(($) => $.views.removed))
      }}
      onClose={onClose}
      isDestructive
    />
  )
}
