// The side navigation of wide screens: groups of links, collapsible to icons.
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { Button } from '#web/components/ui/button.tsx'
import { Logo, LogoMark } from '#web/components/ui/logo.tsx'
import { Tooltip } from '#web/components/ui/tooltip.tsx'
import { shortcutKeys, useShortcut } from '#web/lib/browser/shortcuts.ts'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { isActiveItem, type NavItem, navTarget, SIDEBAR_GROUPS } from './navigation.ts'
import { UnreadBadge } from './unread-badge.tsx'
import { useIsUseful } from './use-nav-items.ts'
import { useSidebar } from './use-sidebar.ts'
import { CurrentWorkplace } from './workplace-switcher.tsx'

/** Mod+B collapses and expands it; the state is kept. */
export function Sidebar() {
  const { t } = useTranslation()
  const { isCollapsed, toggle } = useSidebar()
  const isUseful = useIsUseful()
  useShortcut('toggleSidebar', toggle)
  return (
    <aside
      className={cn(
        'sticky top-0 hidden h-dvh shrink-0 print:hidden! flex-col border-border border-e bg-surface transition-[width] duration-150 lg:flex',
        isCollapsed ? 'w-16' : 'w-60',
      )}
    >
      <Link
        to="/"
        aria-label={t(($) => $.product)}
        className={cn('flex h-14 shrink-0 items-center rounded-md px-4.5', isCollapsed && 'justify-center px-0')}
      >
        {isCollapsed ? <LogoMark /> : <Logo />}
      </Link>
      <CurrentWorkplace isCollapsed={isCollapsed} className={cn('shrink-0 pb-2', isCollapsed ? 'px-0' : 'px-5.5')} />
      <nav aria-label={t(($) => $.nav.label)} className="flex-1 overflow-y-auto px-3 py-2">
        {SIDEBAR_GROUPS.filter((group) => group.some(isUseful)).map((group) => (
          <ul
            key={group[0]?.key}
            className="flex flex-col gap-0.5 border-border/70 py-2 first:pt-0 [&:not(:first-child)]:border-t"
          >
            {group.filter(isUseful).map((item) => (
              <li key={item.key}>
                <SidebarLink item={item} isCollapsed={isCollapsed} />
              </li>
            ))}
          </ul>
        ))}
      </nav>
      <div className={cn('flex border-border border-t p-3', isCollapsed && 'justify-center')}>
        <CollapseButton isCollapsed={isCollapsed} onToggle={toggle} />
      </div>
    </aside>
  )
}

function SidebarLink({ item, isCollapsed }: { item: NavItem; isCollapsed: boolean }) {
  const { t } = useTranslation()
  const location = useLocation()
  const isActive = isActiveItem(item, location.pathname)
  const name = t(($) => $.nav[item.key])
  return (
    <Tooltip content={name} side="right" keys={shortcutKeys(item.shortcut)} isDisabled={!isCollapsed}>
      <Link
        to={navTarget(item, location)}
        aria-current={isActive ? 'page' : undefined}
        className={cn(
          'relative flex h-9 items-center gap-3 rounded-lg px-2.5 font-medium text-muted-foreground transition-colors hover:bg-accent/70 hover:text-foreground',
          isActive && 'bg-accent text-foreground',
          isCollapsed && 'justify-center px-0',
        )}
      >
        <item.icon
          aria-hidden="true"
          className={cn('size-4.5 shrink-0', isActive && 'text-primary')}
          strokeWidth={1.9}
        />
        <span className={cn(isCollapsed ? 'sr-only' : 'truncate')}>{name}</span>
        {item.key === 'chats' && <UnreadBadge isOverIcon={isCollapsed} />}
      </Link>
    </Tooltip>
  )
}

function CollapseButton({ isCollapsed, onToggle }: { isCollapsed: boolean; onToggle: () => void }) {
  const { t } = useTranslation()
  const label = isCollapsed ? t(($) => $.nav.expand) : t(($) => $.nav.collapse)
  const Icon = isCollapsed ? PanelLeftOpen : PanelLeftClose
  return (
    <Tooltip content={label} side="right" keys={shortcutKeys('toggleSidebar')}>
      <Button variant="ghost" size="icon" aria-label={label} aria-expanded={!isCollapsed} onClick={onToggle}>
        <Icon className="text-muted-foreground" />
      </Button>
    </Tooltip>
  )
}
