// /channels/whatsapp-cloud: the numbers of the organization on Meta's own Cloud API.
import { MessageCircleMore } from 'lucide-react'
import { paths } from '#web/lib/paths.ts'
import { ConnectionsPage } from '../connection/connections-page.tsx'

/** The list, live. */
export function WhatsappCloudPage() {
  return <ConnectionsPage channel="whatsappCloud" icon={MessageCircleMore} setupPath={paths.whatsappCloudSetup} />
}
