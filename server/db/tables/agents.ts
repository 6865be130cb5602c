// Agents and the knowledge they may use.
import type { Generated } from 'kysely'
import type { Id } from '#shared/ids.ts'
import type { Timestamp } from './columns.ts'

export interface AgentsTable {
  id: Id<'agents'>
  organization_id: Id<'organizations'>
  /** Unique within the organization; never changes. */
  slug: string
  name: string
  avatar: string | null
  system_prompt: string
  /** `provider/model` or `parley-extractive`. */
  model: string
  temperature: number
  created_at: Timestamp
  updated_at: Timestamp
  /** Set: removed, kept for its conversations. */
  deleted_at: Timestamp | null
}

export interface AgentKnowledgeSpacesTable {
  organization_id: Id<'organizations'>
  agent_id: Id<'agents'>
  knowledge_space_id: Id<'knowledgeSpaces'>
  created_at: Generated<Date>
}
