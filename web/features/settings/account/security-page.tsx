// /settings/security: how the account is signed in to, and the places where it is open.
import { SettingsLayout } from '../settings-layout.tsx'
import { DeleteAccountSection } from './delete-account-section.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { TwoStepSection } from './two-step-section.tsx'
import { VerifyEmailNote } from './verify-email-note.tsx'

/** Five sections, under a note where the address is not confirmed. */
export function SecurityPage() {
  return (
    <SettingsLayout tab="security">
      <VerifyEmailNote />
      <PasswordSection />
      <TwoStepSection />
      <PasskeysSection />
      <SessionsSection />
      <DeleteAccountSection />
    </SettingsLayout>
  )
}
