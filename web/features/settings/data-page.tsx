// /settings/data: what of the conversations leaves the product.
import { ExportsSection } from './exports-section.tsx'
import { SettingsLayout } from './settings-layout.tsx'

/** One section. */
export function DataPage() {
  return (
    <SettingsLayout tab="data">
      <ExportsSection />
    </SettingsLayout>
  )
}
