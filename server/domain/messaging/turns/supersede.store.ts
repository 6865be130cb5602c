// SQL of whether a customer's later messages make an answer stale. Checked while the answer is generated, to abort it, and again when it
// is finished, before it is stored. Ratings do not count: they need no answer.
import { type RawBuilder, sql } from 'kysely'

/** Both as SQL; see `AnswerBasis`. */
type Basis = { answersThrough: RawBuilder<unknown>; supersedableSeconds: RawBuilder<unknown> }

/** Answers that may be aborted in one wait: each costs money, and a customer who never stops writing would cause one per message. */
const BROKEN_OFF_AT_MOST = 4

/**
 * A condition on a running turn in the alias `t`: there is a newer message, and a pending turn that will answer all of it.
 * A message that commits at the same moment may be missed; it then gets its own answer.
 */
export function hasLaterWords(answersThrough: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (select from turns p where p.conversation_id = t.conversation_id and p.status = 'pending')
    and exists (select from messages m where m.organization_id = t.organization_id and m.conversation_id = t.conversation_id
      and m.author = 'customer' and m.reason is distinct from 'rating' and m.sequence > ${answersThrough}))`
}

/** The same, within the time and the number of aborts for which any further message makes the answer stale. */
export function isSuperseded({ answersThrough, supersedableSeconds }: Basis): RawBuilder<boolean> {
  return sql<boolean>`(${hasLaterWords(answersThrough)}
    and (${supersedableSeconds} is null or t.waiting_since > now() - ${supersedableSeconds} * interval '1 second')
    and (select count(*) from turns s where s.conversation_id = t.conversation_id and s.outcome = 'superseded'
      and s.finished_at >= t.waiting_since) < ${BROKEN_OFF_AT_MOST}::int)`
}

/** Text of a customer's message in the alias `m`, without forwarded text. */
const ownWords = sql`case when m.forwarded is null then m.text
  else left(m.text, greatest(0, length(m.text) - (m.forwarded->>'length')::int)) end`

/** The customer's own texts after the messages that a running turn in the alias `t` answers, oldest first. */
export function laterWords(answersThrough: RawBuilder<unknown>): RawBuilder<string[]> {
  return sql<string[]>`(select coalesce(json_agg(${ownWords} order by m.sequence), '[]') from messages m
    where m.organization_id = t.organization_id and m.conversation_id = t.conversation_id
      and m.author = 'customer' and m.reason is distinct from 'rating' and m.sequence > ${answersThrough})`
}
