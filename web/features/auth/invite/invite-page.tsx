// /invite: what one is invited to, and the way in: for who is signed in, who has an account, and who is new.
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { InvitePreview } from '#shared/organizations/members.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { DateTime } from '#web/components/ui/date-time.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths, signInPath } from '#web/lib/paths.ts'
import { refusalData } from '#web/lib/refusal.ts'
import { queryOnce } from '#web/lib/server/public-query.ts'
import { useFetched } from '#web/lib/server/query-client.ts'
import { getSession } from '#web/lib/sign-in/auth.ts'
import { useSession } from '#web/lib/sign-in/session.tsx'
import { AuthLayout } from '../auth-layout.tsx'
import { AcceptCard, OtherAddress } from './accept-card.tsx'
import { JoinForm } from './join-form.tsx'
import { takeInvite } from './kept-invite.ts'

/** Public. The secret has left the address before this is drawn. */
export function InvitePage() {
  const { t } = useTranslation('auth')
  const [token] = useState(takeInvite)
  if (token === null) return <Unusable reason={t(($) => $.invite.noToken)} />
  return <Invited token={token} />
}

function Invited({ token }: { token: string }) {
  const { t } = useTranslation('auth')
  const { status } = useSession()
  const found = useFetched(['invite', token], () => findInvite(token), { isFresh: true })
  const isSignedIn = status === 'signedIn'
  // Who is signed in here: known to the sign-in service without an organization, too.
  const own = useFetched(['invite-session'], getSession, { isEnabled: isSignedIn, isFresh: true })
  if (found.error && !found.value) return <Failed error={found.error} onRetry={found.reload} />
  if (!found.value || status === 'loading' || (isSignedIn && !own.value && !own.error)) return <Loading />
  if ('refusal' in found.value) return <Refused error={found.value.refusal} />
  const { preview } = found.value
  const { organizationName: organization, email, hasAccount } = preview
  const ownEmail = isSignedIn ? (own.value?.user.email ?? null) : null
  if (ownEmail !== null && ownEmail.toLowerCase() !== email)
    return (
      <Layout title={t(($) => $.invite.otherTitle)} subtitle={<About preview={preview} />}>
        <OtherAddress email={email} own={ownEmail} />
      </Layout>
    )
  return (
    <Layout title={t(($) => $.invite.title, { organization })} subtitle={<About preview={preview} />}>
      <Facts preview={preview} />
      {isSignedIn ? (
        <AcceptCard token={token} email={email} />
      ) : hasAccount ? (
        <HasAccount />
      ) : (
        <JoinForm token={token} email={email} />
      )}
    </Layout>
  )
}

/** Who invites. */
function About({ preview: { invitedBy } }: { preview: InvitePreview }) {
  const { t } = useTranslation('auth')
  return invitedBy ? t(($) => $.invite.by, { name: invitedBy }) : t(($) => $.invite.byNobody)
}

/** With which role, for whom and until when. */
function Facts({ preview: { role, email, expiresAt } }: { preview: InvitePreview }) {
  const { t } = useTranslation(['auth', 'common'])
  return (
    <dl className="mb-6 flex flex-col gap-3 rounded-lg border border-border bg-surface px-4 py-3 text-sm">
      <div>
        <dt className="text-[0.8125rem] text-muted-foreground">{t(($) => $.invite.role)}</dt>
        <dd>
          <span className="font-medium">{t(($) => $.roles[role], { ns: 'common' })}</span>
          <span className="block text-[0.8125rem] text-muted-foreground">
            {t(($) => $.roleHints[role], { ns: 'common' })}
          </span>
        </dd>
      </div>
      <div>
        <dt className="text-[0.8125rem] text-muted-foreground">{t(($) => $.invite.email)}</dt>
        <dd className="break-all font-medium">{email}</dd>
      </div>
      <div>
        <dt className="text-[0.8125rem] text-muted-foreground">{t(($) => $.invite.expires)}</dt>
        <dd className="font-medium">
          <DateTime at={expiresAt} />
        </dd>
      </div>
    </dl>
  )
}

/** Sign-in returns here; the secret waits in the tab. */
function HasAccount() {
  const { t } = useTranslation('auth')
  return (
    <div className="flex flex-col gap-4">
      <p>{t(($) => $.invite.haveAccount)}</p>
      <Button asChild variant="primary" size="lg">
        <Link to={signInPath(paths.invite)}>{t(($) => $.invite.signIn)}</Link>
      </Button>
    </div>
  )
}

/** What the link invites to, or why it does not work: another try would not change that. @throws what another try may */
async function findInvite(token: string): Promise<{ preview: InvitePreview } | { refusal: Error }> {
  try {
    return { preview: await queryOnce(api.organizations.invites.preview, { token }) }
  } catch (error) {
    const code = refusalData(error)?.code
    if (code?.startsWith('invite_') || code === 'invalid_arguments') return { refusal: error as Error }
    throw error
  }
}

/** Why the link does not work, and whom to ask. */
function Refused({ error }: { error: Error }) {
  const { t } = useTranslation('auth')
  const isIncomplete = refusalData(error)?.code === 'invalid_arguments'
  return <Unusable reason={isIncomplete ? t(($) => $.invite.noToken) : describeError(error).message} />
}

/** An outage can be waited out. */
function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation('auth')
  return (
    <Layout title={t(($) => $.invite.retryTitle)} subtitle={describeError(error).message}>
      <Button variant="primary" size="lg" onClick={onRetry}>
        {t(($) => $.invite.retry)}
      </Button>
    </Layout>
  )
}

function Unusable({ reason }: { reason: string }) {
  const { t } = useTranslation('auth')
  const { status } = useSession()
  const isSignedIn = status === 'signedIn'
  return (
    <Layout title={t(($) => $.invite.badTitle)} subtitle={reason}>
      <Button asChild variant="primary" size="lg">
        <Link to={isSignedIn ? paths.home : paths.signIn}>
          {t(($) => (isSignedIn ? $.invite.toApp : $.invite.toSignIn))}
        </Link>
      </Button>
    </Layout>
  )
}

function Loading() {
  const { t } = useTranslation('auth')
  return (
    <Layout title={t(($) => $.invite.documentTitle)} subtitle={t(($) => $.invite.loading)}>
      <Skeleton className="h-40" />
    </Layout>
  )
}

type LayoutProps = { title: string; subtitle: ReactNode; children: ReactNode }

function Layout(props: LayoutProps) {
  return <AuthLayout page="signUp" footer={null} {...props} />
}
