// SQL of answers while they are being written. One that customers may not read along with is for the team only.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { AnswerDraft } from '#shared/messaging/operator-tools.ts'

/** Who may read an answer before it is complete. The team can read what customers can, too. */
export type DraftReaders = 'everybody' | 'team'

/** For the turn in a query: what its customer may read of the answer so far; null: nothing. */
export const draftForCustomer = sql<string | null>`case when not is_draft_for_team then draft end`

/** Answers in progress in these conversations. Nothing of them is sent, and they may never be. */
export async function listDrafts(ctx: OrgStoreContext, conversationIds: Id<'conversations'>[]): Promise<AnswerDraft[]> {
  const rows = await ctx.db
    .selectFrom('turns')
    .innerJoin('conversations', 'conversations.id', 'turns.conversation_id')
    .where('turns.organization_id', '=', ctx.organizationId)
    .where('conversations.organization_id', '=', ctx.organizationId)
    .where('turns.conversation_id', 'in', conversationIds)
    .where('turns.status', '=', sql.lit('running')) // as a parameter it would name no index once the plan is generic
    .where('conversations.status', '=', 'active')
    .where('conversations.folder', '<>', 'deleted')
    .select(['turns.id as turnId', 'turns.conversation_id as conversationId', 'turns.draft'])
    .orderBy('turns.id')
    .execute()
  return rows.flatMap(({ draft, ...turn }) => (draft ? [{ ...turn, text: draft }] : []))
}
