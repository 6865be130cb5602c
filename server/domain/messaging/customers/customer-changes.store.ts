// SQL of changes to customers by other domains: the ids by which channels know them, their wishes and holds, and their removal.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

type CustomerId = Id<'customers'>
type ConnectionId = Id<'channelConnections'>

/** Gives a customer another id of their connection. @returns false when that is another customer's */
export async function renameCustomer(
  ctx: OrgStoreContext,
  connectionId: ConnectionId,
  { id, externalId }: { id: CustomerId; externalId: string },
): Promise<boolean> {
  const { rows } = await sql`
    update customers set external_id = ${externalId}
    where organization_id = ${ctx.organizationId} and id = ${id} and not exists (select from customers other
      where other.organization_id = ${ctx.organizationId} and other.connection_id = ${connectionId} and other.external_id = ${externalId})
    returning id`.execute(ctx.db)
  return rows.length > 0
}

/** A customer with an id of a connection gets another id, unless that is another customer's. */
export async function moveCustomer(
  ctx: OrgStoreContext,
  connectionId: ConnectionId,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const of = sql`organization_id = ${ctx.organizationId} and connection_id = ${connectionId}`
  await sql`
    update customers set external_id = ${to} where ${of} and external_id = ${from}
      and not exists (select from customers where ${of} and external_id = ${to})`.execute(ctx.db)
}

/** A customer who has just written for the first time is known from now on by all ids that the message has named. */
export async function keepAliases(
  ctx: OrgStoreContext,
  connectionId: ConnectionId,
  { externalId, aliases = [] }: { externalId: string; aliases?: string[] },
): Promise<void> {
  const ids = aliases.filter((id) => id !== externalId)
  if (ids.length === 0) return
  await sql`
    insert into customer_identities (organization_id, connection_id, external_id, customer_id)
    select c.organization_id, c.connection_id, alias, c.id from customers c, unnest(${ids}::text[]) alias
    where c.organization_id = ${ctx.organizationId} and c.connection_id = ${connectionId} and c.external_id = ${externalId}
    on conflict (connection_id, external_id) do nothing`.execute(ctx.db)
}

/** Adds ids by which a customer is known; an id that was another's becomes theirs. */
export async function keepIds(
  ctx: OrgStoreContext,
  connectionId: ConnectionId,
  { customerId, ids }: { customerId: Id<'customers'>; ids: string[] },
): Promise<void> {
  if (ids.length === 0) return
  await sql`
    insert into customer_identities (organization_id, connection_id, external_id, customer_id)
    select ${ctx.organizationId}, ${connectionId}, id, ${customerId} from unnest(${ids}::text[]) id
    on conflict (connection_id, external_id) do update set customer_id = excluded.customer_id
    where customer_identities.customer_id <> excluded.customer_id`.execute(ctx.db)
}

/** How the customer of a conversation wants to be answered. */
export async function setAnswersBy(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  wish: 'voice' | 'text',
): Promise<void> {
  await sql`update customers set answers_by = ${wish}
    where organization_id = ${ctx.organizationId} and id = (select customer_id from conversations
      where organization_id = ${ctx.organizationId} and id = ${conversationId})`.execute(ctx.db)
}

/** Puts contacts on hold; one that is on hold already keeps its own. The caller holds them. */
export async function beginHolds(
  ctx: OrgStoreContext,
  ids: CustomerId[],
  { at, by, reason }: { at: Date; by: Id<'users'> | null; reason: string },
): Promise<void> {
  await ctx.db
    .updateTable('customers')
    .set({ legal_hold_at: at, legal_hold_by: by, legal_hold_reason: reason })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', ids)
    .where('legal_hold_at', 'is', null)
    .execute()
}

/** Ends the holds of contacts; that they had them stays recorded. The caller holds them. @param lifted `by`: a name */
export async function endHolds(
  ctx: OrgStoreContext,
  ids: CustomerId[],
  { by, now }: { by: string; now: Date },
): Promise<void> {
  await ctx.db
    .updateTable('customers')
    .set({
      ...{ legal_hold_at: null, legal_hold_by: null, legal_hold_reason: null },
      lifted_holds: sql`lifted_holds || jsonb_build_object('at', floor(1000 * extract(epoch from legal_hold_at)),
        'by', (select name from users where id = legal_hold_by), 'reason', coalesce(legal_hold_reason, ''),
        'liftedAt', ${now.getTime()}::bigint, 'liftedBy', ${by}::text)`,
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', ids)
    .where('legal_hold_at', 'is not', null)
    .execute()
}

/** Removes customers, whose conversations are gone. */
export async function deleteCustomers(ctx: OrgStoreContext, ids: CustomerId[]): Promise<void> {
  await ctx.db
    .deleteFrom('customers')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', ids)
    .execute()
}

/** Removes all contacts of the person behind a customer when none of them has a conversation. */
export async function deleteWithoutConversations(ctx: OrgStoreContext, customerId: CustomerId | null): Promise<void> {
  await sql`with person as (
      select coalesce(person_id, id) as id from customers where organization_id = ${ctx.organizationId} and id = ${customerId}
    ), contacts as (
      select p.id from person join customers p on p.organization_id = ${ctx.organizationId} and (p.id = person.id or p.person_id = person.id)
    )
    delete from customers where organization_id = ${ctx.organizationId} and id in (select id from contacts) and not exists (
      select from contacts join conversations c on c.organization_id = ${ctx.organizationId} and c.customer_id = contacts.id)`.execute(
    ctx.db,
  )
}
