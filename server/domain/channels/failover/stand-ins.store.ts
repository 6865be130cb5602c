// SQL of connections that stand in for others: the settings, and the conversations moved. Rerouting itself is in domain/messaging/outbox/reroute.store.ts.
import { sql } from 'kysely'
import { calledName } from '#server/domain/messaging/customers/contacts.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import {
  REACHABLE_CHAT,
  type Rerouted,
  type StandIn,
  type StandInChoice,
  type StandInSettings,
  type StandInWaiting,
} from '#shared/channels/stand-ins.ts'
import type { Id } from '#shared/ids.ts'

type ConnectionId = Id<'channelConnections'>

/** How many conversations the page of a connection lists. */
const LATEST = 10

/** Which number stands in for which, among the numbers of the organization that are connected by GREEN-API. */
export async function listStandIns(ctx: OrgStoreContext): Promise<Map<ConnectionId, ConnectionId | null>> {
  const rows = await numbers(ctx).select(['id', 'stand_in_id as standInId']).execute()
  return new Map(rows.map(({ id, standInId }) => [id, standInId]))
}

/** Changes the stand-in settings of a live connection. */
export async function saveStandIn(ctx: OrgStoreContext, id: ConnectionId, settings: StandInSettings): Promise<void> {
  await ctx.db
    .updateTable('channel_connections')
    .set({
      stand_in_id: settings.standInId,
      stand_in_after_minutes: settings.afterMinutes,
      stand_in_notice: settings.notice,
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('disconnected_at', 'is', null)
    .execute()
}

/** The stand-in settings that are shown, without the numbers to choose from. */
export async function readStandIn(ctx: OrgStoreContext, id: ConnectionId): Promise<Omit<StandIn, 'choices'>> {
  const row = await numbers(ctx)
    .where('id', '=', id)
    .select(['frozen_since', 'stand_in_id', 'stand_in_after_minutes', 'stand_in_notice'])
    .executeTakeFirstOrThrow()
  return {
    settings: {
      standInId: row.stand_in_id,
      afterMinutes: row.stand_in_after_minutes as StandInSettings['afterMinutes'],
      notice: row.stand_in_notice,
    },
    frozenSince: row.frozen_since?.getTime() ?? null,
    waiting: await countWaiting(ctx, id),
    ...(await readRerouted(ctx, id)),
  }
}

/** These numbers, as options to choose from. */
export async function listChoices(ctx: OrgStoreContext, ids: ConnectionId[]): Promise<StandInChoice[]> {
  if (ids.length === 0) return []
  return numbers(ctx)
    .where('id', 'in', ids)
    .select(['id as _id', 'identifier', 'external_account_id as externalAccountId'])
    .select(sql<boolean>`status = 'connected' and not is_frozen`.as('isReady'))
    .orderBy('linked_at')
    .orderBy('id')
    .execute()
}

/**
 * A conversation stays where it is when its provider has seen parts of it, or may have, and when parts are addressed to a hidden id, or the
 * customer has last written by one: the same in domain/messaging/outbox/reroute.store.ts.
 */
async function countWaiting(ctx: OrgStoreContext, id: ConnectionId): Promise<StandInWaiting> {
  const rows = await ctx.db
    .selectFrom('outbox')
    .innerJoin('conversations', (join) =>
      join
        .onRef('conversations.organization_id', '=', 'outbox.organization_id')
        .onRef('conversations.id', '=', 'outbox.conversation_id'),
    )
    .where('outbox.organization_id', '=', ctx.organizationId)
    .where('outbox.connection_id', '=', id)
    .where('outbox.status', '=', 'queued')
    .where('outbox.not_before', '=', sql<Date>`'infinity'`)
    .select('outbox.conversation_id')
    .select(
      sql<boolean>`bool_and(outbox.external_chat_id ~ ${REACHABLE_CHAT.source}
        and outbox.external_chat_id = conversations.external_chat_id)`.as('isReachable'),
    )
    .select((row) =>
      row
        .exists(
          row
            .selectFrom('outbox as seen')
            .where('seen.organization_id', '=', ctx.organizationId)
            .whereRef('seen.conversation_id', '=', 'outbox.conversation_id')
            .where('seen.connection_id', '=', id)
            .where('seen.status', '=', 'queued')
            .where(sql<boolean>`(seen.may_have_arrived or seen.external_message_id is not null)`)
            .select('seen.id'),
        )
        .as('isUncertain'),
    )
    .groupBy('outbox.conversation_id')
    .execute()
  const hidden = rows.filter(({ isReachable }) => !isReachable).length
  const uncertain = rows.filter(({ isReachable, isUncertain }) => isReachable && isUncertain).length
  return { hidden, uncertain, next: rows.length - hidden - uncertain }
}

async function readRerouted(ctx: OrgStoreContext, id: ConnectionId): Promise<{ rerouted: number; latest: Rerouted[] }> {
  const { count } = await ctx.db
    .selectFrom('failover_notices')
    .where('organization_id', '=', ctx.organizationId)
    .where('connection_id', '=', id)
    .select((row) => row.fn.count<string>('conversation_id').distinct().as('count'))
    .executeTakeFirstOrThrow()
  const latest = await ctx.db
    .selectFrom('failover_notices')
    .innerJoin('conversations', 'conversations.id', 'failover_notices.conversation_id')
    .innerJoin('customers', 'customers.id', 'conversations.customer_id')
    .leftJoin('customers as people', 'people.id', 'customers.person_id')
    .where('failover_notices.organization_id', '=', ctx.organizationId)
    .where('conversations.organization_id', '=', ctx.organizationId)
    .where('customers.organization_id', '=', ctx.organizationId)
    .where('failover_notices.connection_id', '=', id)
    .select(['failover_notices.conversation_id as conversationId', 'failover_notices.created_at'])
    .select(calledName.as('customerName'))
    .orderBy('failover_notices.created_at', 'desc')
    .limit(LATEST)
    .execute()
  return {
    rerouted: Number(count),
    latest: latest.map(({ conversationId, customerName, created_at: at }) => ({
      conversationId,
      customerName: customerName ?? '',
      at: at.getTime(),
    })),
  }
}

/** Live connections with a known state: whether they may send is known. */
function numbers(ctx: OrgStoreContext) {
  return ctx.db
    .selectFrom('channel_connections')
    .where('organization_id', '=', ctx.organizationId)
    .where('channel', '=', 'whatsapp')
    .where('disconnected_at', 'is', null)
}
