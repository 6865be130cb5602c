// Parses the stored settings of a version, cached: each turn needs them, and they rarely change.
import { type AgentSettings, agentSettings } from '#shared/agents/agent-settings.ts'

const TEXTS_KEPT = 500
const kept = new Map<string, AgentSettings>()

/** Validated and frozen; equal texts give the same object. */
export function settingsOfText(text: string): AgentSettings {
  const known = kept.get(text)
  if (known) return known
  if (kept.size >= TEXTS_KEPT) kept.clear()
  const settings = freeze(agentSettings.parse(JSON.parse(text)))
  kept.set(text, settings)
  return settings
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const part of Object.values(value)) freeze(part)
  return Object.freeze(value)
}
