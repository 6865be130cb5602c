// SQL of customers' ratings of the help they got in a conversation, asked for once for each stretch of it.
import { type RawBuilder, sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { RATING_ASK_AFTER_MS } from '#shared/limits.ts'
import type { ConversationRating } from '#shared/messaging/conversations.ts'

/** A conversation, by the ids that its customer is known by. */
type Chat = { connectionId: Id<'channelConnections'>; chatId: string }

/** Whether something of the conversation `c` is worth a rating: it has ended, or a person has helped and is done. */
const isRatingDue = sql<boolean>`c.status <> 'paused' and exists (select from messages m
  where m.organization_id = c.organization_id and m.conversation_id = c.id and m.sequence > c.rated_through
    and (m.author = 'operator' or c.status = 'ended' and m.author = 'customer'))`

/** Whether the customer is to be asked now. */
export async function isRatingAsked(ctx: OrgStoreContext, conversationId: Id<'conversations'>): Promise<boolean> {
  const result = await sql<{ isAsked: boolean }>`
    select ${isRatingDue} as "isAsked" from conversations c
    where c.organization_id = ${ctx.organizationId} and c.id = ${conversationId}`.execute(ctx.db)
  return result.rows[0]?.isAsked ?? false
}

/** Stores a rating of all messages so far; without one, the customer declined. Stores nothing that was not asked for. */
export async function saveRating(
  ctx: OrgStoreContext,
  chat: Chat,
  rating: Pick<ConversationRating, 'score' | 'comment'> | null,
): Promise<void> {
  await sql`
    update conversations c set
      rated_through = (select max(m.sequence) from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id),
      rating_score = coalesce(${rating?.score ?? null}::smallint, rating_score),
      rating_comment = case when ${rating !== null}::boolean then ${rating?.comment ?? null} else rating_comment end,
      rated_at = case when ${rating !== null}::boolean then now() else rated_at end
    where c.organization_id = ${ctx.organizationId} and c.connection_id = ${chat.connectionId}
      and c.external_chat_id = ${chat.chatId} and ${isRatingDue}`.execute(ctx.db)
}

/** Silences after which no rating is asked for: the customer wanted no messages, or was refused for writing too much. */
const UNASKED = sql`('customer_stop', 'limit', 'machine_talk')`

/** Whether the agent of the conversation `c` is to ask, in a channel where the question is a message. */
const asksByMessage = sql<boolean>`(c.channel not in ('test', 'webchat') and exists (
  select from agents a join agent_versions v on v.organization_id = a.organization_id and v.agent_id = a.id and v.number = a.live_version
  where a.organization_id = c.organization_id and a.id = c.agent_id and v.settings #>> '{ratings,isOn}' = 'true'))`

/** Whether these authors have written since the customer was last asked, apart from messages about ratings. */
function hasWrittenSince(authors: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id
    and m.author in ${authors} and m.sequence > c.rating_asked_through
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
    update conversations c set rating_ask_at = now() + ${RATING_ASK_AFTER_MS}::int * interval '1 millisecond'
    where c.organization_id = ${ctx.organizationId} and c.id = any(${ids}::text[]) and c.status <> 'ended' and c.folder <> 'deleted'
      and ${asksByMessage} and ${hasWrittenSince(sql`('customer')`)} and ${hasWrittenSince(sql`('agent', 'operator')`)}
      and not (c.status = 'paused' and c.pause_reason in ${UNASKED})
      and not (c.status = 'active' and coalesce(c.handoff_reason in ${UNASKED}, false) and not exists (
        select from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id
          and m.author = 'customer' and m.reason is distinct from 'rating' and m.sequence > c.phrases_through))
      and not exists (select from conversations o where o.organization_id = c.organization_id and o.thread_id = c.thread_id
        and o.folder <> 'deleted' and (o.last_message_at, o.id) > (c.last_message_at, c.id))`.execute(ctx.db)
}

/** Of these conversations, those whose customer has been asked for a rating since a step, or is being asked, which cannot be undone. */
export async function listAskedSince(
  ctx: OrgStoreContext,
  steps: { id: Id<'conversations'>; through: number }[],
): Promise<Set<Id<'conversations'>>> {
  if (steps.length === 0) return new Set()
  const { rows } = await sql<{ id: Id<'conversations'> }>`
    select c.id from unnest(${steps.map(({ id }) => id)}::text[], ${steps.map(({ through }) => through)}::bigint[]) as step (id, through)
    join conversations c on c.organization_id = ${ctx.organizationId} and c.id = step.id and c.rating_asked_through > step.through
    where exists (select from outbox o where o.organization_id = c.organization_id and o.conversation_id = c.id
      and o.message_id = c.rating_question_id and o.status in ('sending', 'sent', 'unknown'))`.execute(ctx.db)
  return new Set(rows.map(({ id }) => id))
}
