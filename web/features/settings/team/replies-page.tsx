// /settings/replies: replies that the team keeps ready.

import { SettingsLayout } from '../settings-layout.tsx'
import { RepliesSection } from './replies-section.tsx'

/** One section. */
export function RepliesPage() {
  return (
    <SettingsLayout tab="replies">
      <RepliesSection />
    </SettingsLayout>
  )
}
