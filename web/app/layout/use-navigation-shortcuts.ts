// The chords that go to a page: G, then a letter.
import { useLocation, useNavigate } from 'react-router'
import { useShortcut } from '#web/lib/browser/shortcuts.ts'
import { MENU_ITEMS, navTarget } from './navigation.ts'
import { useIsUseful } from './use-nav-items.ts'

/** Takes the chord of every entry of the navigation. */
export function useNavigationShortcuts(): void {
  const navigate = useNavigate()
  const location = useLocation()
  const isUseful = useIsUseful()
  // The entries are a constant of the module, so the number and order of hooks never change.
  for (const item of MENU_ITEMS) {
    // biome-ignore lint/correctness/useHookAtTopLevel: see above
    useShortcut(item.shortcut, () => void navigate(navTarget(item, location)), { isEnabled: isUseful(item) })
  }
}
