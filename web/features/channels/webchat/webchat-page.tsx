// /channels/webchat: the web chats of the organization.
import { MessagesSquare } from 'lucide-react'
import { paths } from '#web/lib/paths.ts'
import { ConnectionsPage } from '../connection/connections-page.tsx'

/** The list, live. */
export function WebchatPage() {
  return <ConnectionsPage channel="webchat" icon={MessagesSquare} setupPath={paths.webchatSetup} />
}
