// SQL of the tags that people put on conversations.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** The tags of each of these conversations that has any, in alphabetical order. */
export async function listTags(
  ctx: OrgStoreContext,
  conversationIds: Id<'conversations'>[],
): Promise<Map<Id<'conversations'>, string[]>> {
  const tags = new Map<Id<'conversations'>, string[]>()
  if (conversationIds.length === 0) return tags
  const rows = await ctx.db
    .selectFrom('conversation_tags')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', 'in', conversationIds)
    .select(['conversation_id', 'tag'])
    .orderBy('tag')
    .execute()
  for (const { conversation_id: id, tag } of rows) tags.set(id, [...(tags.get(id) ?? []), tag])
  return tags
}

/** Tags in use on conversations, the most used first. */
export async function listTagsInUse(ctx: OrgStoreContext, most: number): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('conversation_tags')
    .where('organization_id', '=', ctx.organizationId)
    .select('tag')
    .groupBy('tag')
    .orderBy((eb) => eb.fn.countAll(), 'desc')
    .orderBy('tag')
    .limit(most)
    .execute()
  return rows.map(({ tag }) => tag)
}
