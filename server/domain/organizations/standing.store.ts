// SQL of what only administrators of the installation decide of an organization: its plan, its limit, and whether it is suspended.
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

type Standing = { plan?: string | null; monthlyLimit?: number | null; suspension?: { reason: string; at: Date } | null }

/** Changes what is given. Takes effect with the next answer and the next call of a member. */
export async function changeStanding(
  { db }: StoreContext,
  id: Id<'organizations'>,
  { plan, monthlyLimit, suspension }: Standing,
): Promise<void> {
  const values = {
    ...(plan !== undefined && { plan }),
    ...(monthlyLimit !== undefined && { monthly_limit: monthlyLimit }),
    ...(suspension !== undefined && {
      suspended_at: suspension?.at ?? null,
      suspended_reason: suspension?.reason ?? null,
    }),
  }
  await db.updateTable('organizations').set(values).where('id', '=', id).execute()
}
