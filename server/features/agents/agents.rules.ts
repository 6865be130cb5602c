// Decisions about agents.
import type { Agent, AgentPatch } from '#shared/agents.ts'
import { TEMPERATURE_FIXED } from '#shared/limits.ts'
import type { ModelInfo } from '#shared/models.ts'

/** The temperature an agent runs at: the wished one, or 1 where the model has no such setting. A model that is not listed is taken to have it. */
export function temperatureFor(models: ModelInfo[], model: string, wished: number): number {
  const info = models.find((candidate) => candidate.name === model)
  return info && !info.hasTemperature ? TEMPERATURE_FIXED : wished
}

/** The patch as it is stored: with the temperature that the resulting model allows. */
export function completePatch(agent: Agent, patch: AgentPatch, models: ModelInfo[]): AgentPatch {
  const wished = patch.temperature ?? agent.temperature
  return { ...patch, temperature: temperatureFor(models, patch.model ?? agent.model, wished) }
}

/** Whether an avatar may be set by a patch: nothing, a picture of the gallery, or the one it has. Others are fetched by loadAvatar. */
export function isOwnAvatar(agent: Agent, avatar: string | null | undefined): boolean {
  return !avatar || avatar.startsWith('gallery:') || avatar === agent.avatar
}
