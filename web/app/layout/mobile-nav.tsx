// Navigation of small screens: a menu that slides in from the left, and a bar at the bottom.
import { Menu } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { Button } from '#web/components/ui/button.tsx'
import { Logo } from '#web/components/ui/logo.tsx'
import { Sheet, SheetContent, SheetTrigger } from '#web/components/ui/sheet.tsx'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { BOTTOM_COUNT, BOTTOM_ITEMS, isActiveItem, MENU_ITEMS, type NavItem, navTarget } from './navigation.ts'
import { UnreadBadge } from './unread-badge.tsx'
import { PlanBadge, UsageCounter } from './usage-counter.tsx'
import { useIsUseful } from './use-nav-items.ts'
import { CurrentWorkplace } from './workplace-switcher.tsx'

/** The menu button of the header; the menu closes when a link is followed. */
export function MobileMenu() {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const isUseful = useIsUseful()
  return (
    <Sheet open={isOpen} onOpenChange={setOpen}>
      <SheetTrigger asChild>
        <Button variant="ghost" size="icon" className="-ms-2 lg:hidden" aria-label={t(($) => $.nav.openMenu)}>
          <Menu className="size-5!" />
        </Button>
      </SheetTrigger>
      <SheetContent side="left" title={t(($) => $.nav.menu)} isTitleHidden>
        <Logo />
        <CurrentWorkplace className="px-3" />
        <nav aria-label={t(($) => $.nav.label)} className="flex-1">
          <ul className="flex flex-col gap-1">
            {MENU_ITEMS.filter(isUseful).map((item) => (
              <li key={item.key}>
                <MenuLink item={item} onFollow={() => setOpen(false)} />
              </li>
            ))}
          </ul>
        </nav>
        <div className="flex items-center justify-between gap-3 border-border border-t pt-4 sm:hidden">
          <UsageCounter />
          <PlanBadge />
        </div>
      </SheetContent>
    </Sheet>
  )
}

function MenuLink({ item, onFollow }: { item: NavItem; onFollow: () => void }) {
  const { t } = useTranslation()
  const location = useLocation()
  const isActive = isActiveItem(item, location.pathname)
  return (
    <Link
      to={navTarget(item, location)}
      onClick={onFollow}
      aria-current={isActive ? 'page' : undefined}
      className={cn(
        'flex h-11 items-center gap-3 rounded-lg px-3 font-medium text-[0.9375rem] text-muted-foreground',
        isActive && 'bg-accent text-foreground',
      )}
    >
      <item.icon aria-hidden="true" className={cn('size-5', isActive && 'text-primary')} strokeWidth={1.9} />
      {t(($) => $.nav[item.key])}
      {item.key === 'chats' && <UnreadBadge />}
    </Link>
  )
}

/** Five entries under the thumb, below 640 px. */
export function BottomBar() {
  const { t } = useTranslation()
  const items = BOTTOM_ITEMS.filter(useIsUseful()).slice(0, BOTTOM_COUNT)
  const location = useLocation()
  return (
    <nav
      aria-label={t(($) => $.nav.menu)}
      className="fixed inset-x-0 bottom-0 z-30 border-border border-t bg-surface pb-[env(safe-area-inset-bottom)] sm:hidden print:hidden"
    >
      <ul className="grid auto-cols-fr grid-flow-col">
        {items.map((item) => {
          const isActive = isActiveItem(item, location.pathname)
          return (
            <li key={item.key}>
              <Link
                to={navTarget(item, location)}
                aria-current={isActive ? 'page' : undefined}
                className={cn(
                  'flex h-15 flex-col items-center justify-center gap-1 font-medium text-[0.6875rem] text-muted-foreground focus-visible:-outline-offset-2',
                  isActive && 'text-primary',
                )}
              >
                <span className="relative">
                  <item.icon aria-hidden="true" className="size-5" strokeWidth={1.9} />
                  {item.key === 'chats' && <UnreadBadge isOverIcon />}
                </span>
                <span className="max-w-full truncate tracking-tight">{t(($) => $.nav.short[item.key])}</span>
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
