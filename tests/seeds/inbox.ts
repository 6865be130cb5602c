// An inbox with a long history: the requested number of conversations and messages, generated inside the database.
import { type Kysely, sql } from 'kysely'
import type { Tables } from '#server/platform/db/tables/database.ts'
import type { Id } from '#shared/ids.ts'

export type InboxOwner = {
  organizationId: Id<'organizations'>
  agentIds: Id<'agents'>[]
  connectionId: Id<'channelConnections'>
  /** Every fifth conversation is assigned to them. */
  userId: Id<'users'>
}
export type InboxSize = { conversations: number; messagesEach: number }

/** Text of every third message, and a text unique to one message: `#` with its number. */
export const USUAL_WORD = 'заказ'

/** Indexes are rebuilt after the rows are inserted; triggers are off, so no live query may be open. */
export async function seedInbox(root: Kysely<Tables>, owner: InboxOwner, size: InboxSize): Promise<void> {
  await root.transaction().execute(async (db) => {
    await sql`set local session_replication_role = replica`.execute(db)
    await sql`set local statement_timeout = 0`.execute(db)
    const indexes = await dropIndexes(db)
    await seedCustomers(db, owner, size)
    await seedConversations(db, owner, size)
    await seedSurroundings(db, owner, size)
    await seedMessages(db, owner, size)
    await seedFacts(db)
    for (const index of indexes) await sql.raw(index).execute(db)
  })
  await sql`analyze`.execute(root)
}

/** @returns the statements that recreate them */
async function dropIndexes(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ indexname: string; indexdef: string }>`
    select indexname, indexdef from pg_indexes
    where tablename in ('messages', 'customers', 'conversations', 'message_days') and schemaname = current_schema()
      and not exists (select from pg_constraint where conname = indexname)`.execute(db)
  for (const { indexname } of rows) await sql`drop index ${sql.id(indexname)}`.execute(db)
  return rows.map(({ indexdef }) => indexdef)
}

async function seedCustomers(db: Kysely<Tables>, owner: InboxOwner, size: InboxSize): Promise<void> {
  await sql`insert into customers (id, organization_id, connection_id, external_id, name)
    select 'customer-' || n, ${owner.organizationId}, ${owner.connectionId}, n::text,
      (array['Anna', 'Болат', 'Иван', 'Olga', 'Айгуль', 'Pavel', 'Нина', 'Wilhelm'])[1 + n % 8] || ' ' || n
    from generate_series(1, ${size.conversations}::int) n`.execute(db)
}

/** The first is the newest; one message per minute. Archived conversations were never read. */
async function seedConversations(db: Kysely<Tables>, owner: InboxOwner, size: InboxSize): Promise<void> {
  await sql`insert into conversations (id, organization_id, agent_id, channel, customer_id, external_chat_id, status, folder, moved_at,
      assignee_id, unread_count, needs_person, waiting_since, message_count, last_message_author, last_message_text, last_message_at,
      created_at)
    select 'conversation-' || lpad(n::text, 9, '0'), ${owner.organizationId},
      (${owner.agentIds}::text[])[1 + n % ${owner.agentIds.length}::int],
      (array['telegram', 'telegram', 'telegram', 'whatsapp', 'whatsapp', 'webchat', 'http'])[1 + n % 7],
      'customer-' || n, n::text, case when n % 50 = 0 then 'paused' when n % 3 = 1 then 'ended' else 'active' end,
      case when n % 100 < 80 then 'inbox' when n % 100 < 95 then 'archived' else 'deleted' end,
      case when n % 100 >= 80 then now() end, case when n % 5 = 0 then ${owner.userId} end,
      case when n % 37 = 0 or n % 100 >= 80 then 1 + n % 3 else 0 end, n % 401 = 0,
      case when n % 29 = 0 then now() - n * interval '1 minute' end, ${size.messagesEach}::int, 'customer', 'The last words',
      now() - n * interval '1 minute', ${begunAt(size)}
    from generate_series(1, ${size.conversations}::int) n`.execute(db)
}

/** They began within a year, evenly, and none after its last message. */
function begunAt({ conversations }: InboxSize) {
  return sql`least(now() - n * interval '1 minute', now() - n * interval '365 days' / ${conversations}::int)`
}

/** What the triggers would have kept. */
async function seedFacts(db: Kysely<Tables>): Promise<void> {
  await sql`insert into conversation_facts (organization_id, conversation_id, begun_at, agent_id, assignee_id, channel, is_deleted, first_question_at,
      first_response_ms, last_answer_at, last_word, ended_at, reopened_count, handoff_reason, rating, did_not_know, cost_micro_usd)
    select c.organization_id, c.id, c.created_at, c.agent_id, c.assignee_id, c.channel, c.folder = 'deleted', c.created_at, 1000 + 7919 * n % 600000,
      c.created_at + interval '3 hours', (array['customer', 'agent', 'agent', 'operator'])[1 + n % 4],
      case when c.status = 'ended' then c.last_message_at end, (n % 23 = 0)::int,
      (array['customer_request', 'missing_knowledge', 'operator_reply', 'policy'])[n % 20], case when n % 6 = 0 then 1 + n % 5 end,
      n % 11 = 0, 1000 + n % 5000
    from conversations c cross join lateral (select right(c.id, 9)::int as n) numbered`.execute(db)
  await sql`with counted as (
      select m.organization_id, m.conversation_id, o.time_zone, (m.created_at at time zone o.time_zone)::date as day, c.agent_id,
        c.assignee_id, c.channel, c.folder = 'deleted' as is_deleted,
        count(*) filter (where m.author = 'customer') as customer, count(*) filter (where m.author = 'agent') as agent
      from messages m join conversations c on c.organization_id = m.organization_id and c.id = m.conversation_id
        join organizations o on o.id = m.organization_id
      group by 1, 2, 3, 4, c.agent_id, c.assignee_id, c.channel, c.folder
    ), days as (
      select counted.*, lag(day) over conversation as previous_day, lead(day) over conversation as next_day from counted
      window conversation as (partition by conversation_id order by day)
    ), earlier as (
      insert into message_days (organization_id, conversation_id, day, previous_day, agent_id, assignee_id, channel, is_deleted, customer,
        agent)
      select organization_id, conversation_id, day, previous_day, agent_id, assignee_id, channel, is_deleted, customer, agent
      from days where next_day is not null
    )
    update conversation_facts f set time_zone = d.time_zone, last_day = d.day, previous_day = d.previous_day, day_customer = d.customer,
      day_agent = d.agent
    from days d
    where d.next_day is null and f.organization_id = d.organization_id and f.conversation_id = d.conversation_id`.execute(
    db,
  )
}

/** Tags, parts that did not arrive, and more that a pause has withheld. */
async function seedSurroundings(db: Kysely<Tables>, owner: InboxOwner, size: InboxSize): Promise<void> {
  await sql`insert into conversation_tags (organization_id, conversation_id, tag)
    select ${owner.organizationId}, 'conversation-' || lpad(n::text, 9, '0'), tag
    from generate_series(1, ${size.conversations}::int) n,
      (values ('usual', 2), ('some', 31), ('rare', 997)) tags (tag, every) where n % every = 0`.execute(db)
  await sql`insert into outbox (id, organization_id, connection_id, conversation_id, message_id, part, external_chat_id, text, status, error)
    select 'outbox-' || n, ${owner.organizationId}, ${owner.connectionId}, 'conversation-' || lpad(n::text, 9, '0'), 'message-' || n, 0,
      n::text, 'A part', case when n % 211 = 0 or n % 53 = 0 then 'failed' else 'sent' end,
      case when n % 211 = 0 then 'blocked' when n % 53 = 0 then 'paused' end
    from generate_series(1, ${size.conversations}::int) n`.execute(db)
}

async function seedMessages(db: Kysely<Tables>, owner: InboxOwner, size: InboxSize): Promise<void> {
  await sql`create temp table words on commit drop as
    select n, (array['ва', 'ло', 'ми', 'ст', 'ре', 'ка', 'до', 'пу'])[1 + n % 8] || (array['гор', 'зе', 'тра', 'фи'])[1 + n / 8 % 4]
      || (array['вен', 'шка', 'бо', 'ни'])[1 + n / 32 % 4] || (array['дом', 'лес', 'рыб', 'сад', 'мор'])[1 + n / 128 % 5] || n / 640 as word
    from generate_series(1, 3000) n`.execute(db)
  await sql`create temp table texts on commit drop as
    select t.number, string_agg(words.word, ' ') || case when t.number % 3 = 0 then ${sql.lit(` ${USUAL_WORD}`)} else '' end as text
    from generate_series(0, 4999) t(number), generate_series(1, 10) w(n), words
    where words.n = 1 + floor(power(3000, abs(sin(t.number * 31 + w.n))))::int % 3000 group by t.number`.execute(db)
  await sql`insert into messages (id, organization_id, conversation_id, author, text, created_at)
    select 'message-' || m || '-' || n, ${owner.organizationId}, 'conversation-' || lpad(n::text, 9, '0'),
      case when m % 2 = 1 then 'customer' else 'agent' end, texts.text || ' №' || m * ${size.conversations}::int + n,
      ${begunAt(size)} + m * interval '4 minutes'
    from generate_series(1, ${size.messagesEach}::int) m, generate_series(1, ${size.conversations}::int) n
      join texts on texts.number = (n * 7) % 5000`.execute(db)
}
