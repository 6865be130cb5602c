// SQL for the secrets that tools send, and the hosts that they may call.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { ToolHost, ToolSecret } from '#shared/tools/tools.ts'

/** All hosts, by name. */
export async function listHosts(ctx: OrgStoreContext): Promise<ToolHost[]> {
  const rows = await hosts(ctx).select(['host', 'added_at']).orderBy('host').execute()
  return rows.map((row) => ({ host: row.host, addedAt: row.added_at.getTime() }))
}

/** Allows a host. Safe to repeat. */
export async function insertHost(ctx: OrgStoreContext, host: string, now: Date): Promise<void> {
  await ctx.db
    .insertInto('tool_hosts')
    .values({ organization_id: ctx.organizationId, host, added_at: now })
    .onConflict((conflict) => conflict.columns(['organization_id', 'host']).doNothing())
    .execute()
}

/** The next call to it is refused. Safe to repeat. */
export async function deleteHost(ctx: OrgStoreContext, host: string): Promise<void> {
  await ctx.db
    .deleteFrom('tool_hosts')
    .where('organization_id', '=', ctx.organizationId)
    .where('host', '=', host)
    .execute()
}

/** All secrets without their values, by name. */
export async function listSecrets(ctx: OrgStoreContext): Promise<ToolSecret[]> {
  const rows = await secrets(ctx).select(['id', 'name', 'host', 'updated_at']).orderBy('name').execute()
  return rows.map((row) => ({ _id: row.id, name: row.name, host: row.host, updatedAt: row.updated_at.getTime() }))
}

/** The secret of a name; undefined: there is none. */
export async function findSecret(ctx: OrgStoreContext, name: string): Promise<Id<'toolSecrets'> | undefined> {
  const row = await secrets(ctx).where('name', '=', name).select('id').executeTakeFirst()
  return row?.id
}

/** Those of the ids that are in the vault. */
export async function listKnownSecrets(ctx: OrgStoreContext, ids: Id<'toolSecrets'>[]): Promise<Id<'toolSecrets'>[]> {
  if (ids.length === 0) return []
  const rows = await secrets(ctx).where('id', 'in', ids).select('id').execute()
  return rows.map(({ id }) => id)
}

/** Stores a secret in place of the one of the same name. */
export async function saveSecret(
  ctx: OrgStoreContext,
  secret: { id: Id<'toolSecrets'>; name: string; host: string; value: string },
  now: Date,
): Promise<void> {
  const { id, name, host, value } = secret
  await ctx.db
    .insertInto('tool_secrets')
    .values({ id, organization_id: ctx.organizationId, name, host, value, updated_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ host, value, updated_at: now }))
    .execute()
}

/** @throws AppError not_found */
export async function deleteSecret(
  ctx: OrgStoreContext,
  id: Id<'toolSecrets'>,
): Promise<{ name: string; host: string }> {
  const row = await ctx.db
    .deleteFrom('tool_secrets')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .returning(['name', 'host'])
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row
}

function hosts(ctx: OrgStoreContext) {
  return ctx.db.selectFrom('tool_hosts').where('organization_id', '=', ctx.organizationId)
}

function secrets(ctx: OrgStoreContext) {
  return ctx.db.selectFrom('tool_secrets').where('organization_id', '=', ctx.organizationId)
}
