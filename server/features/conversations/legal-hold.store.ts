// SQL of legal holds: persons of whom nothing is removed, neither by settings nor by hand, until the hold is lifted. It is of the person, so
// of all their contacts, also of those that become one with them later.
import type { OrgStoreContext } from '#server/db/database.ts'
import type { Contact } from '#shared/contacts.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { listPersonContacts, type PersonContact } from './people.store.ts'

type CustomerId = Id<'customers'>

/** The hold of a person, by all their contacts; null: there is none. */
export function toLegalHold(people: PersonContact[]): Contact['legalHold'] {
  const [first] = people
    .flatMap(({ legal_hold_at: at, legal_hold_by_name: by, legal_hold_reason: reason }) =>
      at ? [{ at: at.getTime(), by, reason: reason ?? '' }] : [],
    )
    .sort((one, other) => one.at - other.at)
  return first ?? null
}

/** Nothing while there is a hold already: the first one stays. @throws AppError not_found */
export async function setLegalHold(
  ctx: OrgStoreContext,
  id: CustomerId,
  { by, reason, now }: { by: Id<'users'>; reason: string; now: Date },
): Promise<void> {
  const [standing, isHeld] = await lockPerson(ctx, await listPersonContacts(ctx, id))
  if (isHeld || !standing) return
  await ctx.db
    .updateTable('customers')
    .set({ legal_hold_at: now, legal_hold_by: by, legal_hold_reason: reason })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', standing)
    .execute()
}

/** Of all contacts of the person. Safe to repeat. @throws AppError not_found */
export async function liftLegalHold(ctx: OrgStoreContext, id: CustomerId): Promise<void> {
  const people = await listPersonContacts(ctx, id)
  await ctx.db
    .updateTable('customers')
    .set({ legal_hold_at: null, legal_hold_by: null, legal_hold_reason: null })
    .where('organization_id', '=', ctx.organizationId)
    .where(
      'id',
      'in',
      people.map((each) => each.id),
    )
    .execute()
}

/** Nobody sets a hold until the transaction ends. @throws AppError contact_on_legal_hold */
export async function assertNoLegalHold(ctx: OrgStoreContext, people: { id: CustomerId }[]): Promise<void> {
  const [, isHeld] = await lockPerson(ctx, people)
  if (isHeld) throw new AppError('contact_on_legal_hold')
}

/** All contacts of all persons on hold. There are few, if any. */
export async function listOnLegalHold(ctx: OrgStoreContext): Promise<CustomerId[]> {
  const held = await ctx.db
    .selectFrom('customers')
    .where('organization_id', '=', ctx.organizationId)
    .where('legal_hold_at', 'is not', null)
    .select('id')
    .execute()
  const known = new Set<CustomerId>()
  for (const { id } of held) {
    if (known.has(id)) continue
    for (const contact of await listPersonContacts(ctx, id)) known.add(contact.id)
  }
  return [...known]
}

/** @returns the first of them, and whether any is on hold */
async function lockPerson(
  ctx: OrgStoreContext,
  people: { id: CustomerId }[],
): Promise<[CustomerId | undefined, boolean]> {
  const rows = await ctx.db
    .selectFrom('customers')
    .where('organization_id', '=', ctx.organizationId)
    .where(
      'id',
      'in',
      people.map(({ id }) => id),
    )
    .select('legal_hold_at')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return [people[0]?.id, rows.some((row) => row.legal_hold_at !== null)]
}
