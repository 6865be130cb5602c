// /settings/replies: replies that the team keeps ready.

import { WritableBy } from '#web/lib/sign-in/permissions.tsx'
import { SettingsLayout } from '../settings-layout.tsx'
import { RepliesSection } from './replies-section.tsx'

/** One section. */
export function RepliesPage() {
  return (
    <SettingsLayout tab="replies">
      <WritableBy permission="inbox.write">
        <RepliesSection />
      </WritableBy>
    </SettingsLayout>
  )
}
