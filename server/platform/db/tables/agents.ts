// Agents, the versions of their settings, and the knowledge they may use.
import type { Generated } from 'kysely'
import type { KeyProvider } from '#shared/agents/agent-keys.ts'
import type { PromptDraft, PromptLanguage } from '#shared/agents/agents.ts'
import type { Id } from '#shared/ids.ts'
import type { KnowledgeSource } from '#shared/knowledge/knowledge.ts'
import type { SourceLanguage } from '#shared/knowledge/knowledge-marks.ts'
import type { DefaultJson, Json, Timestamp } from './columns.ts'

export interface AgentsTable {
  id: Id<'agents'>
  organization_id: Id<'organizations'>
  /** Unique within the organization; never changes. */
  slug: string
  name: string
  avatar: string | null
  /** Number of the version that answers customers. */
  live_version: Generated<number>
  /** Number of the newest version: the same, or a draft that is not published yet. */
  latest_version: Generated<number>
  created_at: Timestamp
  updated_at: Timestamp
  /** Set: removed, kept for its conversations. */
  deleted_at: Timestamp | null
}

/** A saved version; immutable. */
export interface AgentVersionsTable {
  id: Id<'agentVersions'>
  organization_id: Id<'organizations'>
  agent_id: Id<'agents'>
  /** From 1, counted per agent. */
  number: number
  /** As it was saved: sections that came later are missing. Parse it with `agentSettings`. */
  settings: Json<unknown>
  author_id: Id<'users'> | null
  /** Number of the version that this one restored. */
  restored_from: number | null
  created_at: Timestamp
}

/** Instructions that a model writes or has written; one draft for each person and agent. */
export interface PromptDraftsTable {
  id: string
  organization_id: Id<'organizations'>
  agent_id: Id<'agents'>
  user_id: Id<'users'>
  description: string
  language: PromptLanguage
  status: PromptDraft['status']
  text: string
  reason: string | null
  created_at: Timestamp
}

/** Keys of model providers that agents have of their own. */
export interface AgentKeysTable {
  organization_id: Id<'organizations'>
  agent_id: Id<'agents'>
  provider: KeyProvider
  /** Encrypted. */
  key: string
  /** Last characters of the key. */
  key_tail: string
  updated_at: Timestamp
}

export interface AgentKnowledgeSpacesTable {
  organization_id: Id<'organizations'>
  agent_id: Id<'agents'>
  knowledge_space_id: Id<'knowledgeSpaces'>
  /** What the agent may not use of the space, besides what the space has disabled for all. */
  disabled_sources: DefaultJson<KnowledgeSource[]>
  /** Only sources with one of these are found; empty: all. */
  tags: DefaultJson<string[]>
  /** Only sources in one of these, or in none that is known, are found; empty: all. */
  languages: DefaultJson<SourceLanguage[]>
  created_at: Generated<Date>
}
