// An agent's own keys of model providers: input, and what is shown of them.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { PROVIDER_KEY_MAX, PROVIDER_KEY_MIN } from '#shared/limits.ts'
import { id } from '#shared/schema.ts'

/** Providers of models that write. */
const MODEL_PROVIDERS = ['openai', 'anthropic', 'google'] as const
export type ModelProvider = (typeof MODEL_PROVIDERS)[number]

/** Providers of which an agent may have a key of its own: those, and others that listen to recordings. */
export const KEY_PROVIDERS = [...MODEL_PROVIDERS, 'groq', 'deepgram', 'elevenlabs'] as const
export type KeyProvider = (typeof KEY_PROVIDERS)[number]

const agentId = id('agents')
const provider = z.enum(KEY_PROVIDERS)
/** Printable characters without spaces: anything else could not be sent in a header. */
const key = z
  .string()
  .check(z.trim(), z.minLength(PROVIDER_KEY_MIN), z.maxLength(PROVIDER_KEY_MAX), z.regex(/^[\x21-\x7e]*$/))

export const agentKeysInput = z.strictObject({ agentId })
export const agentKeyInput = z.strictObject({ agentId, provider })
export const setAgentKeyInput = z.strictObject({ agentId, provider, key })
/** Without `key` the stored one is tried. */
export const testAgentKeyInput = z.strictObject({ agentId, provider, key: z.optional(key) })

/** A stored key. It is never returned; its last characters identify it. */
export type AgentKey = {
  agentId: Id<'agents'>
  provider: KeyProvider
  /** The last characters behind dots. */
  maskedKey: string
  updatedAt: number
}

/** Whether a provider has models that write; the others only listen. */
export function isModelProvider(provider: string): provider is ModelProvider {
  return (MODEL_PROVIDERS as readonly string[]).includes(provider)
}
