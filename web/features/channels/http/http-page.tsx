// /channels/http: the programs of the organization.
import { Webhook } from 'lucide-react'
import { paths } from '#web/lib/paths.ts'
import { ConnectionsPage } from '../connection/connections-page.tsx'

/** The list, live. */
export function HttpPage() {
  return <ConnectionsPage channel="http" icon={Webhook} setupPath={paths.httpSetup} />
}
