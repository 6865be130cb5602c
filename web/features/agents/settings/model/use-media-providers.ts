// What may be chosen for recordings, pictures and spoken answers, and what of it works for an agent.
import type { AgentKey } from '#shared/agents/agent-keys.ts'
import type { MediaProviders } from '#shared/messaging/media.ts'
import { api } from '#web/api.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { useFetched } from '#web/lib/server/query-client.ts'

/** Undefined while loading. Changes only with the configuration of the installation. */
export function useMediaProviders(): MediaProviders | undefined {
  const load = useAction(api.models.media, { hasToast: false })
  return useFetched<MediaProviders>(['media-providers'], () => load({})).value
}

/** Whether a provider has no key at all: neither on this installation nor of the agent. Nothing lacks one while that is loading. */
export function lacksKey(
  listed: { provider: string; isConfigured: boolean } | undefined,
  keys: readonly AgentKey[],
): boolean {
  return listed !== undefined && !listed.isConfigured && !keys.some(({ provider }) => provider === listed.provider)
}
