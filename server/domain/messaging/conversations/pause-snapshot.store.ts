// SQL of the silence that a message records when it comes in.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { HeldBy } from '#server/platform/db/tables/conversations.ts'
import type { Id } from '#shared/ids.ts'

/** For a row of conversations: what keeps its agent silent. SQL null: nothing. */
export const pauseSnapshot = sql<HeldBy | null>`case when status = 'paused' then jsonb_build_object('reason', pause_reason,
  'since', floor(1000 * extract(epoch from paused_at)), 'by', paused_by) end`

/** The same for a conversation that the caller holds. */
export function pauseSnapshotOf(ctx: OrgStoreContext, conversationId: Id<'conversations'>) {
  return sql<string | null>`(select ${pauseSnapshot} from conversations
    where organization_id = ${ctx.organizationId} and id = ${conversationId})`
}
