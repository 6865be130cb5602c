// SQL of erasing a customer everywhere. What is removed with conversations is in the foreign keys: messages, attachments, turns and
// their records, parts, notes, tags, searches, proposals, presence.
import { sql } from 'kysely'
import { deleteAttemptsFor } from '#server/domain/channels/health/delivery-attempts.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { ErasureCounts } from '#shared/messaging/retention.ts'
import { deleteConversations } from '../conversations/writes/conversation-removal.store.ts'
import type { Person } from '../customers/contacts.store.ts'
import { deleteCustomers } from '../customers/customer-changes.store.ts'
import { isOnLegalHold } from '../customers/legal-hold.store.ts'
import { emptyCarriers, emptyMatching } from '../inbound-events/notifications.store.ts'
import { deleteFileCountsOf } from '../webchat/webchat.files.store.ts'

/** Every identifier of one person, and their conversations. */
export type Everywhere = { people: Person[]; conversationIds: Id<'conversations'>[] }

/** The conversations of a person; held when they are to be erased, in the order in which all transactions lock several. */
export async function listOwn(ctx: OrgStoreContext, people: Person[], isHeld: boolean): Promise<Id<'conversations'>[]> {
  const query = ctx.db
    .selectFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where(
      'customer_id',
      'in',
      people.map(({ id }) => id),
    )
    .select('id')
    .orderBy('id')
  const rows = await (isHeld ? query.forUpdate() : query).execute()
  return rows.map(({ id }) => id)
}

/** Counts of what is stored of a person. */
export async function countEverywhere(
  ctx: OrgStoreContext,
  { people, conversationIds }: Everywhere,
): Promise<ErasureCounts> {
  const count = async (table: 'messages' | 'attachments' | 'conversation_notes' | 'turn_traces') => {
    if (conversationIds.length === 0) return 0
    const { counted } = await ctx.db
      .selectFrom(table)
      .where('organization_id', '=', ctx.organizationId)
      .where('conversation_id', 'in', conversationIds)
      .select(({ fn }) => fn.countAll<number>().as('counted'))
      .executeTakeFirstOrThrow()
    return Number(counted)
  }
  return {
    identifiers: people.length,
    conversations: conversationIds.length,
    messages: await count('messages'),
    files: await count('attachments'),
    notes: await count('conversation_notes'),
    traces: await count('turn_traces'),
  }
}

/** Keys of the files in a person's conversations. */
export async function listTheirFiles(ctx: OrgStoreContext, conversationIds: Id<'conversations'>[]): Promise<string[]> {
  if (conversationIds.length === 0) return []
  const rows = await ctx.db
    .selectFrom('attachments')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', 'in', conversationIds)
    .where('file_key', 'is not', null)
    .select('file_key')
    .execute()
  return rows.flatMap(({ file_key: key }) => key ?? [])
}

/**
 * Removes what no foreign key leads to: the content of notifications that carried their messages or name them (a copy is still known by
 * its key), records of deliveries to them, and how many files a visitor has sent. Messages of a person on legal hold stay, whomever they
 * name.
 */
export async function deleteUnlinkedRecords(ctx: OrgStoreContext, everywhere: Everywhere): Promise<void> {
  const { people, conversationIds } = everywhere
  await emptyCarriers(ctx, conversationIds)
  await deleteAttemptsFor(ctx, conversationIds)
  const known = [...people, ...(await listOtherIds(ctx, people))]
  await emptyNaming(ctx, [...known, ...(await listReached(ctx, everywhere, known))])
  await deleteFileCountsOf(ctx, known)
}

/** An id, and the connection that knows a person by it. */
type Named = Omit<Person, 'id'>

const unnested = (named: Named[]) => sql`unnest(${named.map(({ connectionId }) => connectionId)}::text[],
  ${named.map(({ externalId }) => externalId)}::text[]) named (connection_id, external_id)`

/** Removes the content of notifications that name them: those of a connection are scanned once, for all ids by which it knows them. */
async function emptyNaming(ctx: OrgStoreContext, named: Named[]): Promise<void> {
  const byConnection = [...Map.groupBy(named, ({ connectionId }) => connectionId)]
  const patterns = byConnection.map(([connectionId, each]) => {
    const ids = [...new Set(each.map(({ externalId }) => escapeRegex(externalId)))]
    return { connectionId, pattern: `(^|[^0-9A-Za-z])(${ids.join('|')})([^0-9A-Za-z]|$)` }
  })
  await emptyMatching(ctx, patterns, tellsOfHeld)
}

/** The notification `i` carried a message of a person on legal hold, or an edit of one. */
const tellsOfHeld = sql<boolean>`(
  exists (select from messages m join conversations c on c.organization_id = m.organization_id and c.id = m.conversation_id
    where m.organization_id = i.organization_id and m.id = i.message_id and ${isOnLegalHold(sql`c.customer_id`)})
  or (i.edit_of is not null and exists (select from customers held
    join conversations c on c.organization_id = held.organization_id and c.customer_id = held.id
    join messages m on m.organization_id = c.organization_id and m.conversation_id = c.id
      and m.external_id in (i.edit_of, substr(i.edit_of, length(c.external_chat_id) + 2))
    where held.organization_id = i.organization_id and held.legal_hold_at is not null
      and i.edit_of in (m.external_id, c.external_chat_id || ' ' || m.external_id))))`

/**
 * The ids by which other numbers know them that stood in in their conversations: a number to which they have never written has no contact
 * of them. Leaves out ids that belong to another contact there.
 */
async function listReached(ctx: OrgStoreContext, { people, conversationIds }: Everywhere, known: Named[]) {
  const { rows } = await sql<Named>`
    with reached as (
      select number.connection_id, r.external_chat_id from failover_notices r
        cross join lateral (values (r.connection_id), (r.to_connection_id)) number (connection_id)
      where r.organization_id = ${ctx.organizationId} and r.conversation_id = any (${conversationIds}::text[])
    ), ids as (
      select external_chat_id as external_id from reached
      union select named.external_id from ${unnested(known)} where named.connection_id in (select connection_id from reached)
    )
    select distinct reached.connection_id as "connectionId", ids.external_id as "externalId" from reached cross join ids
    where not exists (select from customers other where other.organization_id = ${ctx.organizationId}
      and other.connection_id = reached.connection_id and other.external_id = ids.external_id
      and other.id <> all (${people.map(({ id }) => id)}::text[]))`.execute(ctx.db)
  return rows
}

/** The other ids by which their channels know them; not those of another contact, who was merged with them once, and may be on hold. */
export async function listOtherIds(ctx: OrgStoreContext, people: Person[]): Promise<Named[]> {
  return ctx.db
    .selectFrom('customer_identities')
    .where('organization_id', '=', ctx.organizationId)
    .where(
      'customer_id',
      'in',
      people.map(({ id }) => id),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('customers')
            .where('customers.organization_id', '=', ctx.organizationId)
            .whereRef('customers.connection_id', '=', 'customer_identities.connection_id')
            .whereRef('customers.external_id', '=', 'customer_identities.external_id')
            .where(
              'customers.id',
              'not in',
              people.map(({ id }) => id),
            )
            .select('customers.id'),
        ),
      ),
    )
    .select(['connection_id as connectionId', 'external_id as externalId'])
    .orderBy('external_id')
    .execute()
}

function escapeRegex(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '\\$&')
}

/** Removes a person with all conversations. */
export async function deletePerson(ctx: OrgStoreContext, { people, conversationIds }: Everywhere): Promise<void> {
  await deleteConversations(ctx, conversationIds)
  await deleteCustomers(
    ctx,
    people.map(({ id }) => id),
  )
}

/** Removes all exported files, which may hold messages of the person; one that is being written is abandoned. @returns where they are */
export async function deleteExports(ctx: OrgStoreContext): Promise<string[]> {
  const rows = await ctx.db
    .deleteFrom('exports')
    .where('organization_id', '=', ctx.organizationId)
    .returning('file_key')
    .execute()
  return rows.map(({ file_key: key }) => key)
}
