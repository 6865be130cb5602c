// Which entry is active, and what the channels entry carries along.
import { describe, expect, it } from 'vitest'
import {
  BOTTOM_COUNT,
  BOTTOM_ITEMS,
  isActiveItem,
  MENU_ITEMS,
  type NavKey,
  navTarget,
  SIDEBAR_GROUPS,
} from './navigation.ts'

function item(key: NavKey) {
  const found = MENU_ITEMS.find((each) => each.key === key)
  if (!found) throw new Error(key)
  return found
}

describe('navigation', () => {
  it('marks an entry on its page and on every page below it', () => {
    expect(isActiveItem(item('agents'), '/agents')).toBe(true)
    expect(isActiveItem(item('agents'), '/agents/support/settings')).toBe(true)
    expect(isActiveItem(item('agents'), '/agentsmith')).toBe(false)
    expect(isActiveItem(item('test'), '/agents/support/test')).toBe(false)
  })

  it('counts every settings page as settings and a conversation as chats', () => {
    expect(isActiveItem(item('settings'), '/settings/security')).toBe(true)
    expect(isActiveItem(item('chats'), '/conversations/abc')).toBe(true)
  })

  it('carries the agent of the page to the channels, from the path or the query', () => {
    expect(navTarget(item('channels'), { pathname: '/agents/support/settings', search: '' })).toBe(
      '/channels?agentSlug=support',
    )
    expect(navTarget(item('channels'), { pathname: '/test', search: '?agentSlug=sales' })).toBe(
      '/channels?agentSlug=sales',
    )
    expect(navTarget(item('channels'), { pathname: '/agents', search: '' })).toBe('/channels')
    expect(navTarget(item('knowledge'), { pathname: '/agents/support/settings', search: '' })).toBe('/knowledge')
  })

  it('has analytics behind channels, for those who may read them', () => {
    expect(SIDEBAR_GROUPS[2]?.map(({ key }) => key)).toEqual(['chats', 'channels', 'analytics'])
    expect(item('analytics')).toMatchObject({ need: 'analytics.read', shortcut: 'goAnalytics' })
    expect(MENU_ITEMS.map(({ key }) => key).slice(-2)).toEqual(['analytics', 'settings'])
  })

  it('has the administration last in the sidebar and before analytics in the menu, for administrators', () => {
    expect(SIDEBAR_GROUPS.at(-1)?.map(({ key }) => key)).toEqual(['admin'])
    const keys = MENU_ITEMS.map(({ key }) => key)
    expect(keys[keys.indexOf('analytics') - 1]).toBe('admin')
    expect(item('admin')).toMatchObject({ isForAdmins: true, shortcut: 'goAdmin' })
  })

  it('puts agents, chats, knowledge and test first in the bottom bar, and the administration fourth', () => {
    const shown = (isAdmin: boolean) =>
      BOTTOM_ITEMS.filter((each) => isAdmin || !each.isForAdmins)
        .slice(0, BOTTOM_COUNT)
        .map(({ key }) => key)
    expect(shown(false)).toEqual(['agents', 'chats', 'knowledge', 'test', 'channels'])
    expect(shown(true)).toEqual(['agents', 'chats', 'knowledge', 'admin', 'test'])
  })
})
