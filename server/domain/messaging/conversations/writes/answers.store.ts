// SQL of the agent's messages in a conversation. Answers are parts of the statements that end their turns.
import { type RawBuilder, sql } from 'kysely'
import type { ModelCall } from '#server/integrations/llm/llm.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { MessageSource } from '#shared/messaging/conversations.ts'

/** Characters of a message that the conversation list shows. */
const PREVIEW_LENGTH = 200

type ConversationId = Id<'conversations'>

/**
 * A statement: records in the conversation that an answer was given, and through which message. No row when the agent was silenced since
 * the turn was read, or the answer is stale. Returns id, organization_id, pause_epoch and answered_through.
 *
 * @param noted `today`: the customer's day in which it is counted, as `dayOf` returns it
 */
export function noteAnswer(
  ctx: OrgStoreContext,
  turn: { conversationId: ConversationId; conversation: { pauseEpoch: number } },
  {
    text,
    answersThrough,
    today,
    isStale,
  }: {
    text: string
    answersThrough: number
    today: string
    isStale: RawBuilder<boolean>
  },
): RawBuilder<unknown> {
  return sql`update conversations set message_count = message_count + 1, last_message_author = 'agent',
        last_message_text = ${text.slice(0, PREVIEW_LENGTH)}, last_message_at = now(),
        answered_through = greatest(answered_through, ${answersThrough}::bigint),
        answers_on = ${today}, answers_count = case when answers_on = ${today} then answers_count else 0 end + 1
      where organization_id = ${ctx.organizationId} and id = ${turn.conversationId}
        and status = 'active' and pause_epoch = ${turn.conversation.pauseEpoch}::int and not ${isStale}
      returning id, organization_id, pause_epoch, answered_through`
}

type Answer = {
  text: string
  parts: { text: string }[]
  choices: string[]
  sources: MessageSource[]
  call: ModelCall | null
  unfounded: string[]
}

/**
 * A statement: stores the answer of a turn, which a CTE `turn` names (id, organization_id, conversation_id), in place of what was shown of
 * it so far. Returns id, organization_id and conversation_id. The parts are stored with the message where no channel stores them.
 */
export function storeAnswer(
  { agent, connection }: { agent: { version: number | null }; connection: unknown },
  answer: Answer,
): RawBuilder<unknown> {
  const { call } = answer
  const shownParts = connection ? null : JSON.stringify(answer.parts.map((part) => part.text))
  const unfounded = answer.unfounded.length > 0 ? JSON.stringify(answer.unfounded) : null
  const choices = answer.choices.length > 0 ? JSON.stringify(answer.choices) : null
  return sql`insert into messages (id, organization_id, conversation_id, author, text, turn_id, sources, model,
        input_tokens, output_tokens, cost_micro_usd, price_version, latency_ms, first_token_ms, agent_version, parts, unfounded, choices)
      select ${newId('messages')}, organization_id, conversation_id, 'agent', ${answer.text}, id, ${JSON.stringify(answer.sources)}::jsonb,
        ${call?.model ?? null}, ${call?.inputTokens ?? null}::int, ${call?.outputTokens ?? null}::int,
        ${call?.costMicroUsd ?? null}::bigint, ${call?.priceVersion ?? null}, ${call?.latencyMs ?? null}::int,
        ${call?.firstTokenMs ?? null}::int, ${agent.version}::int, ${shownParts}::jsonb, ${unfounded}::jsonb, ${choices}::jsonb
      from turn
      on conflict (turn_id) where turn_id is not null and author = 'agent' do update set
        text = excluded.text, status = 'complete', sources = excluded.sources, model = excluded.model,
        input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens, cost_micro_usd = excluded.cost_micro_usd,
        price_version = excluded.price_version, latency_ms = excluded.latency_ms, first_token_ms = excluded.first_token_ms, agent_version = excluded.agent_version, parts = excluded.parts, unfounded = excluded.unfounded, choices = excluded.choices
      returning id, organization_id, conversation_id`
}

/**
 * CTEs `message` and `conversation`: a message of the agent that no model has written. `message` returns id, organization_id and
 * conversation_id; no row when its turn already has a complete message of the agent.
 */
export function storeNotice(
  ctx: OrgStoreContext,
  conversationId: ConversationId,
  notice: {
    id?: Id<'messages'>
    text: string
    reason?: string | null
    choices?: string[]
    turn?: { turnId: Id<'turns'>; agent: { version: number | null } }
  },
): RawBuilder<unknown> {
  const { id = newId('messages'), text, reason = null, choices = [], turn } = notice
  return sql`message as (
      insert into messages (id, organization_id, conversation_id, author, text, reason, choices, turn_id, agent_version)
      values (${id}, ${ctx.organizationId}, ${conversationId}, 'agent', ${text}, ${reason},
        ${choices.length > 0 ? JSON.stringify(choices) : null}::jsonb, ${turn?.turnId ?? null}, ${turn?.agent.version ?? null}::int)
      on conflict (turn_id) where turn_id is not null and author = 'agent' do update set
        text = excluded.text, status = 'complete' where messages.status <> 'complete'
      returning id, organization_id, conversation_id
    ), conversation as (
      update conversations c set message_count = c.message_count + 1, last_message_author = 'agent',
        last_message_text = ${text.slice(0, PREVIEW_LENGTH)}, last_message_at = now()
      from message m where c.organization_id = m.organization_id and c.id = m.conversation_id
    )`
}

/** A statement: keeps what is shown so far of the answers of these turns. `ended`: a CTE with id and organization_id of turns. */
export function stopStreaming(ended: string): RawBuilder<unknown> {
  return sql`update messages set status = 'stopped' from ${sql.ref(ended)} ended
      where messages.organization_id = ended.organization_id and messages.turn_id = ended.id and messages.status = 'streaming'`
}

/** A statement: sets the number of attachments of a message. Returns organization_id, conversation_id and id. */
export function countAttachments(ctx: OrgStoreContext, messageId: Id<'messages'>, count: number): RawBuilder<unknown> {
  return sql`update messages set attachment_count = ${count}::int where organization_id = ${ctx.organizationId} and id = ${messageId}
      returning organization_id, conversation_id, id`
}

/**
 * Shows an answer that is still being written. Without effect once the turn was stopped, ended or taken over.
 * @param text all of it so far
 */
export async function writeStream(
  ctx: OrgStoreContext,
  claim: { turnId: Id<'turns'>; epoch: number },
  text: string,
): Promise<void> {
  await sql`insert into messages (id, organization_id, conversation_id, author, text, status, turn_id)
    select ${newId('messages')}, organization_id, conversation_id, 'agent', ${text}, 'streaming', id from turns
    where id = ${claim.turnId} and organization_id = ${ctx.organizationId} and epoch = ${claim.epoch}::int and status = 'running'
    on conflict (turn_id) where turn_id is not null and author = 'agent' do update
      set text = excluded.text where messages.status = 'streaming'`.execute(ctx.db)
}

/** Stores the cost of an aborted call on the message that shows its beginning. Without effect where there is none. */
export async function noteStoppedCall(
  ctx: OrgStoreContext,
  { turnId }: { turnId: Id<'turns'> },
  call: ModelCall,
): Promise<void> {
  await sql`
    update messages set model = ${call.model}, input_tokens = ${call.inputTokens}::int, output_tokens = ${call.outputTokens}::int,
      cost_micro_usd = ${call.costMicroUsd}::bigint, price_version = ${call.priceVersion}, latency_ms = ${call.latencyMs}::int,
      first_token_ms = ${call.firstTokenMs}::int
    where organization_id = ${ctx.organizationId} and turn_id = ${turnId} and author = 'agent' and status = 'stopped'`.execute(
    ctx.db,
  )
}

/** Makes a failure visible where the answer would stand. The customer receives nothing. */
export async function addFailedMessage(
  ctx: OrgStoreContext,
  turn: { turnId: Id<'turns'>; conversationId: Id<'conversations'>; agent: { settings: { model: string } } },
  reason: string,
): Promise<void> {
  await sql`insert into messages (id, organization_id, conversation_id, author, text, status, reason, turn_id, model)
    values (${newId('messages')}, ${ctx.organizationId}, ${turn.conversationId}, 'agent', '', 'failed', ${reason},
      ${turn.turnId}, ${turn.agent.settings.model})
    on conflict (turn_id) where turn_id is not null and author = 'agent' do update
      set status = 'failed', reason = excluded.reason`.execute(ctx.db)
}

/** Marks an answer in progress as stopped; where nothing was written yet, adds an empty message that records it. */
export async function markStopped(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  turnId: Id<'turns'>,
): Promise<void> {
  await ctx.db
    .insertInto('messages')
    .values({
      id: newId('messages'),
      organization_id: ctx.organizationId,
      conversation_id: conversationId,
      author: 'agent',
      user_id: null,
      text: '',
      status: 'stopped',
      reason: null,
      turn_id: turnId,
      sources: '[]',
      model: null,
      input_tokens: null,
      output_tokens: null,
      cost_micro_usd: null,
      price_version: null,
      latency_ms: null,
      first_token_ms: null,
    })
    .onConflict((conflict) =>
      conflict
        .column('turn_id')
        .where('turn_id', 'is not', null)
        .where('author', '=', sql.lit('agent')) // as a parameter it would name no index once the plan is generic
        .doUpdateSet({ status: 'stopped' }),
    )
    .execute()
}

/**
 * A statement: the answers that a CTE `withheld` names (conversation_id, day) do not count, and the questions are open after what a CTE
 * `reopened` names (conversation_id, through).
 */
export function reopenQuestions(ctx: OrgStoreContext): RawBuilder<unknown> {
  return sql`update conversations c set
        answered_through = (select min(through) from reopened where reopened.conversation_id = c.id),
        answers_count = greatest(0, c.answers_count
          - (select count(*) from withheld w where w.conversation_id = c.id and w.day = c.answers_on))
      where c.organization_id = ${ctx.organizationId} and c.id in (select conversation_id from withheld)`
}
