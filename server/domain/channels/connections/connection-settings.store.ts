// SQL of the settings of a connection.
import type { Selectable } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { ChannelConnectionsTable } from '#server/platform/db/tables/channels.ts'
import type { BusinessAccount } from '#shared/channels/channels.ts'
import { type ConnectionSettings, connectionSettings } from '#shared/channels/connection-settings.ts'
import type { Id } from '#shared/ids.ts'

/** Changes the settings of a live connection. */
export async function saveSettings(
  ctx: OrgStoreContext,
  id: Id<'channelConnections'>,
  settings: ConnectionSettings,
): Promise<void> {
  await ctx.db
    .updateTable('channel_connections')
    .set({ settings: JSON.stringify(settings) })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('disconnected_at', 'is', null)
    .execute()
}

/** The settings of a connection, where its channel has any; null: it has none. */
export function settingsOf({
  channel,
  settings,
}: Pick<Selectable<ChannelConnectionsTable>, 'channel' | 'settings'>): ConnectionSettings | null {
  return channel === 'telegram' ? connectionSettings.parse(settings ?? {}) : null
}

/** Sets the business accounts that a connection answers for. The caller holds the row. */
export async function setBusinesses(
  ctx: OrgStoreContext,
  id: Id<'channelConnections'>,
  businesses: BusinessAccount[],
): Promise<void> {
  await ctx.db
    .updateTable('channel_connections')
    .set({ businesses: JSON.stringify(businesses) })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
}
