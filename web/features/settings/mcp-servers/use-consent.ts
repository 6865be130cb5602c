// The way to the consent at the OAuth server of a server.
import type { Id } from '#shared/ids.ts'
import { api } from '#web/api.ts'
import { useAction } from '#web/lib/server/convex.ts'

/** Leaves for the consent. The promise is false where there is none to give, which a toast has reported. */
export function useConsent(): (serverId: Id<'mcpServers'>) => Promise<boolean> {
  const authorize = useAction(api.mcpServers.authorize)
  return async (serverId) => {
    try {
      const { url } = await authorize({ serverId })
      window.location.assign(url)
      return true
    } catch {
      return false
    }
  }
}
