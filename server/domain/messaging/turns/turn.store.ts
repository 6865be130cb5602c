// SQL of one turn being answered: everything that is needed to answer it, read at one moment.
import { sql } from 'kysely'
import { settingsOfText } from '#server/domain/agents/settings-text.ts'
import { settingsOf } from '#server/domain/channels/connections/connection-settings.store.ts'
import { flagOf } from '#server/domain/flags/flags.store.ts'
import { calledName } from '#server/domain/messaging/customers/contacts.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { deliveredText } from '../outbox/delivered-text.store.ts'
import { type AgentFacts, agentFacts, withSpaces } from './agent-facts.store.ts'
import { withOwnWords } from './forwards.rules.ts'
import { withoutFunctions } from './functions.rules.ts'
import { applyOverrides } from './rehearsal.rules.ts'
import { withinSession } from './session.rules.ts'
import type { Claim, Turn } from './turn.ts'

/** Newest messages that are read for a reply, and more where the agent's settings let a model have more. */
const HISTORY_MESSAGES = 60
/** What waits for an answer is read whole, up to this many messages: a question that is left out is dropped without a word. */
const OPEN_MESSAGES = 1000

type TurnRow = Omit<Turn, 'agent' | 'connection'> & {
  agent: AgentFacts
  connection: (NonNullable<Turn['connection']> & Parameters<typeof settingsOf>[0]) | null
}

/**
 * The turn behind a claim; undefined when the claim does not hold any more.
 *
 * Turn, conversation and customer are looked up by their keys in a way that leaves no choice. A plan that is made while the tables are
 * almost empty takes any index for as good as another, may then read all rows of the organization, and is kept for a minute.
 */
export async function findTurn(ctx: OrgStoreContext, claim: Claim): Promise<Turn | undefined> {
  const result = await sql<TurnRow>`
    select t.id as "turnId", t.epoch, t.crashes, t.organization_id as "organizationId", t.conversation_id as "conversationId",
      jsonb_array_length(t.attempts) as "failedAttempts", t.attempts->0->'startedAt' as "firstTriedAt", t.kind,
      round(1000 * extract(epoch from t.started_at - t.waiting_since))::float8 as "waitedMs", coalesce(t.overrides, '{}') as overrides,
      json_build_object('status', case c.folder when 'deleted' then 'ended' else c.status end, 'pauseEpoch', c.pause_epoch, 'answeredThrough', c.answered_through,
        'phrasesThrough', c.phrases_through, 'handoffReason', c.handoff_reason, 'handoffNote', c.handoff_note,
        'stretchSummary', s.stretch_summary, 'stretchThrough', coalesce(s.stretch_through, 0),
        'summary', s.summary, 'summaryThrough', coalesce(s.summary_through, 0), 'messageCount', c.message_count,
        'customerName', u.name, 'channel', c.channel, 'chatId', c.external_chat_id) as conversation,
      case when n.id is not null then
        json_build_object('id', n.id, 'status', n.status, 'isOff', n.disconnected_at is not null,
          'channel', n.channel, 'settings', n.settings) end as connection,
      ${agentFacts} as agent,
      o.time_zone as "timeZone", coalesce(nullif(o.display_name, ''), o.name) as "organizationName",
      (select json_build_object('number', number, 'text', text) from prompt_templates order by number desc limit 1) as template,
      json_build_object('voice', ${flagOf('voice')}, 'webSearch', ${flagOf('web_search')}) as flags,
      case when t.kind = 'follow_up' then json_build_object('step', coalesce((
        select f.step from conversation_follow_ups f where f.organization_id = c.organization_id and f.conversation_id = c.id), 0), 'sentToday', (
        select count(*) from turns f
        where f.organization_id = c.organization_id and f.conversation_id = c.id and f.kind = 'follow_up' and f.outcome = 'replied'
          and f.finished_at >= date_trunc('day', now() at time zone o.time_zone) at time zone o.time_zone),
        'isDelivered', not exists (select from outbox p where p.organization_id = c.organization_id and p.conversation_id = c.id
          and p.status <> 'sent' and p.message_id = (select id from messages
            where organization_id = c.organization_id and conversation_id = c.id and author = 'agent'
            order by sequence desc limit 1))) end as "followUp",
      json_build_object('allowance', coalesce(o.monthly_limit, (select p.monthly_messages from plans p where p.slug = o.plan)),
        'isSuspended', o.suspended_at is not null, 'atLimit', o.at_limit, 'limitText', o.limit_text, 'monthlySpendMicroUsd', o.monthly_spend_limit_micro_usd,
        'reservedMonth', t.reserved_period, 'reservedDay', t.reserved_day, 'notices', c.notices,
        'answersOn', c.answers_on, 'answersCount', c.answers_count,
        'agentDay', (select json_build_object('period', q.period, 'used', q.used, 'reserved', q.reserved, 'costMicroUsd', q.cost_micro_usd,
            'unpricedCalls', q.unpriced_calls, 'isWarned', q.is_warned)
          from quotas q where q.organization_id = c.organization_id
            and q.period = to_char(now() at time zone o.time_zone, 'YYYY-MM-DD ') || a.id),
        'language', u.language) as limits,
      (select coalesce(json_agg(json_build_object('sequence', m.sequence, 'author', m.author, 'status', m.status, 'text', ${deliveredText},
          'speaker', m.speaker, 'quoted', m.quoted, 'forwarded', m.forwarded, 'choices', m.choices, 'at', floor(1000 * extract(epoch from m.created_at)),
          'attachments', case when m.attachment_count > 0 then (
            select json_agg(json_build_object('id', f.id, 'kind', f.kind, 'name', f.name, 'mimeType', f.mime_type,
              'durationSeconds', f.duration_seconds, 'status', f.status, 'text', f.text, 'reason', f.reason) order by f.position)
            from attachments f where f.organization_id = c.organization_id and f.message_id = m.id) end) order by m.sequence), '[]')
        from (select id, organization_id, sequence, author, status, text, created_at, attachment_count, speaker, quoted, forwarded, choices from messages
          where organization_id = c.organization_id and conversation_id = c.id
            and author <> 'system' and reason is distinct from 'rating' and status in ('complete', 'stopped')
          order by sequence desc
          limit greatest(${HISTORY_MESSAGES}::int, (v.settings #>> '{context,maxMessages}')::int, (
            select least(${OPEN_MESSAGES}::int, count(*)) from messages o where o.organization_id = c.organization_id
              and o.conversation_id = c.id and o.sequence > c.answered_through)::int)) m) as history
    from (select * from turns where id = ${claim.turnId} and organization_id = ${ctx.organizationId} offset 0) t
    join conversations c on c.organization_id = t.organization_id and c.id = ${claim.conversationId}
    join agents a on a.organization_id = c.organization_id and a.id = c.agent_id
    join agent_versions v on v.organization_id = a.organization_id and v.agent_id = a.id
      and v.number = case when c.channel = 'test' then a.latest_version else a.live_version end
    join organizations o on o.id = c.organization_id
    ${withSpaces}
    left join lateral (select ${calledName} as name, customers.language from customers
      left join lateral (select given_name, name from customers p
        where p.organization_id = customers.organization_id and p.id = customers.person_id limit 1) people on true
      where customers.organization_id = c.organization_id and customers.id = c.customer_id limit 1) u on true
    left join lateral (select * from conversation_summaries
      where organization_id = c.organization_id and conversation_id = c.id limit 1) s on true
    left join channel_connections n on n.organization_id = c.organization_id and n.id = c.connection_id
    where t.epoch = ${claim.epoch}::int and t.status = 'running'`.execute(ctx.db)
  const row = result.rows[0]
  if (!row) return undefined
  const connection = row.connection && { ...row.connection, settings: settingsOf(row.connection) }
  const agent = { ...row.agent, settings: settingsOfText(row.agent.settings) }
  return withinSession(
    withoutFunctions(applyOverrides({ ...row, agent, connection, history: withOwnWords(row.history) })),
  )
}
