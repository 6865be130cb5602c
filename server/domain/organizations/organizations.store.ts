// SQL for organizations and their members.
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { changePerson } from '#server/platform/auth/people.store.ts'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { RetentionSettings } from '#shared/messaging/retention.ts'
import type { Organization, OrganizationSettings } from '#shared/organizations/organizations.ts'
import type { organizationSecurityInput } from '#shared/organizations/security.ts'

export type NewOrganization = {
  id: Id<'organizations'>
  name: string
  displayName: string | null
  supportEmail: string | null
  ownerId: Id<'users'>
  /** Undefined: UTC. */
  timeZone: string | undefined
  /** Of a platform admin, whom no plan limits. */
  isUnlimited: boolean
}

type Patch = { [Name in keyof OrganizationSettings]?: OrganizationSettings[Name] | undefined }

/** One organization. @throws AppError not_found */
export async function getOrganization(ctx: StoreContext, id: Id<'organizations'>): Promise<Organization> {
  const row = await ctx.db.selectFrom('organizations').where('id', '=', id).selectAll().executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return {
    _id: row.id,
    name: row.name,
    displayName: row.display_name,
    logoUrl: row.logo_url,
    supportEmail: row.support_email,
    plan: row.plan,
    monthlyLimit: row.monthly_limit,
    ownerId: row.owner_id,
    timeZone: row.time_zone,
    atLimit: row.at_limit,
    limitText: row.limit_text,
    monthlySpendLimitUsd: row.monthly_spend_limit_micro_usd === null ? null : row.monthly_spend_limit_micro_usd / 1e6,
    unattendedAfterSeconds: row.unattended_after_seconds,
    unattendedText: row.unattended_text,
    helperModel: row.helper_model,
    requiresTwoStep: row.requires_two_step,
    signOutAfterMinutes: row.sign_out_after_minutes,
    createdAt: row.created_at.getTime(),
  }
}

/** Adds an organization. */
export async function insertOrganization(ctx: StoreContext, organization: NewOrganization, now: Date): Promise<void> {
  await ctx.db
    .insertInto('organizations')
    .values({
      id: organization.id,
      name: organization.name,
      display_name: organization.displayName,
      logo_url: null,
      support_email: organization.supportEmail,
      plan: organization.isUnlimited
        ? null
        : (eb) => eb.selectFrom('plans').where('is_default', '=', true).select('slug'),
      monthly_limit: null,
      owner_id: organization.ownerId,
      ...(organization.timeZone !== undefined && { time_zone: organization.timeZone }),
      created_at: now,
    })
    .execute()
}

/** Changes the given settings of an organization. */
export async function updateOrganization(ctx: OrgStoreContext, patch: Patch): Promise<void> {
  const { name, displayName, supportEmail, timeZone, atLimit, limitText, monthlySpendLimitUsd } = patch
  const { unattendedAfterSeconds, unattendedText, helperModel, logoUrl } = patch
  const values = {
    ...(name !== undefined && { name }),
    ...(displayName !== undefined && { display_name: displayName || null }),
    ...(logoUrl !== undefined && { logo_url: logoUrl || null }),
    ...(supportEmail !== undefined && { support_email: supportEmail || null }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(atLimit !== undefined && { at_limit: atLimit }),
    ...(limitText !== undefined && { limit_text: limitText }),
    ...(monthlySpendLimitUsd !== undefined && { monthly_spend_limit_micro_usd: toMicroUsd(monthlySpendLimitUsd) }),
    ...(unattendedAfterSeconds !== undefined && { unattended_after_seconds: unattendedAfterSeconds }),
    ...(unattendedText !== undefined && { unattended_text: unattendedText }),
    ...(helperModel !== undefined && { helper_model: helperModel }),
  }
  if (Object.keys(values).length === 0) return
  await ctx.db.updateTable('organizations').set(values).where('id', '=', ctx.organizationId).execute()
}

/** Changes what the organization demands of its members. */
export async function changeSecurity(
  ctx: OrgStoreContext,
  { requiresTwoStep, signOutAfterMinutes }: z.infer<typeof organizationSecurityInput>['patch'],
): Promise<void> {
  const values = {
    ...(requiresTwoStep !== undefined && { requires_two_step: requiresTwoStep }),
    ...(signOutAfterMinutes !== undefined && { sign_out_after_minutes: signOutAfterMinutes }),
  }
  if (Object.keys(values).length === 0) return
  await ctx.db.updateTable('organizations').set(values).where('id', '=', ctx.organizationId).execute()
}

/** A ceiling never becomes none by being small. */
function toMicroUsd(usd: number | null): number | null {
  return usd === null ? null : Math.max(1, Math.round(usd * 1e6))
}

/** After how many days messages, attachments and traces are removed; null: never. */
export async function setRetentionDays(
  ctx: OrgStoreContext,
  { messages, attachments, traces }: RetentionSettings,
): Promise<void> {
  await ctx.db
    .updateTable('organizations')
    .set({ retain_messages_days: messages, retain_attachments_days: attachments, retain_traces_days: traces })
    .where('id', '=', ctx.organizationId)
    .execute()
}

/** The address of the logo; null: none. */
export async function getLogo(ctx: StoreContext, id: Id<'organizations'>): Promise<string | null> {
  const row = await ctx.db.selectFrom('organizations').where('id', '=', id).select('logo_url').executeTakeFirst()
  return row?.logo_url ?? null
}

/** Gives an organization a logo. @returns the address of the one before; null: none */
export async function setLogo(ctx: StoreContext, id: Id<'organizations'>, path: string): Promise<string | null> {
  const before = await getLogo(ctx, id)
  await ctx.db.updateTable('organizations').set({ logo_url: path }).where('id', '=', id).execute()
  return before
}

/** Whether an address may be written in the place of a picture: a file kept here belongs to the one who has it. */
export function isOwnPicture(before: string | null, url: string | undefined): boolean {
  return !url?.startsWith('/files/') || url === before
}

/** Writes where the logo is served from now on. @returns whether it was still the one that is replaced */
export async function replaceLogo(
  ctx: StoreContext,
  id: Id<'organizations'>,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('organizations')
    .set({ logo_url: to })
    .where('id', '=', id)
    .where('logo_url', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether the database can tell the time there: its list of zones and that of the server are not of one age. */
export async function knowsTimeZone(ctx: StoreContext, name: string): Promise<boolean> {
  const result = await sql<{ known: boolean }>`
    select exists (select from pg_timezone_names where name = ${name}) as known`.execute(ctx.db)
  return result.rows[0]?.known ?? false
}

/** Sets the owner's name, as given in the first step of sign-up. */
export async function renameOwner(ctx: StoreContext, userId: Id<'users'>, name: string, now: Date): Promise<void> {
  await changePerson(ctx.db, userId, { name, updated_at: now })
}
