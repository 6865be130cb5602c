// SQL of one organization's page: its months, connections and what failed lately.
import { sql } from 'kysely'
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { AdminConnection, AdminFailure, AdminMonth } from '#shared/organizations/admin.ts'

const MONTHS_SHOWN = 12
const FAILURES_SHOWN = 20
type OrganizationId = Id<'organizations'>

/** The latest months with use, the newest first. */
export async function listMonths({ db }: StoreContext, id: OrganizationId): Promise<AdminMonth[]> {
  const rows = await db
    .selectFrom('usage_months')
    .where('organization_id', '=', id)
    .select(({ fn }) => [
      'month',
      fn.sum<number>('messages').as('messages'),
      fn.sum<number>('tokens').as('tokens'),
      fn.sum<number>('cost_micro_usd').as('cost'),
      fn.sum<number>('unpriced_calls').as('unpriced'),
    ])
    .groupBy('month')
    .orderBy('month', 'desc')
    .limit(MONTHS_SHOWN)
    .execute()
  return rows.map(({ month, messages, tokens, cost, unpriced }) => ({
    month,
    messages: Number(messages),
    tokens: Number(tokens),
    costUsd: Number(cost) / 1e6,
    unpricedCalls: Number(unpriced),
  }))
}

/** Connections that are not disconnected, those with trouble first. */
export async function listConnections({ db }: StoreContext, id: OrganizationId): Promise<AdminConnection[]> {
  const rows = await db
    .selectFrom('channel_connections')
    .where('organization_id', '=', id)
    .where('disconnected_at', 'is', null)
    .select(['id', 'channel', 'identifier', 'status', 'last_error', 'send_error', 'provider_error', 'last_inbound_at'])
    .orderBy('is_down', 'desc')
    .orderBy('linked_at')
    .execute()
  return rows.map((row) => ({
    _id: row.id,
    channel: row.channel,
    identifier: row.identifier,
    status: row.status,
    error: row.last_error ?? row.send_error ?? row.provider_error,
    lastInboundAt: row.last_inbound_at?.getTime() ?? null,
  }))
}

/** Answers that failed and parts that were not delivered, the newest first. No text of a customer is among it. */
export async function listFailures({ db }: StoreContext, id: OrganizationId): Promise<AdminFailure[]> {
  const turns = await db
    .selectFrom('turns')
    .innerJoin('conversations', 'conversations.id', 'turns.conversation_id')
    .where('turns.organization_id', '=', id)
    .where('turns.status', '=', 'failed')
    .where('turns.finished_at', 'is not', null)
    .select(['turns.id', 'turns.outcome', 'conversations.channel', sql<Date>`turns.finished_at`.as('at')])
    .orderBy('turns.finished_at', 'desc')
    .limit(FAILURES_SHOWN)
    .execute()
  const parts = await db
    .selectFrom('outbox')
    .innerJoin('channel_connections', 'channel_connections.id', 'outbox.connection_id')
    .where('channel_connections.organization_id', '=', id)
    .where('outbox.status', 'in', ['failed', 'unknown'])
    .select(['outbox.id', 'outbox.error', 'outbox.updated_at as at', 'channel_connections.channel'])
    .orderBy('outbox.updated_at', 'desc')
    .limit(FAILURES_SHOWN)
    .execute()
  return [
    ...turns.map(({ id, at, channel, outcome }) => ({
      ...{ _id: id, at: at.getTime(), kind: 'turn' as const, channel, reason: outcome ?? '' },
    })),
    ...parts.map(({ id, at, channel, error }) => ({
      ...{ _id: id, at: at.getTime(), kind: 'delivery' as const, channel, reason: error ?? '' },
    })),
  ]
    .toSorted((a, b) => b.at - a.at)
    .slice(0, FAILURES_SHOWN)
}

/** Where an organization is, and how many agents it has. */
export async function getFacts({ db }: StoreContext, id: OrganizationId) {
  const { time_zone: timeZone, support_email: supportEmail } = await db
    .selectFrom('organizations')
    .where('id', '=', id)
    .select(['time_zone', 'support_email'])
    .executeTakeFirstOrThrow()
  const { count } = await db
    .selectFrom('agents')
    .where('organization_id', '=', id)
    .where('deleted_at', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { timeZone, supportEmail, agents: Number(count) }
}
