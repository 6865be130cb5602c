// The entries of the navigation, in the order in which they stand. Only screens that exist.
import {
  Blocks,
  BookOpen,
  Bot,
  ChartColumn,
  FlaskConical,
  type LucideIcon,
  MessagesSquare,
  Radio,
  Settings,
  ShieldCheck,
} from 'lucide-react'
import { matchPath } from 'react-router'
import type { Permission } from '#shared/organizations/policy.ts'
import type { ShortcutName } from '#web/lib/browser/shortcuts.ts'
import { paths } from '#web/lib/paths.ts'

export type NavKey =
  | 'agents'
  | 'knowledge'
  | 'test'
  | 'chats'
  | 'channels'
  | 'analytics'
  | 'integrations'
  | 'settings'
  | 'admin'
export type NavItem = {
  key: NavKey
  to: string
  icon: LucideIcon
  shortcut: ShortcutName
  /** Without it the page is of no use. */
  need?: Permission
  /** Only administrators of the installation see it. */
  isForAdmins?: boolean
}

const ITEMS: Record<NavKey, NavItem> = {
  agents: { key: 'agents', to: paths.agents, icon: Bot, shortcut: 'goAgents' },
  knowledge: { key: 'knowledge', to: paths.knowledge, icon: BookOpen, shortcut: 'goKnowledge' },
  test: { key: 'test', to: paths.test, icon: FlaskConical, shortcut: 'goTest', need: 'agents.test' },
  chats: { key: 'chats', to: paths.chats, icon: MessagesSquare, shortcut: 'goChats' },
  channels: { key: 'channels', to: paths.channels, icon: Radio, shortcut: 'goChannels' },
  analytics: {
    key: 'analytics',
    to: paths.analytics,
    icon: ChartColumn,
    shortcut: 'goAnalytics',
    need: 'analytics.read',
  },
  integrations: { key: 'integrations', to: paths.integrations, icon: Blocks, shortcut: 'goIntegrations' },
  settings: { key: 'settings', to: paths.profile, icon: Settings, shortcut: 'goSettings' },
  admin: { key: 'admin', to: paths.admin, icon: ShieldCheck, shortcut: 'goAdmin', isForAdmins: true },
}

/** The sidebar's groups. */
export const SIDEBAR_GROUPS: readonly (readonly NavItem[])[] = [
  [ITEMS.agents],
  [ITEMS.knowledge, ITEMS.test],
  [ITEMS.chats, ITEMS.channels, ITEMS.analytics],
  [ITEMS.integrations, ITEMS.settings],
  [ITEMS.admin],
]

/** The slide-in menu of small screens. */
export const MENU_ITEMS: readonly NavItem[] = [
  ITEMS.agents,
  ITEMS.chats,
  ITEMS.knowledge,
  ITEMS.test,
  ITEMS.channels,
  ITEMS.integrations,
  ITEMS.admin,
  ITEMS.analytics,
  ITEMS.settings,
]

/** The bottom bar of small screens shows the first five that are of use. */
export const BOTTOM_ITEMS: readonly NavItem[] = [
  ...[ITEMS.agents, ITEMS.chats, ITEMS.knowledge, ITEMS.admin],
  ...[ITEMS.test, ITEMS.channels],
]
export const BOTTOM_COUNT = 5

/** Whether an entry stands for the present page: its route or anything below it; for settings anything under /settings. */
export function isActiveItem(item: NavItem, pathname: string): boolean {
  const root = item.key === 'settings' ? paths.settings : item.to
  if (item.key === 'chats' && pathname.startsWith('/conversations/')) return true
  return pathname === root || pathname.startsWith(`${root}/`)
}

/** The address of an entry; the channels entry carries the agent of the present page. */
export function navTarget(item: NavItem, location: { pathname: string; search: string }): string {
  const slug = item.key === 'channels' ? agentSlugOf(location) : null
  return slug ? `${item.to}?${new URLSearchParams({ agentSlug: slug })}` : item.to
}

/** The agent of the present page: in its query or its path. */
export function agentSlugOf({ pathname, search }: { pathname: string; search: string }): string | null {
  return new URLSearchParams(search).get('agentSlug') ?? matchPath('/agents/:slug/*', pathname)?.params.slug ?? null
}
