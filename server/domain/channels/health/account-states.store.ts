// SQL for the states of accounts that are phones, and for the parts that wait while one may not send.
import { sql } from 'kysely'
import { dropLate, releaseParked } from '#server/domain/messaging/outbox/parked-parts.store.ts'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { type AccountState, isFrozen } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import { SECRETS, type StoredConnection } from '../connections/connections.store.ts'
import { nothingTriedWaits } from './activity.store.ts'

/** Live connections whose account has a state, over all organizations. */
export function listLinkedAccounts(ctx: StoreContext): Promise<StoredConnection[]> {
  return ctx.db
    .selectFrom('channel_connections')
    .where('account_state', 'is not', null)
    .where('disconnected_at', 'is', null)
    .where('status', '<>', 'error')
    .select(SECRETS)
    .execute()
}

/**
 * Records the state of a live connection's account. While it may not send, parts wait (see `parkFrozen` of the outbox); as soon as it
 * may, they are due. Safe to repeat.
 *
 * `identifier`: the name of the account that is shown; null leaves the known one.
 * `askedAt`: when the provider was asked; a state recorded since then is newer and stays. Null: the provider has just reported it by itself.
 */
export async function setAccountState(
  ctx: OrgStoreContext,
  id: Id<'channelConnections'>,
  account: { state: AccountState; identifier: string | null; askedAt: Date | null },
): Promise<void> {
  const { state, identifier, askedAt } = account
  const frozen = isFrozen(state)
  await sql`
    update channel_connections set account_state = ${state}, account_state_at = now(), is_frozen = ${frozen},
      frozen_since = case when ${frozen}::boolean then coalesce(frozen_since, now()) end,
      account_state_since = case when account_state = ${state} then coalesce(account_state_since, now()) else now() end,
      identifier = coalesce(${identifier}::text, identifier), status = ${frozen ? 'pending' : 'connected'},
      last_error = null, send_error = case when send_error is not null and ${nothingTriedWaits('channel_connections')} then null else send_error end,
      last_heartbeat_at = now(), judged_at = greatest(judged_at, ${askedAt}::timestamptz)
    where organization_id = ${ctx.organizationId} and id = ${id} and disconnected_at is null
      and (${askedAt}::timestamptz is null or account_state_at is null or account_state_at <= ${askedAt}::timestamptz)`.execute(
    ctx.db,
  )
  // Also when it could send before: a server that had not seen that yet may have parked parts since.
  await dropLate(ctx, id)
  await releaseParked(ctx, id)
}

/** How many parts of a connection wait because its account may not send. */
export async function countParked(ctx: OrgStoreContext, id: Id<'channelConnections'>): Promise<number> {
  const row = await ctx.db
    .selectFrom('outbox')
    .innerJoin('channel_connections', (join) =>
      join
        .onRef('channel_connections.organization_id', '=', 'outbox.organization_id')
        .onRef('channel_connections.id', '=', 'outbox.connection_id'),
    )
    .where('outbox.organization_id', '=', ctx.organizationId)
    .where('outbox.connection_id', '=', id)
    .where('outbox.status', 'in', ['queued', 'claimed'])
    .where('channel_connections.is_frozen', '=', true)
    .select((row) => row.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
