// The bar at the top of every protected screen.
import { Search } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Button } from '#web/components/ui/button.tsx'
import { Kbd } from '#web/components/ui/kbd.tsx'
import { shortcutKeys } from '#web/lib/browser/shortcuts.ts'
import { loadTexts, useTranslation } from '#web/lib/i18n.ts'
import { May } from '#web/lib/sign-in/permissions.tsx'
import { HeaderBreadcrumbs } from './header-breadcrumbs.tsx'
import { MobileMenu } from './mobile-nav.tsx'
import { PlanBadge, UsageCounter } from './usage-counter.tsx'
import { UserMenu } from './user-menu.tsx'

const WorkTray = lazy(async () => {
  const [{ UploadsPanel }] = await Promise.all([
    import('#web/features/knowledge/uploads/uploads-panel.tsx'),
    loadTexts('tray'),
  ])
  return { default: UploadsPanel }
})
const ExportTray = lazy(async () => {
  const [{ ExportsPanel }] = await Promise.all([
    import('#web/features/conversations/exports/exports-panel.tsx'),
    loadTexts('exports'),
  ])
  return { default: ExportsPanel }
})

type AppHeaderProps = { onOpenPalette: () => void; onOpenShortcuts: () => void }

/** Menu button, breadcrumbs, work in the background, search, counters, plan, user menu. */
export function AppHeader({ onOpenPalette, onOpenShortcuts }: AppHeaderProps) {
  return (
    <header className="sticky top-0 z-30 flex print:hidden h-14 items-center gap-2 border-border border-b bg-background/95 px-4 backdrop-blur-sm sm:px-6">
      <MobileMenu />
      <div className="min-w-0 flex-1">
        <HeaderBreadcrumbs />
      </div>
      <Suspense>
        <May need="data.write">
          <ExportTray />
        </May>
        <WorkTray />
      </Suspense>
      <SearchButton onClick={onOpenPalette} />
      <UsageCounter isCompact />
      <div className="hidden sm:block">
        <PlanBadge />
      </div>
      <div className="ms-1">
        <UserMenu onOpenShortcuts={onOpenShortcuts} />
      </div>
    </header>
  )
}

function SearchButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation()
  const label = t(($) => $.header.search)
  return (
    <Button
      variant="ghost"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={onClick}
      className="px-2 font-normal text-muted-foreground xl:border xl:border-input/60 xl:bg-surface xl:ps-3 xl:pe-2"
    >
      <Search />
      <span className="max-xl:sr-only">{label}</span>
      <span aria-hidden="true" className="hidden xl:inline-flex">
        <Kbd keys={shortcutKeys('openPalette')} />
      </span>
    </Button>
  )
}
