// SQL for customers as the team knows them.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { Contact } from '#shared/messaging/contacts.ts'
import { toLegalHold, toLiftedHolds } from './legal-hold.store.ts'
import { getStandingId, listPersonContacts, toIdentifier, toMerged } from './people.store.ts'

const CONVERSATIONS_SHOWN = 50

/**
 * What a customer is called: by the team, else by the channel, and as the contact that stands for the person. For queries that join `customers`, and
 * as `people` those to whom they point.
 */
export const calledName = sql<
  string | null
>`coalesce(people.given_name, people.name, customers.given_name, customers.name)`

type Patch = { [Name in 'name' | 'tags' | 'attributes' | 'note']?: Values[Name] | undefined }
type Values = { name: string } & Pick<Contact, 'tags' | 'attributes' | 'note'>
/** One identifier of a person: as one connection knows them. */
export type Person = { id: Id<'customers'>; connectionId: Id<'channelConnections'>; externalId: string }

/** The person behind a contact. @throws AppError not_found */
export async function getContact(ctx: OrgStoreContext, id: Id<'customers'>): Promise<Contact> {
  const people = await listPersonContacts(ctx, id)
  const [row] = people
  if (!row) throw new AppError('not_found')
  return {
    _id: row.id,
    givenName: row.given_name,
    channelName: row.name,
    language: row.language,
    tags: row.tags,
    attributes: row.attributes,
    note: row.note,
    identifiers: people.map(toIdentifier),
    merged: toMerged(people),
    legalHold: toLegalHold(people),
    liftedHolds: toLiftedHolds(people),
    conversations: await listConversations(
      ctx,
      people.map((each) => each.id),
    ),
  }
}

/** All identifiers of the person behind one of them. @throws AppError not_found */
export async function listPerson(ctx: OrgStoreContext, id: Id<'customers'>): Promise<Person[]> {
  const people = await listPersonContacts(ctx, id)
  return people.map((each) => ({ id: each.id, connectionId: each.connection_id, externalId: each.external_id }))
}

/** Changes what is given, of the contact that stands for the person. @throws AppError not_found */
export async function updateContact(ctx: OrgStoreContext, id: Id<'customers'>, patch: Patch): Promise<void> {
  const { name, tags, attributes, note } = patch
  const standingId = await getStandingId(ctx, id)
  const changed = await ctx.db
    .updateTable('customers')
    .set({
      id: standingId, // so that there is something to set when nothing is given
      ...(name !== undefined && { given_name: name || null }),
      ...(tags && { tags: JSON.stringify([...new Set(tags)]) }),
      ...(attributes && { attributes: JSON.stringify(attributes) }),
      ...(note !== undefined && { note }),
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', standingId)
    .returning('id')
    .executeTakeFirst()
  if (!changed) throw new AppError('not_found')
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
