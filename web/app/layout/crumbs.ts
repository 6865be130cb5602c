// Where a route stands in the product, as its handle tells.
import type { Crumb } from '#web/components/ui/breadcrumb.tsx'
import { paths } from '#web/lib/paths.ts'

/** Kept in the `handle` of each protected route; the breadcrumbs are built from it. */
export type CrumbHandle = {
  section: 'agents' | 'knowledge' | 'test' | 'chats' | 'channels' | 'settings'
  channel?: 'telegram'
  /** What the parameter of the path names. */
  entity?: 'agent' | 'space' | 'conversation' | 'connection'
  leaf?: 'settings' | 'test' | 'setup' | 'profile'
}

/** Names in the language on screen. */
export type CrumbNames = Record<CrumbHandle['section'] | 'telegram' | 'setup' | 'profile', string>

/** The way to a page; `entityName` is undefined while it loads, and is never a raw slug. */
export function crumbsFor(
  handle: CrumbHandle,
  names: CrumbNames,
  entity: { name: string | undefined; slug: string },
): Crumb[] {
  const crumbs: Crumb[] = [
    { label: names[handle.section], to: handle.section === 'settings' ? paths.profile : paths[handle.section] },
  ]
  if (handle.channel) crumbs.push({ label: names[handle.channel], to: paths.telegram })
  if (handle.entity) {
    crumbs.push(
      handle.entity === 'agent' ? { label: entity.name, to: paths.agentSettings(entity.slug) } : { label: entity.name },
    )
  }
  if (handle.leaf) crumbs.push({ label: names[handle.leaf] })
  return crumbs
}
