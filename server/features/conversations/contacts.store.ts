// SQL for customers as the team knows them.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/db/database.ts'
import type { Contact } from '#shared/contacts.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'

const CONVERSATIONS_SHOWN = 50

/** What a customer is called: by the team, else by the channel. For queries that join `customers`. */
export const calledName = sql<string | null>`coalesce(customers.given_name, customers.name)`

type Patch = { [Name in 'name' | 'tags' | 'attributes' | 'note']?: Values[Name] | undefined }
type Values = { name: string } & Pick<Contact, 'tags' | 'attributes' | 'note'>
/** One identifier of a person: as one connection knows them. */
export type Person = { id: Id<'customers'>; connectionId: Id<'channelConnections'>; externalId: string }
type Identified = Pick<Person, 'id' | 'externalId'> & { channel: Contact['identifiers'][number]['channel'] }

/** One customer. @throws AppError not_found */
export async function getContact(ctx: OrgStoreContext, id: Id<'customers'>): Promise<Contact> {
  const row = await customers(ctx).where('customers.id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('not_found')
  const person = { id: row.id, channel: row.channel, externalId: row.external_id }
  const same = await listSame(ctx, person)
  return {
    _id: row.id,
    givenName: row.given_name,
    channelName: row.name,
    language: row.language,
    tags: row.tags,
    attributes: row.attributes,
    note: row.note,
    identifiers: [row, ...same.filter((each) => each.id !== row.id)].map((each) => ({
      channel: each.channel,
      connection: each.identifier,
      externalId: each.external_id,
      username: each.username,
    })),
    conversations: await listConversations(ctx, [row.id, ...same.map((each) => each.id)]),
  }
}

/** All identifiers of the person behind one of them. @throws AppError not_found */
export async function listPerson(ctx: OrgStoreContext, id: Id<'customers'>): Promise<Person[]> {
  const row = await customers(ctx).where('customers.id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('not_found')
  const same = await listSame(ctx, { id, channel: row.channel, externalId: row.external_id })
  return [row, ...same.filter((each) => each.id !== id)].map((each) => ({
    id: each.id,
    connectionId: each.connection_id,
    externalId: each.external_id,
  }))
}

/** Changes what is given. @throws AppError not_found */
export async function updateContact(ctx: OrgStoreContext, id: Id<'customers'>, patch: Patch): Promise<void> {
  const { name, tags, attributes, note } = patch
  const changed = await ctx.db
    .updateTable('customers')
    .set({
      id, // so that there is something to set when nothing is given
      ...(name !== undefined && { given_name: name || null }),
      ...(tags && { tags: JSON.stringify([...new Set(tags)]) }),
      ...(attributes && { attributes: JSON.stringify(attributes) }),
      ...(note !== undefined && { note }),
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (!changed) throw new AppError('not_found')
}

/**
 * The same person behind other connections. Telegram and WhatsApp know a person everywhere by one id; what programs and sites call
 * their people means nothing elsewhere.
 */
async function listSame(ctx: OrgStoreContext, { channel, externalId }: Identified) {
  if (channel !== 'telegram' && channel !== 'whatsapp') return []
  return customers(ctx)
    .where('customers.external_id', '=', externalId)
    .where('channel_connections.channel', '=', channel)
    .orderBy('customers.created_at')
    .execute()
}

function customers(ctx: OrgStoreContext) {
  return ctx.db
    .selectFrom('customers')
    .innerJoin('channel_connections', 'channel_connections.id', 'customers.connection_id')
    .where('customers.organization_id', '=', ctx.organizationId)
    .where('channel_connections.organization_id', '=', ctx.organizationId)
    .selectAll('customers')
    .select(['channel_connections.channel', sql<string>`coalesce(channel_connections.identifier, '')`.as('identifier')])
}

async function listConversations(ctx: OrgStoreContext, ids: Id<'customers'>[]): Promise<Contact['conversations']> {
  const rows = await ctx.db
    .selectFrom('conversations')
    .innerJoin('agents', 'agents.id', 'conversations.agent_id')
    .where('conversations.organization_id', '=', ctx.organizationId)
    .where('agents.organization_id', '=', ctx.organizationId)
    .where('conversations.customer_id', 'in', ids)
    .select(['conversations.id', 'conversations.channel', 'conversations.status', 'conversations.message_count'])
    .select(['conversations.last_message_at', 'agents.name as agent_name'])
    .orderBy('conversations.last_message_at', 'desc')
    .limit(CONVERSATIONS_SHOWN)
    .execute()
  return rows.map((row) => ({
    _id: row.id,
    channel: row.channel,
    agentName: row.agent_name,
    status: row.status,
    messageCount: row.message_count,
    lastMessageAt: row.last_message_at.getTime(),
  }))
}
