// SQL for the connections of agents to calendars.
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { CalendarConnection } from '#shared/integrations/calendar.ts'

/** A connection with its secret, encrypted. */
export type SealedConnection = {
  id: Id<'calendarConnections'>
  organizationId: Id<'organizations'>
  agentId: Id<'agents'>
  account: string
  refreshToken: string
}

export type NewConnection = Omit<SealedConnection, 'organizationId'> & { connectedBy: string }

const SEALED = [
  'id',
  'organization_id as organizationId',
  'agent_id as agentId',
  'account',
  'refresh_token as refreshToken',
] as const
const SHOWN = ['agent_id', 'status', 'account', 'connected_by', 'connected_at', 'checked_at', 'lost_at'] as const

/** The connections of the organization's agents, removed agents left out. */
export async function listConnections(ctx: OrgStoreContext): Promise<CalendarConnection[]> {
  const rows = await connectionsOf(ctx).select(SHOWN).orderBy('agent_id').execute()
  return rows.map(toConnection)
}

/** The connection of an agent; null: it has none. */
export async function findConnection(ctx: OrgStoreContext, agentId: Id<'agents'>): Promise<CalendarConnection | null> {
  const row = await connectionsOf(ctx).where('agent_id', '=', agentId).select(SHOWN).executeTakeFirst()
  return row ? toConnection(row) : null
}

/** The same with its secret. */
export async function findSealed(
  ctx: OrgStoreContext,
  agentId: Id<'agents'>,
): Promise<(SealedConnection & { status: CalendarConnection['status'] }) | null> {
  const row = await connectionsOf(ctx)
    .where('agent_id', '=', agentId)
    .select([...SEALED, 'status'])
    .executeTakeFirst()
  return row ?? null
}

/** Connects an agent, in place of what it was connected to before. */
export async function saveConnection(ctx: OrgStoreContext, connection: NewConnection, now: Date): Promise<void> {
  const { id, agentId, account, refreshToken, connectedBy } = connection
  const granted = {
    ...{ id, account, refresh_token: refreshToken, connected_by: connectedBy },
    ...{ status: 'connected' as const, connected_at: now, checked_at: now, lost_at: null },
  }
  await ctx.db
    .insertInto('calendar_connections')
    .values({ organization_id: ctx.organizationId, agent_id: agentId, ...granted })
    .onConflict((conflict) => conflict.column('agent_id').doUpdateSet(granted))
    .execute()
}

/** Disconnects an agent. @returns what it was connected to; null: nothing */
export async function deleteConnection(ctx: OrgStoreContext, agentId: Id<'agents'>): Promise<SealedConnection | null> {
  const row = await ctx.db
    .deleteFrom('calendar_connections')
    .where('organization_id', '=', ctx.organizationId)
    .where('agent_id', '=', agentId)
    .returning(SEALED)
    .executeTakeFirst()
  return row ?? null
}

/** Google accepted the refresh token. */
export async function setAccepted(ctx: OrgStoreContext, known: SealedConnection, now: Date): Promise<void> {
  await ofSame(ctx, known).set({ checked_at: now, status: 'connected', lost_at: null }).execute()
}

/** Google refused the refresh token, unless a person has consented meanwhile. @returns whether that is news */
export async function setLost(ctx: OrgStoreContext, known: SealedConnection, now: Date): Promise<boolean> {
  const lost = { status: 'reauthorization_required' as const, lost_at: now }
  const { numUpdatedRows } = await ofSame(ctx, known).where('status', '=', 'connected').set(lost).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Connections over all organizations that were last checked before a moment, longest ago first. */
export function listDue(ctx: StoreContext, before: Date, limit: number): Promise<SealedConnection[]> {
  return ctx.db
    .selectFrom('calendar_connections')
    .where('status', '=', 'connected')
    .where('checked_at', '<', before)
    .select(SEALED)
    .orderBy('checked_at')
    .limit(limit)
    .execute()
}

/** Connections of an organization that is removed. */
export function listSealed(ctx: OrgStoreContext): Promise<SealedConnection[]> {
  return connectionsOf(ctx).select(SEALED).execute()
}

/** Whether any agent of the installation is connected to this account. */
export async function isAccountUsed(ctx: StoreContext, account: string): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('calendar_connections')
    .where('account', '=', account)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

function connectionsOf(ctx: OrgStoreContext) {
  return ctx.db.selectFrom('calendar_connections').where('organization_id', '=', ctx.organizationId)
}

/** The row of a connection, as long as it has the same consent. */
function ofSame(ctx: OrgStoreContext, { id, refreshToken }: SealedConnection) {
  return ctx.db
    .updateTable('calendar_connections')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('refresh_token', '=', refreshToken)
}

type Shown = {
  agent_id: Id<'agents'>
  status: CalendarConnection['status']
  account: string
  connected_by: string
  connected_at: Date
  checked_at: Date
  lost_at: Date | null
}

function toConnection(row: Shown): CalendarConnection {
  return {
    agentId: row.agent_id,
    status: row.status,
    account: row.account,
    connectedBy: row.connected_by,
    connectedAt: row.connected_at.getTime(),
    checkedAt: row.checked_at.getTime(),
    lostAt: row.lost_at?.getTime() ?? null,
  }
}
