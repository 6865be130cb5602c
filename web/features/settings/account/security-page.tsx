// /settings/security: the password and the places where the account is open.

import { SettingsLayout } from '../settings-layout.tsx'
import { PasswordSection } from './password-section.tsx'
import { SessionsSection } from './sessions-section.tsx'

/** Two sections. */
export function SecurityPage() {
  return (
    <SettingsLayout tab="security">
      <PasswordSection />
      <SessionsSection />
    </SettingsLayout>
  )
}
