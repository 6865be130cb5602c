// The rows of a simulated conversation at rest, as the judge needs them.
import { sql } from 'kysely'
import { explainMessage } from '#server/domain/messaging/explanations/explanations.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { SimulationWorld } from './world.ts'

/** Facts by which a conversation at rest is judged. */
export type Evidence = {
  /** A deleted one counts as ended. */
  status: string
  pause_reason: string | null
  unanswered: number
  /** A text, a failure or a reason that opens its turn's trace follows the customer's last message and the agent's last return. */
  is_explained: boolean
  /** "Why?" of a last message that got no reply has an answer: a turn with its trace, or the conversation's state. */
  is_why_known: boolean
  /** Customer messages that count as answered, and not by an operator. */
  settled: string[]
  /** The call for an operator is gone although no operator has come. */
  is_call_lost: boolean
  replied_turns: number
  counted: number
  /** Two questions for a rating without a question and an answer in between. */
  is_asked_twice: boolean
  /** A number that was taken as a rating, although it did not come right after the question. */
  is_mistaken: boolean
}

/**
 * Sequences that the script knows: reasons up to `returnedAt` explain nothing any more; calls for a person up to `settledAt` are settled;
 * messages up to `answeredAt` were answered by a person in the conversation that is merged with it.
 */
export type Known = { returnedAt: number; settledAt: number; answeredAt: number }

type Row = Omit<Evidence, 'is_why_known'> & {
  organization_id: Id<'organizations'>
  /** The customer's last message, if none follows it. */
  met_by_silence: Id<'messages'> | null
}

/** Reads what there is to judge by. */
export async function gather(
  world: SimulationWorld,
  conversationId: string,
  { returnedAt, settledAt, answeredAt }: Known,
): Promise<Evidence> {
  const { rows } = await sql<Row>`
      with c as (select * from conversations where id = ${conversationId}),
        m as (select messages.* from messages, c where messages.organization_id = c.organization_id and conversation_id = c.id),
        t as (select turns.* from turns, c where turns.organization_id = c.organization_id and conversation_id = c.id)
      select case c.folder when 'deleted' then 'ended' else c.status end as status, c.pause_reason, c.organization_id,
        (select w.id from (select * from m where m.author = 'customer' order by m.sequence desc limit 1) w
          where not exists (select from m where m.author in ('agent', 'operator') and m.sequence > w.sequence)) as met_by_silence,
        (select count(*)::int from m where m.author = 'customer' and m.reason is distinct from 'rating' and m.sequence > c.answered_through) as unanswered,
        exists (select from m join turn_traces r on r.turn_id = m.turn_id
          where m.author <> 'customer' and m.sequence > ${returnedAt}::bigint
            and m.sequence > (select max(sequence) from m where author = 'customer' and reason is distinct from 'rating')) as is_explained,
        array(select m.text from m where m.author = 'customer' and m.sequence <= c.answered_through
          and m.sequence > ${answeredAt}::bigint and not exists (select from m p where p.author = 'operator' and p.sequence > m.sequence)) as settled,
        not c.needs_person and exists (select from m where m.author = 'system' and m.reason = 'customer_request'
          and m.sequence > ${settledAt}::bigint) as is_call_lost,
        exists (select from m join m first on first.reason = 'rating_question' and first.sequence < m.sequence
          where m.reason = 'rating_question' and not exists (select from m asked where asked.author = 'customer' and asked.reason is null
            and asked.sequence between first.sequence and m.sequence)) as is_asked_twice,
        exists (select from m where m.reason = 'rating' and (select p.reason from m p where p.author <> 'system'
          and p.sequence < m.sequence order by p.sequence desc limit 1) is distinct from 'rating_question') as is_mistaken,
        (select count(*)::int from t where t.outcome = 'replied') as replied_turns,
        (select coalesce(sum(u.messages), 0)::int from t join usage_events u on u.source_id in (t.id, t.id || '/withheld')
          where u.category in ('agent_response', 'follow_up')) as counted
      from c`.execute(world.database.root)
  const [row] = rows
  if (!row) throw new Error('the conversation is not there')
  const { organization_id: organizationId, met_by_silence: word } = row
  const isWhyKnown = word === null || (await world.read((db) => isExplained({ db, organizationId }, word)))
  return { ...row, is_why_known: isWhyKnown }
}

async function isExplained(ctx: OrgStoreContext, messageId: Id<'messages'>): Promise<boolean> {
  const { turns, standing } = await explainMessage(ctx, messageId, null)
  return turns.some(({ hasRecord }) => hasRecord) || (standing !== null && standing.kind !== 'unrecorded')
}
