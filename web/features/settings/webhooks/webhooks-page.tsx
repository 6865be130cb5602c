// /settings/webhooks: addresses that hear of what happens, and what was sent to each.
import { SettingsLayout } from '../settings-layout.tsx'
import { EndpointView } from './endpoint-view.tsx'
import { EndpointsSection } from './endpoints-section.tsx'
import { useWebhooksView } from './use-webhooks-view.ts'

/** The list, or the endpoint that the address names. */
export function WebhooksPage() {
  const [{ endpoint }] = useWebhooksView()
  return (
    <SettingsLayout tab="webhooks">
      {endpoint === null ? <EndpointsSection /> : <EndpointView endpointId={endpoint} />}
    </SettingsLayout>
  )
}
