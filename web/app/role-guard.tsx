// Pages that are of use only with a permission.
import { ShieldX } from 'lucide-react'
import { Link, Navigate, Outlet, type RouteObject } from 'react-router'
import type { Permission } from '#shared/organizations/policy.ts'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { useDocumentTitle } from '#web/components/ui/page.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { ReadOnlyNote, useMay } from '#web/lib/sign-in/permissions.tsx'

/** The routes, for members with the permission; others see why not, and the way back. */
export function withPermission(need: Permission, children: RouteObject[]): RouteObject {
  return { element: <RoleGuard need={need} />, children }
}

/** Follows a role that changes while the page is open. */
function RoleGuard({ need }: { need: Permission }) {
  return useMay(need) ? <Outlet /> : <NoAccessPage />
}

/** To the first page that is of use to the member: conversations for operators, agents for all others. */
export function HomePage() {
  const role = useCurrentUser().organizationRole
  return <Navigate to={role === 'operator' ? paths.chats : paths.agents} replace />
}

function NoAccessPage() {
  const { t } = useTranslation()
  const title = t(($) => $.boundary.authorization.title)
  useDocumentTitle(title)
  return (
    <div className="flex min-h-[70dvh] flex-col items-center justify-center gap-4 px-6 text-center">
      <ShieldX aria-hidden="true" className="size-10 text-muted-foreground" strokeWidth={1.5} />
      <h1 tabIndex={-1} className="font-semibold text-xl">
        {title}
      </h1>
      <ReadOnlyNote />
      <Link to="/" className={buttonClasses({ variant: 'primary' })}>
        {t(($) => $.action.home)}
      </Link>
    </div>
  )
}
