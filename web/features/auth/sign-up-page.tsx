// /signup: the account, then the organization. Going back keeps what was entered, and so does a failure.
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { SESSION_EXPIRED_TOAST_MS } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { sleep } from '#web/lib/browser/sleep.ts'
import { HttpError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths, safeReturnPath, signInPath } from '#web/lib/paths.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { queryClient } from '#web/lib/server/query-client.ts'
import { signUp } from '#web/lib/sign-in/auth.ts'
import { describeAuthError } from '#web/lib/sign-in/auth-errors.ts'
import { useSession } from '#web/lib/sign-in/session.tsx'
import { toast } from '#web/lib/toast.ts'
import { AccountStep } from './account-step.tsx'
import type { AccountForm, OrganizationForm } from './auth-forms.ts'
import { AuthLayout } from './auth-layout.tsx'
import { ClosedSignUp, SignUpRule, useClosedSignUp } from './closed-sign-up.tsx'
import { useFirstAccount } from './first-account.ts'
import { GoogleButton } from './google-button.tsx'
import { NoticePage } from './notice-page.tsx'
import { OrganizationStep } from './organization-step.tsx'
import { register } from './registration.ts'

const NO_ACCOUNT: AccountForm = { name: '', email: '', password: '', confirmPassword: '' }
const NO_ORGANIZATION: OrganizationForm = {
  organizationName: '',
  organizationDisplayName: '',
  organizationSupportEmail: '',
}

/** Two steps. */
export function SignUpPage() {
  const { t } = useTranslation('auth')
  const [search] = useSearchParams()
  const returnTo = safeReturnPath(search.get('from'))
  const [step, setStep] = useState<'account' | 'organization'>('account')
  const [account, setAccount] = useState(NO_ACCOUNT)
  const [organization, setOrganization] = useState(NO_ORGANIZATION)
  const [failure, setFailure] = useState<string | null>(null)
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null)
  const closed = useClosedSignUp()
  const { makesAdmin } = useFirstAccount()
  const onFailure = (message: string, isAccountAtFault: boolean) => {
    setFailure(message)
    if (isAccountAtFault) setStep('account')
  }
  const run = useRegistration({ returnTo, onFailure, onUnconfirmed: setUnconfirmed })
  if (unconfirmed !== null) return <ConfirmFirst email={unconfirmed} returnTo={returnTo} />
  return (
    <AuthLayout
      page="signUp"
      title={t(($) => $.signUp.title)}
      subtitle={t(($) => (makesAdmin ? $.signUp.firstSubtitle : $.signUp.subtitle))}
      footer={
        <>
          {t(($) => $.signUp.haveAccount)}{' '}
          <Link to={signInPath(returnTo)} className="font-medium text-primary hover:underline">
            {t(($) => $.signUp.toSignIn)}
          </Link>
        </>
      }
    >
      {step === 'account' && !closed && <GoogleButton returnTo={returnTo} onError={setFailure} />}
      {step === 'account' && <SignUpRule />}
      {!closed && <StepMark step={step} />}
      {closed ? (
        <ClosedSignUp contact={closed.contact} />
      ) : step === 'account' ? (
        <AccountStep
          initial={account}
          failure={failure}
          onDone={(entry) => {
            setAccount(entry)
            setFailure(null)
            setStep('organization')
          }}
        />
      ) : (
        <OrganizationStep
          initial={organization}
          failure={failure}
          onBack={(entry) => {
            setOrganization(entry)
            setFailure(null)
            setStep('account')
          }}
          onDone={(entry) => {
            setOrganization(entry)
            setFailure(null)
            return run(account, entry)
          }}
        />
      )}
    </AuthLayout>
  )
}

/** Stands in place of the form when a letter has to be opened before the first sign-in. */
function ConfirmFirst({ email, returnTo }: { email: string; returnTo: string }) {
  const { t } = useTranslation('auth')
  return (
    <NoticePage
      title={t(($) => $.signUp.confirmTitle)}
      subtitle={t(($) => $.verify.subtitle)}
      backTo={signInPath(returnTo)}
    >
      <Alert>{t(($) => $.signUp.confirm, { email })}</Alert>
    </NoticePage>
  )
}

type RegistrationHandlers = {
  returnTo: string
  onFailure: (message: string, isAccountAtFault: boolean) => void
  /** The account is made, and its address has to be confirmed. */
  onUnconfirmed: (email: string) => void
}

function useRegistration({ returnTo, onFailure, onUnconfirmed }: RegistrationHandlers) {
  const { t } = useTranslation(['auth', 'common'])
  const navigate = useNavigate()
  const session = useSession()
  const createOrganization = useMutation(api.organizations.create, { hasToast: false })

  return async (account: AccountForm, organization: OrganizationForm): Promise<void> => {
    const steps = { signUp, begin: session.begin, wait: sleep, createOrganization, signOut: session.end }
    const outcome = await register(steps, account, organization)
    // There may be a first account now.
    void queryClient.invalidateQueries({ queryKey: ['config'] })
    switch (outcome.ended) {
      case 'done':
        await navigate(returnTo, { replace: true })
        return
      case 'account': {
        const isRefused = outcome.error instanceof HttpError && outcome.error.status < 429
        onFailure(
          describeAuthError(
            outcome.error,
            t(($) => $.signUp.failed),
          ),
          isRefused,
        )
        return
      }
      case 'unconfirmed':
        onUnconfirmed(account.email)
        return
      case 'taken':
        onFailure(
          t(($) => $.signUp.taken),
          true,
        )
        return
      case 'session':
        toast.error(
          t(($) => $.session.expired, { ns: 'common' }),
          { durationMs: SESSION_EXPIRED_TOAST_MS },
        )
        await navigate(paths.signIn)
        return
      case 'organization':
        onFailure(
          t(($) => $.signUp.organizationFailed),
          false,
        )
        return
      default:
        outcome satisfies never
    }
  }
}

function StepMark({ step }: { step: 'account' | 'organization' }) {
  const { t } = useTranslation('auth')
  const current = step === 'account' ? 1 : 2
  return (
    <div className="mb-5">
      <div aria-hidden="true" className="mb-2.5 grid grid-cols-2 gap-1.5">
        <div className="h-1 rounded-full bg-primary" />
        <div className={`h-1 rounded-full transition-colors ${current === 2 ? 'bg-primary' : 'bg-accent'}`} />
      </div>
      <p className="text-[0.8125rem] text-muted-foreground">
        {t(($) => $.signUp.step, { current, total: 2 })} · {t(($) => $.signUp[step])}
      </p>
    </div>
  )
}
