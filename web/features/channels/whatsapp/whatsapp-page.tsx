// /channels/whatsapp: the numbers of the organization.
import { MessageCircle } from 'lucide-react'
import { paths } from '#web/lib/paths.ts'
import { ConnectionsPage } from '../connection/connections-page.tsx'

/** The list, live. */
export function WhatsappPage() {
  return <ConnectionsPage channel="whatsapp" icon={MessageCircle} setupPath={paths.whatsappSetup} />
}
