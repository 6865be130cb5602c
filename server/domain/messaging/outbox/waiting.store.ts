// SQL of what keeps parts of answers from leaving by their connections.
import { type Selectable, sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { OutboxTable } from '#server/platform/db/tables/conversations.ts'
import type { PartWait } from '#shared/messaging/conversations.ts'
import { waitOf } from './waiting.rules.ts'

type Part = Pick<Selectable<OutboxTable>, 'id' | 'status' | 'error' | 'connection_id'>

/** By part. Connections change with every message: they are read only while something waits for one of them. */
export async function findWaits(ctx: OrgStoreContext, parts: Part[]): Promise<Map<Part['id'], PartWait>> {
  const waiting = parts.filter(({ status }) => status === 'queued' || status === 'claimed')
  if (waiting.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('channel_connections')
    .where('organization_id', '=', ctx.organizationId)
    .where(
      'id',
      'in',
      waiting.map((part) => part.connection_id),
    )
    .where('disconnected_at', 'is', null)
    .select(['id', 'channel', 'is_frozen', 'last_error'])
    // Infinite: the provider refuses to deliver, which keeps nothing from leaving.
    .select(sql<boolean>`status = 'error' and judged_at is distinct from 'infinity'`.as('isRefused'))
    .execute()
  const found = waiting.flatMap((part): [Part['id'], PartWait][] => {
    const row = rows.find(({ id }) => id === part.connection_id)
    const wait =
      row && waitOf(part.error, { isRefused: row.isRefused, isFrozen: row.is_frozen, lastError: row.last_error })
    return row && wait ? [[part.id, { ...wait, connection: { _id: row.id, channel: row.channel } }]] : []
  })
  return new Map(found)
}
