// Agents: what may be entered, and what a client gets.
import * as z from 'zod/mini'
import type { Id } from './ids.ts'
import { AGENT_NAME_MAX, SYSTEM_PROMPT_MAX, TEMPERATURE_MAX, TEMPERATURE_MIN } from './limits.ts'
import { id } from './schema.ts'

const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(AGENT_NAME_MAX))
const systemPrompt = z.string().check(z.maxLength(SYSTEM_PROMPT_MAX))
const model = z.string().check(z.minLength(1), z.maxLength(200))
const temperature = z.number().check(z.minimum(TEMPERATURE_MIN), z.maximum(TEMPERATURE_MAX))
/** `gallery:<style>:<seed>` for a picture made locally, `/files/…` for one re-hosted by us, null for initials. */
const avatar = z.nullable(z.string().check(z.maxLength(500), z.regex(/^(gallery:|\/files\/avatars\/)[\w:./-]+$/)))

export const createAgentInput = z.strictObject({
  name,
  systemPrompt: z.optional(systemPrompt),
  model: z.optional(model),
})
export const agentPatch = z.strictObject({
  name: z.optional(name),
  avatar: z.optional(avatar),
  systemPrompt: z.optional(systemPrompt),
  model: z.optional(model),
  temperature: z.optional(temperature),
})
export const updateAgentInput = z.strictObject({ id: id('agents'), patch: agentPatch })
/** Either by slug within the caller's organization, or by id. */
export const getAgentInput = z.union([
  z.strictObject({ slug: z.string(), organizationId: id('organizations') }),
  z.strictObject({ id: id('agents') }),
])
export const removeAgentInput = z.strictObject({ id: id('agents') })
/** An https address of a picture, which is fetched once, made 256×256 and served from here. */
export const loadAvatarInput = z.strictObject({ id: id('agents'), url: z.url().check(z.maxLength(2000)) })
export const agentFunctionsInput = z.strictObject({ agentId: z.optional(id('agents')) })

export type AgentPatch = z.infer<typeof agentPatch>

/** An agent as a client sees it. Instants in milliseconds since the epoch. */
export type Agent = {
  _id: Id<'agents'>
  slug: string
  name: string
  organizationId: Id<'organizations'>
  avatar: string | null
  systemPrompt: string
  model: string
  temperature: number
  knowledgeSpaceIds: Id<'knowledgeSpaces'>[]
  createdAt: number
  updatedAt: number
}

/** Something an agent can do while it answers, besides talking. */
export type AgentFunction = {
  agentId: Id<'agents'>
  name: 'knowledge_search'
  /** The spaces it searches. */
  knowledgeSpaces: { _id: Id<'knowledgeSpaces'>; name: string }[]
}
