// SQL of a leaving organization.
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { getLogo } from './organizations.store.ts'

/** What an organization has in the file store: keys of documents, tables, attachments and exports, the avatars of its agents and its logo. */
export async function listStored(
  ctx: StoreContext,
  organizationId: Id<'organizations'>,
): Promise<{ keys: string[]; avatars: (string | null)[] }> {
  const keys = new Set<string>()
  for (const table of ['documents', 'knowledge_tables', 'attachments', 'exports'] as const) {
    const of = ctx.db.selectFrom(table).where('organization_id', '=', organizationId)
    for (const { file_key: key } of await of.select('file_key').execute()) if (key) keys.add(key)
  }
  const agents = ctx.db.selectFrom('agents').where('organization_id', '=', organizationId)
  const avatars = await agents.select('avatar').execute()
  const logo = await getLogo(ctx, organizationId)
  return { keys: [...keys], avatars: [...avatars.map(({ avatar }) => avatar), logo] }
}

/** Deletes an organization with everything that belongs to it. */
export async function deleteOrganization(ctx: StoreContext, organizationId: Id<'organizations'>): Promise<void> {
  await ctx.db.deleteFrom('organizations').where('id', '=', organizationId).execute()
}
