// SQL of the turn that answers a message, as parts of the one statement that stores the message.
import { type RawBuilder, sql } from 'kysely'
import { newId } from '#server/platform/lib/ids.ts'
import { BUFFERS_AT_MOST, SUPERSEDE_SECONDS } from './debounce.rules.ts'
import { FIRST_EPOCH, LEASE } from './runner.store.ts'
import type { Begun } from './slots.ts'

/**
 * CTEs `waiting`, `begun` and `turn`, behind a CTE `conversation` (id, organization_id, status) that the message has changed and a CTE
 * `connection` with its message `buffer`. `begun` returns the conversation whose turn was written as claimed, `turn` the one whose turn is
 * pending, and whether that is due. Nothing is asked for where the agent is silent, or `isAnswered` says that the message needs no answer.
 */
export function answerReceived({
  begins,
  isAnswered,
}: {
  begins: Begun | null
  isAnswered: boolean
}): RawBuilder<unknown> {
  return sql`waiting as materialized (
      select v.id, v.organization_id, c.buffer, coalesce(least(${waitingIn('pending')}, ${waitingIn('running')}), now()) as since
      from conversation v, connection c where v.status = 'active' and not ${isAnswered}::boolean
    ), begun as (
      insert into turns (id, organization_id, conversation_id, status, waiting_since, not_before, epoch, owner, started_at, lease_until)
      select ${begins?.turnId ?? null}::text, organization_id, id, 'running', since, now(), ${FIRST_EPOCH}::int, ${begins?.owner ?? null}::int, now(),
        now() + interval ${LEASE}
      from waiting
      where ${begins !== null}::boolean and buffer = interval '0'
        and not exists (select from turns t where t.conversation_id = waiting.id and t.status = 'pending')
        and not exists (select from turns t where t.conversation_id = waiting.id and t.status = 'running')
      on conflict do nothing
      returning conversation_id
    ), turn as (
      insert into turns (id, organization_id, conversation_id, status, waiting_since, not_before)
      select ${newId('turns')}, organization_id, id, 'pending', since, least(now() + buffer, since + ${BUFFERS_AT_MOST}::int * buffer)
      from waiting where not exists (select from begun)
      on conflict (conversation_id) where status = 'pending' do update set
        kind = 'reply',
        attempts = case turns.kind when 'reply' then turns.attempts else excluded.attempts end,
        waiting_since = case turns.kind when 'reply' then turns.waiting_since else excluded.waiting_since end,
        not_before = least(excluded.not_before,
          case turns.kind when 'reply' then turns.waiting_since + ${BUFFERS_AT_MOST}::int * (select buffer from connection) end)
      returning conversation_id, not_before <= now() as is_due
    )`
}

/** Since when the customer of the conversation `v` waits for its turn of this status; there is at most one. Null: not at all. */
function waitingIn(status: 'pending' | 'running') {
  return sql`(select t.waiting_since from turns t
    where t.conversation_id = v.id and t.status = ${sql.lit(status)} and t.kind = 'reply'
      and t.waiting_since > now() - (${BUFFERS_AT_MOST}::int * c.buffer + ${SUPERSEDE_SECONDS}::int * interval '1 second'))`
}
