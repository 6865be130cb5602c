// Agents: validation of input, and the shapes that clients receive.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { AGENT_NAME_MAX, PROMPT_DESCRIPTION_MAX, SYSTEM_PROMPT_MAX } from '#shared/limits.ts'
import { id, paginationOpts } from '#shared/schema.ts'
import { type AgentSettings, agentSettingsPatch, modelName } from './agent-settings.ts'

const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(AGENT_NAME_MAX))
const systemPrompt = z.string().check(z.maxLength(SYSTEM_PROMPT_MAX))
/** `gallery:<style>:<seed>` for a picture made locally, `/files/…` for one re-hosted by us, null for initials. */
const avatar = z.nullable(z.string().check(z.maxLength(500), z.regex(/^(gallery:|\/files\/avatars\/)[\w:./-]+$/)))

export const createAgentInput = z.strictObject({
  name,
  systemPrompt: z.optional(systemPrompt),
  model: z.optional(modelName),
})
export const agentPatch = z.strictObject({
  name: z.optional(name),
  avatar: z.optional(avatar),
  ...agentSettingsPatch,
})
/**
 * `isDraft`: saved without being published. `baseVersion`: the newest version that the editor has seen; a newer one by another editor is
 * then not overwritten.
 */
export const updateAgentInput = z.strictObject({
  id: id('agents'),
  patch: agentPatch,
  isDraft: z.optional(z.boolean()),
  baseVersion: z.optional(z.number()),
})
/** Either by slug within the caller's organization, or by id. */
export const getAgentInput = z.union([
  z.strictObject({ slug: z.string(), organizationId: id('organizations') }),
  z.strictObject({ id: id('agents') }),
])
export const removeAgentInput = z.strictObject({ id: id('agents') })
/** An https address of a picture, which is fetched once, made 256×256 and served from here. */
export const loadAvatarInput = z.strictObject({ id: id('agents'), url: z.url().check(z.maxLength(2000)) })
export const agentFunctionsInput = z.strictObject({ agentId: z.optional(id('agents')) })

export const agentInput = z.strictObject({ agentId: id('agents') })
export const agentVersionsInput = z.strictObject({ agentId: id('agents'), paginationOpts })
export const agentVersionInput = z.strictObject({
  agentId: id('agents'),
  number: z.number().check(z.int(), z.minimum(1)),
})

export const PROMPT_LANGUAGES = ['ru', 'en'] as const
export type PromptLanguage = (typeof PROMPT_LANGUAGES)[number]
export const generatePromptInput = z.strictObject({
  agentId: id('agents'),
  description: z.string().check(z.trim(), z.minLength(1), z.maxLength(PROMPT_DESCRIPTION_MAX)),
  language: z.enum(PROMPT_LANGUAGES),
})

export type AgentPatch = z.infer<typeof agentPatch>

/** An agent in a list. Settings are those of its newest version. Instants in milliseconds since the epoch. */
export type AgentSummary = {
  _id: Id<'agents'>
  slug: string
  name: string
  organizationId: Id<'organizations'>
  avatar: string | null
  systemPrompt: string
  model: string
  temperature: number
  knowledgeSpaceIds: Id<'knowledgeSpaces'>[]
  /** Number of the newest version. */
  version: number
  /** Number of the version that answers customers; smaller while there is a draft. */
  liveVersion: number
  createdAt: number
  updatedAt: number
}

/** An agent with all settings of its newest version. */
export type Agent = AgentSummary & AgentSettings

/** One saved version of an agent, without its settings. */
export type AgentVersion = {
  _id: Id<'agentVersions'>
  number: number
  /** Null when the author's account is gone. */
  authorName: string | null
  /** Number of the version that this one restored. */
  restoredFrom: number | null
  /** Whether it answers customers. */
  isLive: boolean
  createdAt: number
}

/** streaming ─► complete | failed. Instructions that a model writes for one person, until they are applied or discarded. */
export type PromptDraft = {
  description: string
  language: PromptLanguage
  status: 'streaming' | 'complete' | 'failed'
  /** All of it so far. */
  text: string
  /** Failed: why, a code of the turn outcomes. */
  reason: string | null
  startedAt: number
}

/** A tool that an agent can use while it answers. */
export type AgentFunction = {
  agentId: Id<'agents'>
  name: 'knowledge_search'
  /** The spaces it searches. */
  knowledgeSpaces: { _id: Id<'knowledgeSpaces'>; name: string }[]
}
