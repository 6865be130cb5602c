// /settings/api: the tokens by which programs use the organization's HTTP API.
import { SettingsLayout } from '../settings-layout.tsx'
import { TokensSection } from './tokens-section.tsx'

/** One section. */
export function ApiPage() {
  return (
    <SettingsLayout tab="api">
      <TokensSection />
    </SettingsLayout>
  )
}
