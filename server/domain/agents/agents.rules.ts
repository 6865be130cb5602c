// Decisions about agents.
import { isDeepStrictEqual } from 'node:util'
import { type AgentSettings, agentSettings } from '#shared/agents/agent-settings.ts'
import type { Agent, AgentPatch } from '#shared/agents/agents.ts'
import type { ModelInfo } from '#shared/agents/models.ts'
import { TEMPERATURE_FIXED } from '#shared/limits.ts'

/** The temperature an agent runs at: the wished one, or 1 where the model has no such setting. A model that is not listed is taken to have it. */
export function temperatureFor(models: ModelInfo[], model: string, wished: number): number {
  const info = models.find((candidate) => candidate.name === model)
  return info && !info.hasTemperature ? TEMPERATURE_FIXED : wished
}

type SettingsPatch = Omit<AgentPatch, 'name' | 'avatar'>

/** The settings after a change, at the temperature that the resulting model allows; null when nothing has changed. */
export function mergeSettings(agent: Agent, changes: SettingsPatch, models: ModelInfo[]): AgentSettings | null {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  const before = agentSettings.parse(agent)
  const merged: AgentSettings = { ...before, ...Object.fromEntries(given) }
  const after = { ...merged, temperature: temperatureFor(models, merged.model, merged.temperature) }
  return isDeepStrictEqual(before, after) ? null : after
}

/** Of a name and an avatar, what differs; null when neither does. */
export function changedIdentity(agent: Agent, { name, avatar }: Pick<AgentPatch, 'name' | 'avatar'>) {
  const changed = {
    ...(name !== undefined && name !== agent.name && { name }),
    ...(avatar !== undefined && avatar !== agent.avatar && { avatar }),
  }
  return Object.keys(changed).length > 0 ? changed : null
}

/** Models that a change brings in. */
export function newModels(agent: Agent, changes: SettingsPatch): string[] {
  const named = [...(changes.model === undefined ? [] : [changes.model]), ...(changes.fallback?.models ?? [])]
  const known = new Set([agent.model, ...agent.fallback.models])
  return named.filter((model) => !known.has(model))
}

/** Whether an avatar may be set by a patch: nothing, a picture of the gallery, or the one it has. Others are fetched by loadAvatar. */
export function isOwnAvatar(agent: Agent, avatar: string | null | undefined): boolean {
  return !avatar || avatar.startsWith('gallery:') || avatar === agent.avatar
}
