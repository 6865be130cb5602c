// Settings of agents from the text that a version keeps of them. Each turn asks for them, and they change seldom.
import { type AgentSettings, agentSettings } from '#shared/agents/agent-settings.ts'

const TEXTS_KEPT = 500
const kept = new Map<string, AgentSettings>()

/** Checked and frozen: whoever has the same text is given the same object. */
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
