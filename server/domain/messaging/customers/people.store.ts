// SQL of persons: which contacts of the channels are one, merging them and separating them again. What the team notes of a person is in
// contacts.store.ts.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { manifestOf } from '#shared/channels/manifests.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { Contact, ContactHit, ContactIdentifier } from '#shared/messaging/contacts.ts'

type CustomerId = Id<'customers'>
/** A contact with the connection that knows it. */
export type PersonContact = Awaited<ReturnType<typeof listContacts>>[number]

/**
 * All contacts of the person behind one of them, the one that stands for them first. Merged contacts are one person; and Telegram and
 * WhatsApp know a person everywhere by one id, whichever provider connects a number, while the ids of programs and sites mean nothing
 * elsewhere. @throws AppError not_found
 */
export async function listPersonContacts(ctx: OrgStoreContext, id: CustomerId): Promise<PersonContact[]> {
  const standing = await getStandingId(ctx, id)
  const known = new Map<CustomerId, PersonContact>()
  let fresh = await listMerged(ctx, [standing])
  while (fresh.length > 0) {
    for (const contact of fresh) known.set(contact.id, contact)
    const same = await listSame(ctx, fresh)
    const roots = same.filter((each) => !known.has(each.id)).map((each) => each.person_id ?? each.id)
    const found = roots.length > 0 ? await listMerged(ctx, roots) : []
    fresh = found.filter((each) => !known.has(each.id))
  }
  const first = known.get(standing)
  if (!first) throw new AppError('not_found')
  return [first, ...[...known.values()].filter((each) => each !== first)]
}

/** The contact that stands for the person of one of them. @throws AppError not_found */
export async function getStandingId(ctx: OrgStoreContext, id: CustomerId): Promise<CustomerId> {
  const row = await ctx.db
    .selectFrom('customers')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .select(['id', 'person_id'])
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row.person_id ?? row.id
}

/**
 * Merges two persons into the first. Of the other only the pointer to its person changes, and with it that of the contacts merged into it
 * before, which otherwise stay its own. `by` null: their channel has reported that they are one. @throws AppError not_found, contacts_one_already
 */
export async function mergeContacts(
  ctx: OrgStoreContext,
  { survivorId, otherId, by }: { survivorId: CustomerId; otherId: CustomerId; by: Id<'users'> | null },
): Promise<void> {
  const survivor = await getStandingId(ctx, survivorId)
  const other = await getStandingId(ctx, otherId)
  if (survivor === other) throw new AppError('contacts_one_already')
  const held = await holdPersons(ctx, [survivor, other])
  // Another transaction has merged one of them before they were held: the person of each is known by now.
  if (held.some((each) => (each.id === survivor || each.id === other) && each.person_id !== null)) {
    return mergeContacts(ctx, { survivorId, otherId, by })
  }
  await ctx.db
    .updateTable('customers')
    .set({ person_id: survivor })
    .where('organization_id', '=', ctx.organizationId)
    .where((eb) => eb.or([eb('id', '=', other), eb('person_id', '=', other)]))
    .execute()
  await ctx.db
    .updateTable('customers')
    .set({ merged_into: survivor, merged_at: sql<Date>`now()`, merged_by: by })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', other)
    .execute()
}

/** Undoes a merge: the contact stands for itself again, and for those that were merged with it. Safe to repeat. @throws AppError not_found */
export async function separateContact(ctx: OrgStoreContext, id: CustomerId): Promise<void> {
  const standing = await getStandingId(ctx, id)
  if (standing === id) return
  const held = await holdPersons(ctx, [standing])
  const own = new Set([id])
  // A set grows while it is iterated: contacts merged with one of them follow.
  for (const each of own) for (const { id: child, merged_into: into } of held) if (into === each) own.add(child)
  const followers = [...own].filter((each) => each !== id)
  await ctx.db
    .updateTable('customers')
    .set({ person_id: null, merged_into: null, merged_at: null, merged_by: null })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
  if (followers.length === 0) return
  await ctx.db
    .updateTable('customers')
    .set({ person_id: id })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', followers)
    .execute()
}

/** For contacts that were found, in that order, those that stand for their persons, each once. */
export async function listStanding(ctx: OrgStoreContext, ids: CustomerId[]): Promise<ContactHit[]> {
  if (ids.length === 0) return []
  const found = await contacts(ctx).where('customers.id', 'in', ids).execute()
  const standing = new Map(found.map((each) => [each.id, each.person_id ?? each.id]))
  const wanted = [...new Set(ids.flatMap((id) => standing.get(id) ?? []))]
  if (wanted.length === 0) return []
  const rows = new Map(
    (await contacts(ctx).where('customers.id', 'in', wanted).execute()).map((each) => [each.id, each]),
  )
  return wanted.flatMap((id) => {
    const row = rows.get(id)
    return row ? [{ _id: id, name: row.given_name ?? row.name, identifier: toIdentifier(row) }] : []
  })
}

/** Contacts that a channel knows by exactly this. */
export async function findIdentified(ctx: OrgStoreContext, externalId: string, most: number): Promise<CustomerId[]> {
  const rows = await contacts(ctx)
    .where('customers.external_id', '=', externalId)
    .orderBy('customers.created_at')
    .limit(most)
    .execute()
  return rows.map(({ id }) => id)
}

/** The person as the team sees them. */
export function toIdentifier(row: PersonContact): ContactIdentifier {
  return {
    channel: row.channel,
    connection: row.identifier,
    externalId: row.external_id,
    username: row.username,
  }
}

/** The contacts that were merged into a person, the latest first. */
export function toMerged(people: PersonContact[]): Contact['merged'] {
  return people
    .flatMap((row) => (row.person_id === null ? [] : [{ row, at: row.merged_at?.getTime() ?? 0 }]))
    .sort((a, b) => b.at - a.at)
    .map(({ row, at }) => ({
      _id: row.id,
      name: row.given_name ?? row.name,
      tags: row.tags,
      attributes: row.attributes,
      note: row.note,
      identifier: toIdentifier(row),
      mergedAt: at,
      mergedBy: row.merged_by_name,
    }))
}

/** Locks the rows of persons in one order; messages that come in meanwhile do not wait for it. */
function holdPersons(ctx: OrgStoreContext, standing: CustomerId[]) {
  return ctx.db
    .selectFrom('customers')
    .where('organization_id', '=', ctx.organizationId)
    .where((eb) => eb.or([eb('id', 'in', standing), eb('person_id', 'in', standing)]))
    .select(['id', 'person_id', 'merged_into'])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** The contact that stands for a person, and all that were merged with it. */
function listMerged(ctx: OrgStoreContext, standing: CustomerId[]) {
  return listContacts(ctx, 'standing', standing)
}

/** The same person behind other connections of channels that know people everywhere by one id. */
async function listSame(ctx: OrgStoreContext, people: PersonContact[]): Promise<PersonContact[]> {
  const known = new Set(people.flatMap((each) => globalIdOf(each)?.key ?? []))
  if (known.size === 0) return []
  const ids = new Set(people.flatMap((each) => globalIdOf(each)?.spellings ?? []))
  const rows = await listContacts(ctx, 'identified', [...ids])
  return rows.filter((each) => known.has(globalIdOf(each)?.key ?? ''))
}

/** The suffix that GREEN-API adds to the number of a person. */
export const NUMBER_SUFFIX = '@c.us'

/** The id by which a network knows a person, and how its channels write it; null where an id means nothing elsewhere. */
function globalIdOf({ channel, external_id: id }: Pick<PersonContact, 'channel' | 'external_id'>) {
  const customerIds = manifestOf(channel)?.customerIds
  if (customerIds === 'channel') return { key: `${channel} ${id}`, spellings: [id] }
  if (customerIds !== 'phone') return null
  const number = id.endsWith(NUMBER_SUFFIX) ? id.slice(0, -NUMBER_SUFFIX.length) : id
  return { key: `whatsapp ${number}`, spellings: [number, number + NUMBER_SUFFIX] }
}

function listContacts(ctx: OrgStoreContext, by: 'standing' | 'identified', values: string[]) {
  const query = contacts(ctx).orderBy('customers.created_at').orderBy('customers.id')
  const ids = values as CustomerId[]
  return by === 'identified'
    ? query.where('customers.external_id', 'in', values).execute()
    : query.where((eb) => eb.or([eb('customers.id', 'in', ids), eb('customers.person_id', 'in', ids)])).execute()
}

function contacts(ctx: OrgStoreContext) {
  return ctx.db
    .selectFrom('customers')
    .innerJoin('channel_connections', 'channel_connections.id', 'customers.connection_id')
    .leftJoin('users', 'users.id', 'customers.merged_by')
    .where('customers.organization_id', '=', ctx.organizationId)
    .where('channel_connections.organization_id', '=', ctx.organizationId)
    .selectAll('customers')
    .select(['channel_connections.channel', sql<string>`coalesce(channel_connections.identifier, '')`.as('identifier')])
    .leftJoin('users as holders', 'holders.id', 'customers.legal_hold_by')
    .select(['users.name as merged_by_name', 'holders.name as legal_hold_by_name'])
}
