// SQL for the states of accounts that are phones, and for the parts that wait while one may not send.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/db/database.ts'
import { type AccountState, isFrozen } from '#shared/channels.ts'
import type { Id } from '#shared/ids.ts'
import { SECRETS, type StoredConnection } from './connections.store.ts'

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
 * Writes down how the account of a live connection is. While it may not send, parts wait (see `parkFrozen` of the outbox); as soon
 * as it may, they are due. Safe to repeat.
 *
 * @param identifier what people call the account; null leaves the known one
 */
export async function setAccountState(
  ctx: OrgStoreContext,
  id: Id<'channelConnections'>,
  account: { state: AccountState; identifier: string | null },
): Promise<void> {
  const { state, identifier } = account
  const frozen = isFrozen(state)
  await sql`
    update channel_connections set account_state = ${state}, is_frozen = ${frozen},
      account_state_at = case when account_state is distinct from ${state} then now() else account_state_at end,
      identifier = coalesce(${identifier}::text, identifier),
      status = ${frozen ? 'pending' : 'connected'}, last_error = null, last_heartbeat_at = now()
    where organization_id = ${ctx.organizationId} and id = ${id} and disconnected_at is null
      and (account_state is distinct from ${state} or identifier is distinct from coalesce(${identifier}::text, identifier)
        or last_error is not null or last_heartbeat_at is null or last_heartbeat_at < now() - interval '30 seconds')`.execute(
    ctx.db,
  )
  // Parts may also have been parked by a server that read the state a moment before.
  if (!frozen) await releaseParked(ctx, id)
}

async function releaseParked(ctx: OrgStoreContext, id: Id<'channelConnections'>): Promise<void> {
  await sql`
    update outbox set not_before = now(), updated_at = now()
    where organization_id = ${ctx.organizationId} and connection_id = ${id} and status = 'queued'
      and not_before = 'infinity'`.execute(ctx.db)
}
