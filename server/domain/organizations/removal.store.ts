// SQL of a leaving organization.
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { RemovalCounts } from '#shared/organizations/security.ts'
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

/** How much goes with an organization. */
export async function countRemoved({ db, organizationId }: OrgStoreContext): Promise<RemovalCounts> {
  const count = async (
    table: 'agents' | 'conversations' | 'customers' | 'documents' | 'channel_connections' | 'members',
  ) => {
    const of = db.selectFrom(table).where('organization_id', '=', organizationId)
    const row = await of.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
    return Number(row.count)
  }
  return {
    agents: await count('agents'),
    conversations: await count('conversations'),
    customers: await count('customers'),
    documents: await count('documents'),
    connections: await count('channel_connections'),
    members: await count('members'),
  }
}
