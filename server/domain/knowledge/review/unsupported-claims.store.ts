// SQL of answers that stated what their agents were not given.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { UnfoundedAnswers } from '#shared/knowledge/review.ts'
import { UNFOUNDED_COUNTED, UNFOUNDED_SHOWN } from '#shared/limits.ts'

/** Of agents that use the space now, in conversations with customers. */
export async function listUnfounded(ctx: OrgStoreContext, spaceId: Id<'knowledgeSpaces'>): Promise<UnfoundedAnswers> {
  const newest = await ctx.db
    .selectFrom('messages as m')
    .innerJoin('conversations as c', (join) =>
      join.onRef('c.id', '=', 'm.conversation_id').on('c.organization_id', '=', ctx.organizationId),
    )
    .innerJoin('agents as a', (join) =>
      join.onRef('a.id', '=', 'c.agent_id').on('a.organization_id', '=', ctx.organizationId),
    )
    .innerJoin('agent_knowledge_spaces as l', (join) =>
      join
        .onRef('l.agent_id', '=', 'a.id')
        .on('l.organization_id', '=', ctx.organizationId)
        .on('l.knowledge_space_id', '=', spaceId),
    )
    .where('m.organization_id', '=', ctx.organizationId)
    .where('m.unfounded', 'is not', null)
    .where('c.channel', '<>', 'test')
    .select(['m.id', 'm.conversation_id', 'm.unfounded', 'm.created_at', 'a.name'])
    .orderBy('m.created_at', 'desc')
    .orderBy('m.id')
    .limit(UNFOUNDED_COUNTED + 1)
    .execute()
  return {
    count: Math.min(newest.length, UNFOUNDED_COUNTED),
    isMore: newest.length > UNFOUNDED_COUNTED,
    newest: newest.slice(0, UNFOUNDED_SHOWN).map((row) => ({
      messageId: row.id,
      conversationId: row.conversation_id,
      agentName: row.name,
      sentences: row.unfounded ?? [],
      answeredAt: row.created_at.getTime(),
    })),
  }
}
