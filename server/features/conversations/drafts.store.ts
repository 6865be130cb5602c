// SQL of answers while they are being written. One that customers may not read along with stands there for the team alone.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/db/database.ts'
import type { AnswerDraft } from '#shared/desk.ts'
import type { Id } from '#shared/ids.ts'

/** Who may read an answer before it is whole. The team reads what customers read, too. */
export type DraftReaders = 'everybody' | 'team'

/** Stands before a draft for the team alone. A control character: no model begins with it, and one that did would be hidden, not shown. */
const TEAM_ALONE = '\u0001'

/** A draft as it is kept. */
export function keptDraft(text: string, readers: DraftReaders): string {
  return readers === 'team' ? TEAM_ALONE + text : text
}

/** Of the turn in a query: what its customer may read of the answer so far; null: nothing. */
export const draftForCustomer = sql<string | null>`case when left(draft, 1) <> ${TEAM_ALONE} then draft end`

/** What is being written in these conversations just now. Nothing of it is sent, and it may never be. */
export async function listDrafts(ctx: OrgStoreContext, conversationIds: Id<'conversations'>[]): Promise<AnswerDraft[]> {
  const rows = await ctx.db
    .selectFrom('turns')
    .innerJoin('conversations', 'conversations.id', 'turns.conversation_id')
    .where('turns.organization_id', '=', ctx.organizationId)
    .where('conversations.organization_id', '=', ctx.organizationId)
    .where('turns.conversation_id', 'in', conversationIds)
    .where('turns.status', '=', sql.lit('running')) // as a parameter it would name no index once the plan is generic
    .where('conversations.status', '=', 'active')
    .where('conversations.place', '<>', 'deleted')
    .select(['turns.id as turnId', 'turns.conversation_id as conversationId', 'turns.draft'])
    .orderBy('turns.id')
    .execute()
  return rows.flatMap(({ draft, ...turn }) => {
    const text = draft?.startsWith(TEAM_ALONE) ? draft.slice(TEAM_ALONE.length) : draft
    return text ? [{ ...turn, text }] : []
  })
}
