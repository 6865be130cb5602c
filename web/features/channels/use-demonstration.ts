// Where a demonstration lets people play what is outside.
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { isMessenger } from '#shared/channels/manifests.ts'
import { messengerForm } from '#shared/channels/messenger-forms.ts'
import type { Demonstration } from '#shared/demonstration.ts'
import { api } from '#web/api.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { useFetched } from '#web/lib/server/query-client.ts'

/** Null wherever this is no demonstration, and until it is known. */
export function useDemonstration(): Demonstration | null {
  const ask = useAction(api.channelConnections.demonstration, { hasToast: false })
  return useFetched(['demonstration'], () => ask({})).value ?? null
}

/** Where a customer writes to a bot or a number: in the messenger, in a demonstration on the page that plays it. */
export function useChatLink(): (connection: ChannelConnection) => string {
  const demonstration = useDemonstration()
  return ({ channel, identifier, externalAccountId }) => {
    if (channel === 'whatsapp')
      return demonstration
        ? pageWith(demonstration.whatsapp, { number: externalAccountId })
        : `https://wa.me/${identifier}`
    if (channel === 'whatsappCloud') return demonstration?.whatsappCloud ?? `https://wa.me/${identifier}`
    return demonstration ? pageWith(demonstration.telegram, { bot: identifier }) : `https://t.me/${identifier}`
  }
}

/** Where a customer writes to an account of a messenger; null where there is no such address. */
export function useMessengerLink(): (connection: ChannelConnection) => string | null {
  const demonstration = useDemonstration()
  return ({ channel, identifier, externalAccountId }) => {
    if (!isMessenger(channel)) return null
    const { chatUrl } = messengerForm(channel)
    return demonstration?.messengers[channel] ?? chatUrl?.({ identifier, externalAccountId }) ?? null
  }
}

/** The page with a choice made on it. */
export function pageWith(page: string, choice: Record<string, string>): string {
  return `${page}?${new URLSearchParams(choice)}`
}
