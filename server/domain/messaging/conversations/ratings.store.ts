// SQL of when a customer is to be asked for a rating of the help they got, once for each stretch of a conversation, and of the form of
// the web chat.
import { type RawBuilder, sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { RATING_ASK_AFTER_MS } from '#shared/limits.ts'
import type { ConversationRating } from '#shared/messaging/conversations.ts'

/** A conversation, by the ids that its customer is known by. */
type Chat = { connectionId: Id<'channelConnections'>; chatId: string }

/** The ratings `r` of the conversation `c`, null where nothing was asked or rated. */
const withRatings = sql`left join conversation_ratings r on r.organization_id = c.organization_id and r.conversation_id = c.id`

/** Whether something of the conversation `c`, with its ratings `r`, is worth a rating: it has ended, or a person has helped and is done. */
const isRatingDue = sql<boolean>`c.status <> 'paused' and exists (select from messages m
  where m.organization_id = c.organization_id and m.conversation_id = c.id and m.sequence > coalesce(r.rated_through, 0)
    and (m.author = 'operator' or c.status = 'ended' and m.author = 'customer'))`

/** Whether the customer is to be asked now. */
export async function isRatingAsked(ctx: OrgStoreContext, conversationId: Id<'conversations'>): Promise<boolean> {
  const result = await sql<{ isAsked: boolean }>`
    select ${isRatingDue} as "isAsked" from conversations c ${withRatings}
    where c.organization_id = ${ctx.organizationId} and c.id = ${conversationId}`.execute(ctx.db)
  return result.rows[0]?.isAsked ?? false
}

/** Stores a rating of all messages so far; without one, the customer declined. Stores nothing that was not asked for. */
export async function saveRating(
  ctx: OrgStoreContext,
  chat: Chat,
  rating: Pick<ConversationRating, 'score' | 'comment'> | null,
): Promise<void> {
  const isGiven = rating !== null
  await sql`
    insert into conversation_ratings (organization_id, conversation_id, rated_through, score, comment, rated_at)
    select c.organization_id, c.id,
      (select max(m.sequence) from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id),
      ${rating?.score ?? null}::smallint, ${rating?.comment ?? null}, case when ${isGiven}::boolean then now() end
    from conversations c ${withRatings}
    where c.organization_id = ${ctx.organizationId} and c.connection_id = ${chat.connectionId}
      and c.external_chat_id = ${chat.chatId} and ${isRatingDue}
    on conflict (organization_id, conversation_id) do update set rated_through = excluded.rated_through,
      score = coalesce(excluded.score, conversation_ratings.score),
      comment = case when ${isGiven}::boolean then excluded.comment else conversation_ratings.comment end,
      rated_at = coalesce(excluded.rated_at, conversation_ratings.rated_at)`.execute(ctx.db)
}

/** Silences after which no rating is asked for: the customer wanted no messages, or was refused for writing too much. */
const UNASKED = sql`('customer_stop', 'limit', 'machine_talk')`

/** Whether the agent of the conversation `c` is to ask, in a channel where the question is a message. */
const asksByMessage = sql<boolean>`(c.channel not in ('test', 'webchat') and exists (
  select from agents a join agent_versions v on v.organization_id = a.organization_id and v.agent_id = a.id and v.number = a.live_version
  where a.organization_id = c.organization_id and a.id = c.agent_id and v.settings #>> '{ratings,isOn}' = 'true'))`

/** Whether these authors have written in `c` since the customer was last asked, apart from messages about ratings. */
function hasWrittenSince(authors: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id
    and m.author in ${authors} and m.sequence > coalesce(r.asked_through, 0)
    and (m.reason is null or m.reason not in ('rating', 'rating_comment', 'rating_question', 'rating_thanks')))`
}

/**
 * Plans the question for a rating, for those of these conversations, about to be ended, in which it is wanted: the customer has
 * written and was answered since they were last asked, and has not asked for silence. Of conversations that are shown as one, only for
 * the one with the last message. The question waits until the end can no longer be undone, so that an end that is soon undone asks no
 * customer. The caller holds the rows.
 */
export async function planQuestions(ctx: OrgStoreContext, ids: Id<'conversations'>[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    insert into conversation_ratings (organization_id, conversation_id, ask_at)
    select c.organization_id, c.id, now() + ${RATING_ASK_AFTER_MS}::int * interval '1 millisecond'
    from conversations c ${withRatings}
    where c.organization_id = ${ctx.organizationId} and c.id = any(${ids}::text[]) and c.status <> 'ended' and c.folder <> 'deleted'
      and ${asksByMessage} and ${hasWrittenSince(sql`('customer')`)} and ${hasWrittenSince(sql`('agent', 'operator')`)}
      and not (c.status = 'paused' and c.pause_reason in ${UNASKED})
      and not (c.status = 'active' and coalesce(c.handoff_reason in ${UNASKED}, false) and not exists (
        select from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id
          and m.author = 'customer' and m.reason is distinct from 'rating' and m.sequence > c.phrases_through))
      and not exists (select from conversations o where o.organization_id = c.organization_id and o.thread_id = c.thread_id
        and o.folder <> 'deleted' and (o.last_message_at, o.id) > (c.last_message_at, c.id))
    on conflict (organization_id, conversation_id) do update set ask_at = excluded.ask_at`.execute(ctx.db)
}

/** Of these conversations, those whose customer has been asked for a rating since a step, or is being asked, which cannot be undone. */
export async function listAskedSince(
  ctx: OrgStoreContext,
  steps: { id: Id<'conversations'>; through: number }[],
): Promise<Set<Id<'conversations'>>> {
  if (steps.length === 0) return new Set()
  const { rows } = await sql<{ id: Id<'conversations'> }>`
    select step.id from unnest(${steps.map(({ id }) => id)}::text[], ${steps.map(({ through }) => through)}::bigint[]) as step (id, through)
    join conversation_ratings r on r.organization_id = ${ctx.organizationId} and r.conversation_id = step.id and r.asked_through > step.through
    where exists (select from outbox o where o.organization_id = r.organization_id and o.conversation_id = r.conversation_id
      and o.message_id = r.question_id and o.status in ('sending', 'sent', 'unknown'))`.execute(ctx.db)
  return new Set(rows.map(({ id }) => id))
}
