// SQL of which answers in progress a member of the team has open: only those are written while they are generated.
import { sql } from 'kysely'
import { inMilliseconds } from '#server/domain/messaging/turns/turn-requests.store.ts'
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { PRESENCE_LOOKING_MS } from '#shared/limits.ts'
import type { Watched } from '../turns/runner.store.ts'

/** Of these turns, those of conversations that a member of the team has open, or another conversation of their thread. */
export async function listWatchedTurns(ctx: StoreContext, watched: Watched[]): Promise<Id<'turns'>[]> {
  const result = await sql<{ id: Id<'turns'> }>`
    select claim.id from unnest(${watched.map(({ claim }) => claim.turnId)}::text[],
      ${watched.map(({ claim }) => claim.organizationId)}::text[], ${watched.map(({ claim }) => claim.conversationId)}::text[])
      as claim (id, organization_id, conversation_id)
    where exists (select from conversation_presence p where p.organization_id = claim.organization_id
        and p.conversation_id = claim.conversation_id and p.at > ${inMilliseconds(-PRESENCE_LOOKING_MS)})
      or exists (select from conversations c
        join conversations shown on shown.organization_id = c.organization_id and shown.thread_id = c.thread_id
        join conversation_presence p on p.organization_id = shown.organization_id and p.conversation_id = shown.id
        where c.organization_id = claim.organization_id and c.id = claim.conversation_id
          and p.at > ${inMilliseconds(-PRESENCE_LOOKING_MS)})`.execute(ctx.db)
  return result.rows.map(({ id }) => id)
}
