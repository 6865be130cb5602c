// SQL of who has written a message, as parts of the one statement that stores the message.
import { type RawBuilder, sql } from 'kysely'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'

/**
 * CTEs `known`, `written` and `customer`, behind CTEs `connection` (id, organization_id) and `notification`: nothing is written without a
 * row of both. `customer` returns the id. A customer who is known as the message describes them is not written again.
 */
export function storeSender(
  { organizationId }: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  { sender }: Extract<Inbound, { kind: 'message' }>,
): RawBuilder<unknown> {
  return sql`known as (
      select id, (name, username, language) is not distinct from
        (${sender.name}::text, ${sender.username}::text, ${sender.language}::text) as is_same
      from customers
      where connection_id = ${connectionId} and organization_id = ${organizationId} and external_id = ${sender.externalId}
    ), written as (
      insert into customers (id, organization_id, connection_id, external_id, name, username, language)
      select ${newId('customers')}, c.organization_id, c.id, ${sender.externalId}, ${sender.name}, ${sender.username}, ${sender.language}
      from connection c, notification
      where not exists (select from known where is_same)
      on conflict (connection_id, external_id) do update
        set name = excluded.name, username = excluded.username, language = excluded.language
      returning id
    ), customer as (
      select id from written
      union all
      select known.id from known, notification where is_same
    )`
}
