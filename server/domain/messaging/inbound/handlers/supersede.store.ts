// SQL of the question whether a customer has made an answer stale by saying more. It is asked while the answer is being written,
// to break that off, and again when it is finished, before anything of it is kept. A rating says nothing that an answer would be about.
import { type RawBuilder, sql } from 'kysely'

/** Both as SQL; see `AnswerBasis`. */
type Basis = { answersThrough: RawBuilder<unknown>; supersedableSeconds: RawBuilder<unknown> }

/** Answers that one wait may break off: each was charged for, and somebody who never stops writing would have one made for every message. */
const BROKEN_OFF_AT_MOST = 4

/**
 * A condition on a running turn in the alias `t`: there is a newer message, and a pending turn that will answer all of it.
 * A message that commits at the same moment may be missed; it then has an answer of its own.
 */
export function hasLaterWords(answersThrough: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (select from turns p where p.conversation_id = t.conversation_id and p.status = 'pending')
    and exists (select from messages m where m.organization_id = t.organization_id and m.conversation_id = t.conversation_id
      and m.author = 'customer' and m.reason is distinct from 'rating' and m.sequence > ${answersThrough}))`
}

/** The same, as long as what the customer adds makes the answer stale, whatever it is: for some time, and some times. */
export function isSuperseded({ answersThrough, supersedableSeconds }: Basis): RawBuilder<boolean> {
  return sql<boolean>`(${hasLaterWords(answersThrough)}
    and (${supersedableSeconds} is null or t.waiting_since > now() - ${supersedableSeconds} * interval '1 second')
    and (select count(*) from turns s where s.conversation_id = t.conversation_id and s.outcome = 'superseded'
      and s.finished_at >= t.waiting_since) < ${BROKEN_OFF_AT_MOST}::int)`
}

/** Of a customer's message in the alias `m`, without what is forwarded in it. */
const ownWords = sql`case when m.forwarded is null then m.text
  else left(m.text, greatest(0, length(m.text) - (m.forwarded->>'length')::int)) end`

/** What the customer has said after the messages that the answer to a running turn in the alias `t` is about, oldest first. */
export function laterWords(answersThrough: RawBuilder<unknown>): RawBuilder<string[]> {
  return sql<string[]>`(select coalesce(json_agg(${ownWords} order by m.sequence), '[]') from messages m
    where m.organization_id = t.organization_id and m.conversation_id = t.conversation_id
      and m.author = 'customer' and m.reason is distinct from 'rating' and m.sequence > ${answersThrough})`
}
