// /settings/data: how long what customers say is kept, what of it was exported, and what was removed.
import { ExportsSection } from './exports-section.tsx'
import { RemovalsSection } from './removals-section.tsx'
import { RetentionSection } from './retention-section.tsx'
import { SettingsLayout } from '../settings-layout.tsx'

/** Three sections. */
export function DataPage() {
  return (
    <SettingsLayout tab="data">
      <ExportsSection />
      <RetentionSection />
      <RemovalsSection />
    </SettingsLayout>
  )
}
