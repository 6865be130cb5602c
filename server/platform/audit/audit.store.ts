// SQL that writes the audit trail. Position and hashes are set by a trigger; nothing changes an entry.
import type { StoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import { withoutSecrets } from './secrets.rules.ts'

/** Who did something; null: the program itself. */
export type Actor = { userId: Id<'users'>; name: string; email: string } | null

/** What was done to what. */
export type AuditDetails = {
  /** What was changed: a kind, such as `member` or `plan`, its id, and what it is called. */
  resource?: { kind: string; id: string; name?: string }
  /** The values that have changed, before and after; left out where there were none, or are none. */
  before?: Record<string, unknown> | undefined
  after?: Record<string, unknown> | undefined
  /** Why, where a reason was asked for. */
  reason?: string
}

export type NewAuditEntry = AuditDetails & {
  actor: Actor
  /** The name of the public function or of the route. */
  action: string
  /** Whom it concerns; null: the installation, or a person as such. */
  organizationId: Id<'organizations'> | null
  address: string | null
  at: Date
}

/** Appends an entry to the chain of its organization, in the transaction of what it records. */
export async function insertAuditEntry({ db }: StoreContext, entry: NewAuditEntry): Promise<void> {
  const { actor, action, organizationId, address, at, resource, before, after, reason } = entry
  await db
    .insertInto('audit_entries')
    .values({
      id: newId('auditEntries'),
      at,
      organization_id: organizationId,
      actor_id: actor?.userId ?? null,
      actor_name: actor?.name ?? '',
      actor_email: actor?.email ?? '',
      reason: reason ?? null,
      action,
      resource: resource ? `${resource.kind}:${resource.id}` : '',
      resource_name: resource?.name ?? '',
      before: before ? JSON.stringify(withoutSecrets(before)) : null,
      after: after ? JSON.stringify(withoutSecrets(after)) : null,
      address: address || null,
    })
    .execute()
}
