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
    for (const index of indexes) await sql.raw(index).execute(db)
  })
  await sql`analyze`.execute(root)
}

/** @returns the statements that recreate them */
async function dropIndexes(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ indexname: string; indexdef: string }>`
    select indexname, indexdef from pg_indexes
    where tablename in ('messages', 'customers', 'conversations') and schemaname = current_schema()
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
      assignee_id, unread_count, needs_person, waiting_since, message_count, last_message_author, last_message_text, last_message_at)
    select 'conversation-' || lpad(n::text, 9, '0'), ${owner.organizationId},
      (${owner.agentIds}::text[])[1 + n % ${owner.agentIds.length}::int],
      (array['telegram', 'telegram', 'telegram', 'whatsapp', 'whatsapp', 'webchat', 'http'])[1 + n % 7],
      'customer-' || n, n::text, case when n % 50 = 0 then 'paused' when n % 3 = 1 then 'ended' else 'active' end,
      case when n % 100 < 80 then 'inbox' when n % 100 < 95 then 'archived' else 'deleted' end,
      case when n % 100 >= 80 then now() end, case when n % 5 = 0 then ${owner.userId} end,
      case when n % 37 = 0 or n % 100 >= 80 then 1 + n % 3 else 0 end, n % 401 = 0,
      case when n % 29 = 0 then now() - n * interval '1 minute' end, ${size.messagesEach}::int, 'customer', 'The last words',
      now() - n * interval '1 minute'
    from generate_series(1, ${size.conversations}::int) n`.execute(db)
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
  await sql`insert into messages (id, organization_id, conversation_id, author, text)
    select 'message-' || m || '-' || n, ${owner.organizationId}, 'conversation-' || lpad(n::text, 9, '0'),
      case when m % 2 = 1 then 'customer' else 'agent' end, texts.text || ' №' || m * ${size.conversations}::int + n
    from generate_series(1, ${size.messagesEach}::int) m, generate_series(1, ${size.conversations}::int) n
      join texts on texts.number = (n * 7) % 5000`.execute(db)
}
