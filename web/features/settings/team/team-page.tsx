// /settings/team: who takes conversations.

import { SettingsLayout } from '../settings-layout.tsx'
import { OperatorsSection } from './operators-section.tsx'

/** One section. */
export function TeamPage() {
  return (
    <SettingsLayout tab="team">
      <OperatorsSection />
    </SettingsLayout>
  )
}
