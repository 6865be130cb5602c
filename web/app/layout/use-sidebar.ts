// Whether the sidebar is collapsed; kept in this browser.
import { useCallback, useState } from 'react'

const SIDEBAR_KEY = 'parley-sidebar'

/** The state and its toggle. */
export function useSidebar(): { isCollapsed: boolean; toggle: () => void } {
  const [isCollapsed, setCollapsed] = useState(read)
  const toggle = useCallback(() => {
    setCollapsed((was) => {
      write(!was)
      return !was
    })
  }, [])
  return { isCollapsed, toggle }
}

function read(): boolean {
  try {
    return localStorage.getItem(SIDEBAR_KEY) === 'collapsed'
  } catch {
    return false
  }
}

function write(isCollapsed: boolean): void {
  try {
    localStorage.setItem(SIDEBAR_KEY, isCollapsed ? 'collapsed' : 'expanded')
  } catch {
    // Storage may be forbidden; the state then lasts until the page is closed.
  }
}
