// /channels/telegram: the bots of the organization.
import { Send } from 'lucide-react'
import { paths } from '#web/lib/paths.ts'
import { ConnectionsPage } from '../connection/connections-page.tsx'

/** The list, live. */
export function TelegramPage() {
  return <ConnectionsPage channel="telegram" icon={Send} setupPath={paths.telegramSetup} />
}
