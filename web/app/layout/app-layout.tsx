// The frame around every protected screen.
import { Outlet } from 'react-router'

/** Sidebar, header and content. */
export function AppLayout() {
  return (
    <main id="content">
      <Outlet />
    </main>
  )
}
