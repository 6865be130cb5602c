// /settings/data: how long customers' messages are kept, which exports exist, and what was removed.

import { SettingsLayout } from '../settings-layout.tsx'
import { ExportsSection } from './exports-section.tsx'
import { RemovalsSection } from './removals-section.tsx'
import { RetentionSection } from './retention-section.tsx'

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
