// The frame of the administration for those whose own organization is suspended: nothing of that organization is in it.
import { Outlet, ScrollRestoration } from 'react-router'
import { OutageBanner } from '#web/components/outage-banner.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Logo } from '#web/components/ui/logo.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useSignOut } from '../use-sign-out.ts'
import { HeaderBreadcrumbs } from './header-breadcrumbs.tsx'
import { NavigationProgress } from './navigation-progress.tsx'
import { OfflineOverlay } from './offline-overlay.tsx'
import { useFocusOnNavigation } from './use-focus-on-navigation.ts'

/** A header and the content. */
export function BareFrame() {
  const { t } = useTranslation()
  const signOut = useSignOut()
  useFocusOnNavigation()
  return (
    <div className="flex min-h-dvh flex-col [--bottom-bar:0px] [--header:3.5rem]">
      <NavigationProgress />
      <header className="sticky top-0 z-30 flex h-14 items-center gap-4 border-border border-b bg-background/95 px-4 backdrop-blur-sm sm:px-6 print:hidden">
        <Logo />
        <div className="min-w-0 flex-1">
          <HeaderBreadcrumbs />
        </div>
        <Button variant="link" size="sm" onClick={() => void signOut()}>
          {t(($) => $.header.signOut)}
        </Button>
      </header>
      <OutageBanner className="sticky top-(--header) z-20" />
      <main id="content" className="flex min-w-0 flex-1 flex-col">
        <Outlet />
      </main>
      <OfflineOverlay />
      <ScrollRestoration />
    </div>
  )
}
