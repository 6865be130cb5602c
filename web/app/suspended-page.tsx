// In the place of every page while the organization is suspended: why, and the way to another organization of the person.
import { Link } from 'react-router'
import type { Workplace } from '#shared/organizations/members.ts'
import type { Suspension } from '#shared/organizations/organizations.ts'
import { api } from '#web/api.ts'
import { Button, buttonClasses } from '#web/components/ui/button.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { Logo } from '#web/components/ui/logo.tsx'
import { useDocumentTitle } from '#web/components/ui/page.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { enterOrganization } from '#web/lib/sign-in/workplace.ts'
import { useSignOut } from './use-sign-out.ts'

/** Goes by itself when the organization is resumed. */
export function SuspendedPage({ suspended: { organizationId, organization, reason } }: { suspended: Suspension }) {
  const { t } = useTranslation('common')
  const signOut = useSignOut()
  const all: Workplace[] | undefined = useQuery(api.organizations.listMine, {})
  const { role } = useCurrentUser()
  const others = (all ?? []).filter(({ _id }) => _id !== organizationId)
  useDocumentTitle(t(($) => $.suspended.title, { organization }))
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-6 p-4">
      <Logo />
      <Card className="w-full max-w-md p-6">
        <h1 className="break-words font-semibold text-lg">{t(($) => $.suspended.title, { organization })}</h1>
        <p className="mt-2 text-muted-foreground">{t(($) => $.suspended.body)}</p>
        <p className="mt-4 whitespace-pre-wrap break-words">{reason}</p>
        {role === 'admin' && (
          <Link to={paths.admin} className={buttonClasses({ className: 'mt-4 w-full' })}>
            {t(($) => $.suspended.administration)}
          </Link>
        )}
        {others.map(({ _id, name }) => (
          <Button key={_id} className="mt-3 w-full" onClick={() => enterOrganization(_id)}>
            {t(($) => $.suspended.enter, { organization: name })}
          </Button>
        ))}
      </Card>
      <Button variant="link" size="sm" onClick={() => void signOut()}>
        {t(($) => $.header.signOut)}
      </Button>
    </main>
  )
}
