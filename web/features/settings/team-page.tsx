// /settings/team: who takes conversations.
import { OperatorsSection } from './operators-section.tsx'
import { SettingsLayout } from './settings-layout.tsx'

/** One section. */
export function TeamPage() {
  return (
    <SettingsLayout tab="team">
      <OperatorsSection />
    </SettingsLayout>
  )
}
