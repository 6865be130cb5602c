// Encrypts keys of model providers for storage, bound to their row, and decrypts them where a model is called.
import type { Secrets } from '#server/platform/lib/secrets.ts'
import type { KeyProvider } from '#shared/agents/agent-keys.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { SealedKeys } from './keys.store.ts'

/** Encrypts a key for one agent's row. */
export function sealKey(secrets: Secrets, agentId: Id<'agents'>, provider: KeyProvider, key: string): string {
  return secrets.encrypt(key, placeOf(agentId, provider))
}

/**
 * An agent's keys as a model call wants them. One that cannot be opened fails the call as a refused key does: the installation's
 * own must not pay in its place.
 */
export function keyOpener(
  secrets: Secrets,
  agentId: Id<'agents'>,
  sealed: SealedKeys,
): (provider: KeyProvider) => string | undefined {
  return (provider) => {
    const stored = sealed[provider]
    if (stored === undefined) return undefined
    try {
      return secrets.decrypt(stored, placeOf(agentId, provider))
    } catch {
      throw new AppError('model_failed', { reason: 'invalid_key' })
    }
  }
}

function placeOf(agentId: Id<'agents'>, provider: KeyProvider): string {
  return `agent_keys|${agentId}/${provider}|key`
}
