// SQL of the question whether a customer has made an answer stale by saying more. It is asked while the answer is being written,
// to break that off, and again when it is finished, before anything of it is kept.
import { type RawBuilder, sql } from 'kysely'

/**
 * A condition on a running turn in the alias `t`: there is a newer message, and a pending turn that will answer all of it.
 * A message that commits at the same moment may be missed; it then has an answer of its own.
 *
 * @param basis both as SQL; see `AnswerBasis`
 */
export function isSuperseded(basis: {
  answersThrough: RawBuilder<unknown>
  supersedableSeconds: RawBuilder<unknown>
}): RawBuilder<boolean> {
  const { answersThrough, supersedableSeconds } = basis
  return sql<boolean>`(
    exists (select from turns p where p.conversation_id = t.conversation_id and p.status = 'pending')
    and (${supersedableSeconds} is null or t.waiting_since > now() - ${supersedableSeconds} * interval '1 second')
    and exists (select from messages m where m.organization_id = t.organization_id and m.conversation_id = t.conversation_id
      and m.author = 'customer' and m.sequence > ${answersThrough}))`
}
