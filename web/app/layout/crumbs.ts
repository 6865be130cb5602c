// Where a route stands in the product, as its handle tells.
import type { Channel } from '#shared/channels/channels.ts'
import type { Crumb } from '#web/components/ui/breadcrumb.tsx'
import { paths } from '#web/lib/paths.ts'

/** Kept in the `handle` of each protected route; the breadcrumbs are built from it. */
export type CrumbHandle = {
  section: 'agents' | 'knowledge' | 'test' | 'chats' | 'channels' | 'analytics' | 'integrations' | 'settings' | 'admin'
  channel?: Exclude<Channel, 'test'>
  /** What the parameter of the path names. */
  entity?: 'agent' | 'space' | 'conversation' | 'connection'
  leaf?:
    | 'settings'
    | 'test'
    | 'setup'
    | 'googleCalendar'
    | 'production-test'
    | 'profile'
    | 'organization'
    | 'security'
    | 'api'
    | 'webhooks'
    | 'plan'
    | 'team'
    | 'replies'
    | 'data'
    | 'notifications'
    | 'audit'
    | 'branding'
    | 'documents'
    | 'base'
    | 'tables'
    | 'web-search'
    | 'rag-tester'
    | 'tools'
    | 'functions'
    | 'attacks'
  /** Of pages that name themselves: what follows the section. */
  trail?: () => Crumb[]
}

/** Names in the language on screen. */
export type CrumbNames = Record<
  CrumbHandle['section'] | NonNullable<CrumbHandle['channel']> | NonNullable<CrumbHandle['leaf']>,
  string
>

/** The thing that the path names; its name is undefined while it loads, and is never a raw slug. */
export type CrumbEntity = { name: string | undefined; slug: string }

/** The way to a page. The last step has no link. `agentSlug`: the agent whose channels are looked at stays chosen on the way back. */
export function crumbsFor(
  handle: CrumbHandle,
  names: CrumbNames,
  entity: CrumbEntity | undefined,
  agentSlug: string | null = null,
): Crumb[] {
  const section = handle.section === 'settings' ? paths.profile : paths[handle.section]
  const search = handle.section === 'channels' && agentSlug !== null ? `?${new URLSearchParams({ agentSlug })}` : ''
  const crumbs: Crumb[] = [{ label: names[handle.section], to: section + search }]
  if (handle.channel) crumbs.push({ label: names[handle.channel], to: paths.channel(handle.channel) + search })
  if (handle.entity && entity) {
    crumbs.push({ label: entity.name, ...(handle.leaf && linkTo(handle.entity, entity.slug)) })
  }
  if (handle.leaf) crumbs.push({ label: names[handle.leaf] })
  return handle.trail ? [...crumbs, ...handle.trail()] : crumbs
}

function linkTo(entity: CrumbHandle['entity'], slug: string): { to: string } | undefined {
  if (entity === 'agent') return { to: paths.agentSettings(slug) }
  return entity === 'space' ? { to: paths.space(slug) } : undefined
}
