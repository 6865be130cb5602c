// SQL of erasing a customer everywhere. What goes by itself with conversations is in the foreign keys: messages, attachments, turns and
// their records, parts, notes, tags, searches, proposals, presence.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { ErasureCounts } from '#shared/retention.ts'
import type { Person } from './contacts.store.ts'

/** Every identifier of one person, and their conversations. */
export type Everywhere = { people: Person[]; conversationIds: Id<'conversations'>[] }

/** The conversations of a person; held when they are to be erased, in the order in which everybody holds several. */
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

/** What there is of a person. */
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

/** Keys of the files under what was said with a person. */
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
 * its key), what was noted of deliveries to them, and how many files a visitor has sent.
 */
export async function deleteBeside(ctx: OrgStoreContext, { people, conversationIds }: Everywhere): Promise<void> {
  const { organizationId } = ctx
  await sql`update inbound set payload = '{}'::jsonb where organization_id = ${organizationId} and message_id in (
    select id from messages where organization_id = ${organizationId} and conversation_id = any (${conversationIds}::text[]))`.execute(
    ctx.db,
  )
  await sql`delete from delivery_attempts where organization_id = ${organizationId} and outbox_id in (
    select id from outbox where organization_id = ${organizationId} and conversation_id = any (${conversationIds}::text[]))`.execute(
    ctx.db,
  )
  for (const { connectionId, externalId } of [...people, ...(await listOtherIds(ctx, people))]) {
    await sql`update inbound set payload = '{}'::jsonb, edit_of = null where organization_id = ${organizationId} and connection_id = ${connectionId}
      and payload::text ~ ${`(^|[^0-9A-Za-z])${escapeRegex(externalId)}([^0-9A-Za-z]|$)`}`.execute(ctx.db)
    await sql`delete from visitor_files where organization_id = ${organizationId} and connection_id = ${connectionId}
      and visitor_id = ${externalId}`.execute(ctx.db)
  }
}

/** By what else their channels know them; not by what is another contact's own, who was one person with them once, and may be on hold. */
export async function listOtherIds(ctx: OrgStoreContext, people: Person[]): Promise<Omit<Person, 'id'>[]> {
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
  if (conversationIds.length > 0) {
    await ctx.db
      .deleteFrom('conversations')
      .where('organization_id', '=', ctx.organizationId)
      .where('id', 'in', conversationIds)
      .execute()
  }
  await ctx.db
    .deleteFrom('customers')
    .where('organization_id', '=', ctx.organizationId)
    .where(
      'id',
      'in',
      people.map(({ id }) => id),
    )
    .execute()
}

/** Removes all exported files, which may hold what was said; one that is being written is not written on. @returns where they are */
export async function deleteExports(ctx: OrgStoreContext): Promise<string[]> {
  const rows = await ctx.db
    .deleteFrom('exports')
    .where('organization_id', '=', ctx.organizationId)
    .returning('file_key')
    .execute()
  return rows.map(({ file_key: key }) => key)
}
