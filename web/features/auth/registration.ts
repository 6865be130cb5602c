// The order of sign-up: account, session, a moment's wait, organization.

import { SIGN_UP_ORGANIZATION_DELAY_MS } from '#shared/limits.ts'
import { refusalData } from '#web/lib/refusal.ts'
import { ownTimeZone } from '#web/lib/time-zone.ts'
import type { AccountForm, OrganizationForm } from './auth-forms.ts'

/** What each step does; the page hands in the real ones. */
export type RegistrationSteps = {
  /** Resolves with `unconfirmed` when the address has to be confirmed before the first sign-in. */
  signUp: (account: Pick<AccountForm, 'name' | 'email' | 'password'>) => Promise<unknown>
  /** Resolves with whether the session stands. */
  begin: () => Promise<boolean>
  wait: (milliseconds: number) => Promise<void>
  createOrganization: (input: OrganizationForm & { name: string; timeZone?: string }) => Promise<unknown>
  signOut: () => Promise<void>
}

/**
 * Where sign-up ended. `unconfirmed`: a letter is on its way, and the organization is made after the first sign-in. `taken`: the server opened no session, as for an address that has an account. After `organization` and `session` the
 * account exists, and the visitor is signed out again.
 */
export type RegistrationOutcome =
  | { ended: 'done' | 'taken' | 'unconfirmed' }
  | { ended: 'account'; error: unknown }
  | { ended: 'organization' | 'session'; error: unknown }

/** Runs the steps. Never throws. */
export async function register(
  steps: RegistrationSteps,
  account: AccountForm,
  organization: OrganizationForm,
): Promise<RegistrationOutcome> {
  const { name, email, password } = account
  try {
    if ((await steps.signUp({ name, email, password })) === 'unconfirmed') return { ended: 'unconfirmed' }
  } catch (error) {
    return { ended: 'account', error }
  }
  try {
    if (!(await steps.begin())) {
      await steps.signOut().catch(() => undefined)
      return { ended: 'taken' }
    }
    await steps.wait(SIGN_UP_ORGANIZATION_DELAY_MS)
    await steps.createOrganization({ name, ...organization, ...ownTimeZone() })
    return { ended: 'done' }
  } catch (error) {
    // The owner of an account has come by its password.
    if (refusalData(error)?.code === 'organization_exists') return { ended: 'done' }
    // The next sign-in asks for the organization again; a failed sign-out changes nothing about that.
    await steps.signOut().catch(() => undefined)
    return { ended: String(error).includes('sessionExpired') ? 'session' : 'organization', error }
  }
}
