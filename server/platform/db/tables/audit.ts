// Tables of the audit trail: written once, kept in order by chains of hashes.
import type { Generated } from 'kysely'
import type { Id } from '#shared/ids.ts'
import type { GivenTimestamp } from './columns.ts'

export interface AuditEntriesTable {
  id: Id<'auditEntries'>
  /** The organization's id, or `installation`: what concerns no organization. Each chain counts for itself. */
  chain: Generated<string>
  /** From 1, without gaps, within the chain. Set by the database. */
  position: Generated<number>
  at: GivenTimestamp
  /** Not a reference: entries outlive organizations and people. */
  organization_id: Id<'organizations'> | null
  /** Null: the program itself. */
  actor_id: Id<'users'> | null
  /** Name and address of the person at that time. */
  actor_name: string
  actor_email: string
  /** On whose behalf an administrator of the installation acted; null: their own. */
  reason: string | null
  /** The name of the public function, or of the route. */
  action: string
  /** What was changed, as `kind:id`; empty where the action says it all. */
  resource: string
  /** What it was called. */
  resource_name: string
  /** JSON objects of what has changed; null: there was nothing, or is nothing. */
  before: string | null
  after: string | null
  /** The client's network address; null: unknown. */
  address: string | null
  /** Of the entry before; empty in the first. Set by the database. */
  previous_hash: Generated<string>
  /** Over all other columns. Set by the database. */
  hash: Generated<string>
}

/** How long each chain is, and how it ends. Written by a trigger only. */
export interface AuditChainsTable {
  chain: string
  length: number
  hash: string
}
