// The routes of the administration, for administrators of the installation. Everybody loads this file: what the pages are, and what they are
// called in the breadcrumbs, comes with the first of them.
import { Navigate, Outlet, type RouteObject } from 'react-router'
import { paths } from '#web/lib/paths.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import type { AdminPath } from './admin-pages.ts'

const PATHS: AdminPath[] = [
  'overview',
  'organizations',
  'organizations/:organizationId',
  'members',
  'invitations',
  'plans',
  'models',
  'flags',
  'template',
  'branding',
  'audit',
  'health',
]

export const adminRoute: RouteObject = {
  element: <AdminGuard />,
  children: [
    { path: paths.admin, element: <Navigate to={paths.adminPage('overview')} replace /> },
    ...PATHS.map((path) => ({
      path: `${paths.admin}/${path}`,
      lazy: async () => (await import('./admin-pages.ts')).ADMIN_PAGES[path](),
    })),
  ],
}

/** Follows a role that is taken away while the page is open. */
function AdminGuard() {
  const { role } = useCurrentUser()
  return role === 'admin' ? <Outlet /> : <Navigate to={paths.adminRefused} replace />
}
