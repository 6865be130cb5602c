// The frame around every protected screen: navigation, header, content, palette and shortcut sheet, offline overlay.
import { NuqsAdapter } from 'nuqs/adapters/react-router/v8'
import { lazy, Suspense, useCallback, useState } from 'react'
import { Outlet, ScrollRestoration } from 'react-router'
import { OutageBanner } from '#web/components/outage-banner.tsx'
import { PartBoundary } from '#web/components/ui/part-boundary.tsx'
import { TooltipProvider } from '#web/components/ui/tooltip.tsx'
import { UnsentWatcher } from '#web/features/conversations/reply/unsent-watcher.tsx'
import { useShortcut } from '#web/lib/browser/shortcuts.ts'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useIsDatabaseDown } from '#web/lib/server/database-health.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { AlertWatcher } from './alert-watcher.tsx'
import { AppHeader } from './app-header.tsx'
import { BrandKeeper } from './brand-keeper.tsx'
import { BulkWatcher } from './bulk-watcher.tsx'
import { BottomBar } from './mobile-nav.tsx'
import { NavigationProgress } from './navigation-progress.tsx'
import { NumberAlert } from './number-alert.tsx'
import { OfflineOverlay } from './offline-overlay.tsx'
import { Sidebar } from './sidebar.tsx'
import { useFocusOnNavigation } from './use-focus-on-navigation.ts'
import { useNavigationShortcuts } from './use-navigation-shortcuts.ts'

const SupportNotice = lazy(() => import('./support-notice.tsx').then((module) => ({ default: module.SupportNotice })))
const BareFrame = lazy(() => import('./bare-frame.tsx').then((module) => ({ default: module.BareFrame })))
const CommandPalette = lazy(() =>
  import('#web/app/command-palette.tsx').then((module) => ({ default: module.CommandPalette })),
)
const ShortcutSheet = lazy(() =>
  import('#web/app/shortcut-sheet.tsx').then((module) => ({ default: module.ShortcutSheet })),
)

/** What the screens stand in: URL state, tooltips, and the frame itself. Without an organization only the administration is open. */
export function AppLayout() {
  const { organization } = useCurrentUser()
  return (
    <NuqsAdapter>
      <TooltipProvider>
        <Suspense>{organization ? <Frame /> : <BareFrame />}</Suspense>
      </TooltipProvider>
    </NuqsAdapter>
  )
}

/** The content scrolls with the window; sidebar and header stay. */
function Frame() {
  const [overlay, setOverlay] = useState<'none' | 'palette' | 'shortcuts'>('none')
  const openShortcuts = useCallback(() => setOverlay('shortcuts'), [])
  const closeOverlay = useCallback(() => setOverlay('none'), [])
  useShortcut('openPalette', () => setOverlay(overlay === 'palette' ? 'none' : 'palette'))
  useShortcut('openSheet', openShortcuts)
  useNavigationShortcuts()
  useFocusOnNavigation()
  const isDown = useIsDatabaseDown()
  const hasSupport = useCurrentUser().supportAccesses.length > 0 && !isDown
  return (
    <div
      className={cn(
        'flex min-h-dvh [--bottom-bar:0px] [--header:3.5rem] max-sm:[--bottom-bar:calc(3.75rem+env(safe-area-inset-bottom))]',
        (isDown || hasSupport) && '[--notice:3.25rem] max-sm:[--notice:6rem] xl:[--notice:2.5rem]',
      )}
    >
      <SkipLink />
      <NavigationProgress />
      <PartBoundary fallback={null}>
        <BrandKeeper />
      </PartBoundary>
      <PartBoundary fallback={null}>
        <AlertWatcher />
      </PartBoundary>
      <PartBoundary fallback={null}>
        <UnsentWatcher />
      </PartBoundary>
      <Sidebar />
      <div className="flex min-w-0 flex-1 flex-col pb-(--bottom-bar)">
        <AppHeader onOpenPalette={() => setOverlay('palette')} onOpenShortcuts={openShortcuts} />
        <OutageBanner className="sticky top-(--header) z-20" />
        <Suspense>{hasSupport && <SupportNotice className="sticky top-(--header) z-20" />}</Suspense>
        <PartBoundary fallback={null}>
          <NumberAlert />
        </PartBoundary>
        <PartBoundary fallback={null}>
          <BulkWatcher />
        </PartBoundary>
        <main id="content" className="flex min-w-0 flex-1 flex-col">
          <Outlet />
        </main>
      </div>
      <BottomBar />
      <Suspense>
        {overlay === 'palette' && <CommandPalette onClose={closeOverlay} onOpenShortcuts={openShortcuts} />}
        {overlay === 'shortcuts' && <ShortcutSheet onClose={closeOverlay} />}
      </Suspense>
      <OfflineOverlay />
      <ScrollRestoration />
    </div>
  )
}

function SkipLink() {
  const { t } = useTranslation()
  return (
    <a
      href="#content"
      className="fixed top-2 left-2 z-50 -translate-y-20 rounded-lg bg-primary px-4 py-2 font-medium text-primary-foreground focus:translate-y-0 print:hidden"
    >
      {t(($) => $.nav.skip)}
    </a>
  )
}
