// SQL of legal holds: persons of whom nothing is removed, neither by retention nor by hand, until the hold is lifted. A hold is of the person,
// so it is written on all their contacts: those that are merged with them later get it too, and each keeps it when they are separated.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { channelsWhere } from '#shared/channels/manifests.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { LegalHold, LiftedHold } from '#shared/messaging/contacts.ts'
import { beginHolds, endHolds } from './customer-changes.store.ts'
import { listPersonContacts, NUMBER_SUFFIX, type PersonContact } from './people.store.ts'

type CustomerId = Id<'customers'>

/** The hold of a person, by all their contacts; null: there is none. */
export function toLegalHold(people: PersonContact[]): LegalHold | null {
  const first = firstHold(people)
  return first && { at: first.at.getTime(), by: first.byName, reason: first.reason }
}

/** Without effect while there is a hold already: the first one stays. @throws AppError not_found */
export async function setLegalHold(
  ctx: OrgStoreContext,
  id: CustomerId,
  { by, reason, now }: { by: Id<'users'>; reason: string; now: Date },
): Promise<void> {
  await holdAllHolds(ctx)
  const people = await listPersonContacts(ctx, id)
  await putOn(ctx, people, firstHold(people) ?? { at: now, by, reason })
}

/** Applies the hold of one of two merged persons to both. The caller holds all holds. @throws AppError not_found */
export async function shareLegalHold(ctx: OrgStoreContext, id: CustomerId): Promise<void> {
  const people = await listPersonContacts(ctx, id)
  const hold = firstHold(people)
  if (hold) await putOn(ctx, people, hold)
}

/** The past holds of all contacts of a person, the latest first; one that was on several of them once. */
export function toLiftedHolds(people: PersonContact[]): LiftedHold[] {
  const known = new Map(
    people.flatMap((each) => each.lifted_holds.map((hold) => [`${hold.at} ${hold.liftedAt}`, hold])),
  )
  return [...known.values()].sort((one, other) => other.liftedAt - one.liftedAt)
}

/** Lifts the hold of all contacts of the person; that each was held stays recorded. Safe to repeat. @throws AppError not_found */
export async function liftLegalHold(
  ctx: OrgStoreContext,
  id: CustomerId,
  { by, now }: { by: string; now: Date },
): Promise<void> {
  await holdAllHolds(ctx)
  const people = await listPersonContacts(ctx, id)
  await lockPerson(ctx, people)
  await endHolds(
    ctx,
    people.map(({ id: each }) => each),
    { by, now },
  )
}

/** Keeps holds on the person from being set until the transaction ends. @throws AppError contact_on_legal_hold */
export async function assertNoLegalHold(ctx: OrgStoreContext, people: { id: CustomerId }[]): Promise<void> {
  if (await lockPerson(ctx, people)) throw new AppError('contact_on_legal_hold')
}

const CHANNEL_WIDE = channelsWhere(({ customerIds }) => customerIds === 'channel')
const BY_PHONE = channelsWhere(({ customerIds }) => customerIds === 'phone')

/**
 * Whether the person behind a customer is on hold; false for none. Telegram, MAX and WhatsApp know a person everywhere by one id, so that a
 * person who writes to another bot later is on hold from the first message.
 */
export function isOnLegalHold(customerId: RawBuilder<unknown>): RawBuilder<SqlBool> {
  const numberOf = (contact: string) => sql`split_part(${sql.ref(`${contact}.external_id`)}, ${NUMBER_SUFFIX}::text, 1)`
  return sql<SqlBool>`exists (select from customers own
    join channel_connections own_channel on own_channel.organization_id = own.organization_id and own_channel.id = own.connection_id
    join customers held on held.organization_id = own.organization_id
      and held.external_id = any (array[own.external_id, ${numberOf('own')}, ${numberOf('own')} || ${NUMBER_SUFFIX}::text])
      and held.legal_hold_at is not null
    join channel_connections held_channel on held_channel.organization_id = held.organization_id and held_channel.id = held.connection_id
    where own.id = ${customerId}
      and (held.id = own.id or (held.external_id = own.external_id and held_channel.channel in (${sql.join(CHANNEL_WIDE)}) and own_channel.channel = held_channel.channel)
        or (held_channel.channel in (${sql.join(BY_PHONE)}) and own_channel.channel in (${sql.join(BY_PHONE)}))))`
}

/** Checks the person of a conversation. Passes while its customer is unknown. @throws AppError contact_on_legal_hold */
export async function assertCustomerNotHeld(ctx: OrgStoreContext, id: CustomerId | null): Promise<void> {
  if (id !== null) await assertNoLegalHold(ctx, await listPersonContacts(ctx, id))
}

/** Whether anyone is on hold in an organization. */
export async function hasLegalHolds(ctx: OrgStoreContext): Promise<boolean> {
  const held = await ctx.db
    .selectFrom('customers')
    .where('organization_id', '=', ctx.organizationId)
    .where('legal_hold_at', 'is not', null)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return held !== undefined
}

/**
 * Called before a removal reads who is on hold, in a short transaction that reads committed data: a hold that is set meanwhile waits, so
 * that nothing is removed once it was confirmed.
 */
export async function keepHoldsAsTheyAre(ctx: OrgStoreContext): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${lockOf(ctx)}::text, 0))`.execute(ctx.db)
}

/** Taken before the rows of any customer: a transaction that removes something, or changes a hold, waits until this one ends. */
export async function holdAllHolds(ctx: OrgStoreContext): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${lockOf(ctx)}::text, 0))`.execute(ctx.db)
}

const LOCK = 'legal holds of '
const lockOf = ({ organizationId }: OrgStoreContext) => LOCK + organizationId

/** The rows of these contacts. */
function isOf({ organizationId }: OrgStoreContext, people: { id: CustomerId }[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`organization_id = ${organizationId} and id = any (${people.map(({ id }) => id)}::text[])`
}

type Hold = { at: Date; by: Id<'users'> | null; reason: string }

function firstHold(people: PersonContact[]): (Hold & { byName: string | null }) | null {
  const [first] = people
    .flatMap(({ legal_hold_at: at, legal_hold_by: by, legal_hold_by_name: byName, legal_hold_reason: reason }) =>
      at ? [{ at, by, byName, reason: reason ?? '' }] : [],
    )
    .sort((one, other) => one.at.getTime() - other.at.getTime())
  return first ?? null
}

/** A contact with a hold of its own keeps that. */
async function putOn(ctx: OrgStoreContext, people: { id: CustomerId }[], { at, by, reason }: Hold): Promise<void> {
  await lockPerson(ctx, people)
  await beginHolds(
    ctx,
    people.map(({ id }) => id),
    { at, by, reason },
  )
}

/** @returns whether any of them is on hold */
async function lockPerson(ctx: OrgStoreContext, people: { id: CustomerId }[]): Promise<boolean> {
  const rows = await ctx.db
    .selectFrom('customers')
    .where(isOf(ctx, people))
    .select('legal_hold_at')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.some((row) => row.legal_hold_at !== null)
}
