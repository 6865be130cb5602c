// What stands with a conversation in rows of its own, written by a test as if it had come about.
import { type RawBuilder, sql } from 'kysely'

/** Plans a follow-up in the conversations `c` that pass a condition: it stands from now on. `at`: SQL; `null`: none is due. */
export function planFollowUpAt(at: RawBuilder<unknown>, which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into conversation_follow_ups (organization_id, conversation_id, due_at, pause_epoch, answered_through)
    select c.organization_id, c.id, ${at}, c.pause_epoch, (select coalesce(max(m.sequence), 0) from messages m where m.conversation_id = c.id)
    from conversations c where ${which}
    on conflict (organization_id, conversation_id) do update set due_at = excluded.due_at, pause_epoch = excluded.pause_epoch,
      answered_through = excluded.answered_through`
}

/** Plans the question for a rating in the conversations `c` that pass a condition. `at`: SQL. */
export function planQuestionAt(at: RawBuilder<unknown>, which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into conversation_ratings (organization_id, conversation_id, ask_at)
    select c.organization_id, c.id, ${at} from conversations c where ${which}
    on conflict (organization_id, conversation_id) do update set ask_at = excluded.ask_at`
}

/** Rates the conversations `c` that pass a condition. */
export function rate(score: number, comment: string, which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into conversation_ratings (organization_id, conversation_id, score, comment, rated_at)
    select c.organization_id, c.id, ${score}::int, ${comment}, c.created_at from conversations c where ${which}
    on conflict (organization_id, conversation_id) do update set score = excluded.score, comment = excluded.comment,
      rated_at = excluded.rated_at`
}

/** Summarises the conversations `c` that pass a condition: their beginning, and what people wrote. */
export function summarise(text: string, which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into conversation_summaries (organization_id, conversation_id, summary, summary_through, stretch_summary)
    select c.organization_id, c.id, ${text}, 1, ${text} from conversations c where ${which}
    on conflict (organization_id, conversation_id) do update set summary = excluded.summary, summary_through = 1,
      stretch_summary = excluded.stretch_summary`
}

/** Makes the questions for a rating due that are planned. */
export const makeQuestionsDue = sql`update conversation_ratings set ask_at = now() where ask_at is not null`
