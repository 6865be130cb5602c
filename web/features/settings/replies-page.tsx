// /settings/replies: replies that the team keeps ready.
import { RepliesSection } from './replies-section.tsx'
import { SettingsLayout } from './settings-layout.tsx'

/** One section. */
export function RepliesPage() {
  return (
    <SettingsLayout tab="replies">
      <RepliesSection />
    </SettingsLayout>
  )
}
