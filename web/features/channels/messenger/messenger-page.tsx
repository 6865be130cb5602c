// /channels/max and the like: the accounts of the organization in one messenger.
import { MessageCircle } from 'lucide-react'
import type { MessengerChannel } from '#shared/channels/messengers.ts'
import { paths } from '#web/lib/paths.ts'
import { ConnectionsPage } from '../connection/connections-page.tsx'

/** The list, live. */
export function MessengerPage({ channel }: { channel: MessengerChannel }) {
  return <ConnectionsPage channel={channel} icon={MessageCircle} setupPath={paths.messengerSetup(channel)} />
}
