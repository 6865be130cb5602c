// SQL for MCP servers: where they are, how they authorize us, and how the last look at their tools went.
import { type Selectable, sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { McpServersTable } from '#server/platform/db/tables/agents.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { McpAuthorization, McpServer, McpStatus } from '#shared/tools/mcp-servers.ts'
import type { ToolFailure } from '#shared/tools/tools.ts'

type ServerId = Id<'mcpServers'>
type Counts = { tools_all: string; tools_allowed: string; tools_changed: string }

/** A server with its credentials as they are stored. */
export type SealedServer = {
  id: ServerId
  organizationId: Id<'organizations'>
  name: string
  shortName: string
  url: string
  authorization: McpAuthorization
  credentials: string | null
  status: McpStatus
}
export type NewServer = SealedServer

/** All servers, by name. */
export async function listServers(ctx: OrgStoreContext): Promise<McpServer[]> {
  const rows = await servers(ctx)
    .leftJoin('mcp_tools', 'mcp_tools.server_id', 'mcp_servers.id')
    .selectAll('mcp_servers')
    .select([
      sql<string>`count(mcp_tools.id) filter (where not is_gone)`.as('tools_all'),
      sql<string>`count(*) filter (where pinned_hash = latest_hash and not is_gone)`.as('tools_allowed'),
      sql<string>`count(*) filter (where pinned_hash is not null and (pinned_hash <> latest_hash or is_gone))`.as(
        'tools_changed',
      ),
    ])
    .groupBy('mcp_servers.id')
    .orderBy('mcp_servers.name')
    .orderBy('mcp_servers.id')
    .execute()
  return rows.map(toServer)
}

/** Short names that are taken. */
export async function listShortNames(ctx: OrgStoreContext): Promise<string[]> {
  return (await servers(ctx).select('short_name').execute()).map((row) => row.short_name)
}

/** @throws AppError not_found */
export async function getServer(ctx: OrgStoreContext, id: ServerId): Promise<SealedServer> {
  const row = await servers(ctx).where('mcp_servers.id', '=', id).selectAll().executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return toSealed(row)
}

/** Adds a server, whose tools have not been seen yet. */
export async function insertServer(ctx: OrgStoreContext, server: NewServer, now: Date): Promise<void> {
  await ctx.db
    .insertInto('mcp_servers')
    .values({
      ...{ id: server.id, organization_id: ctx.organizationId, name: server.name, short_name: server.shortName },
      ...{ url: server.url, authorizes_by: server.authorization, credentials: server.credentials },
      ...{ status: server.status, failure: null, refreshed_at: null, looked_at: now, created_at: now },
    })
    .execute()
}

/** With its tools; agents that have them do without. @throws AppError not_found */
export async function deleteServer(
  ctx: OrgStoreContext,
  id: ServerId,
): Promise<Pick<SealedServer, 'name' | 'url' | 'credentials'>> {
  const row = await ctx.db
    .deleteFrom('mcp_servers')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .returning(['name', 'url', 'credentials'])
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row
}

/** Keeps what the server accepts from now on. */
export async function saveCredentials(ctx: OrgStoreContext, id: ServerId, credentials: string): Promise<void> {
  await update(ctx, id).set({ credentials, status: 'connected' }).execute()
}

/** Keeps credentials in place of those that were used; others that have come meanwhile stay. @returns whether they were kept */
export async function replaceCredentials(
  ctx: OrgStoreContext,
  { id, credentials: used }: Pick<SealedServer, 'id' | 'credentials'>,
  credentials: string,
): Promise<boolean> {
  const rows = await update(ctx, id)
    .where('credentials', '=', used)
    .set({ credentials, status: 'connected' })
    .returning('id')
    .execute()
  return rows.length > 0
}

/** Notes that these credentials are not accepted any more; those that have come meanwhile are others. @returns whether they were */
export async function setLost(
  ctx: OrgStoreContext,
  { id, credentials }: Pick<SealedServer, 'id' | 'credentials'>,
): Promise<boolean> {
  const lost = await update(ctx, id)
    .where(sql<boolean>`credentials is not distinct from ${credentials}`)
    .where('status', '=', 'connected')
    .set({ status: 'reauthorization_required' })
    .executeTakeFirst()
  return lost.numUpdatedRows > 0n
}

/** Notes how a look at its tools went. */
export async function noteLook(
  ctx: OrgStoreContext,
  id: ServerId,
  { failure, now }: { failure: ToolFailure | null; now: Date },
): Promise<void> {
  const seen = failure === null ? { refreshed_at: now, status: 'connected' as const } : {}
  await update(ctx, id)
    .set({ failure, looked_at: now, ...seen })
    .execute()
}

/** Servers of all organizations whose tools were not asked for since then; the longest first. */
export async function listDue({ db }: StoreContext, before: Date, limit: number): Promise<SealedServer[]> {
  const rows = await db
    .selectFrom('mcp_servers')
    .where('status', '<>', 'pending')
    .where('looked_at', '<', before)
    .where(sql<boolean>`exists (select from mcp_tools t where t.server_id = mcp_servers.id and t.pinned is not null)`)
    .selectAll()
    .orderBy('looked_at')
    .limit(limit)
    .execute()
  return rows.map(toSealed)
}

function update(ctx: OrgStoreContext, id: ServerId) {
  return ctx.db.updateTable('mcp_servers').where('organization_id', '=', ctx.organizationId).where('id', '=', id)
}

function servers(ctx: OrgStoreContext) {
  return ctx.db.selectFrom('mcp_servers').where('mcp_servers.organization_id', '=', ctx.organizationId)
}

function toSealed(row: Selectable<McpServersTable>): SealedServer {
  return {
    ...{ id: row.id, organizationId: row.organization_id, name: row.name, shortName: row.short_name, url: row.url },
    ...{ authorization: row.authorizes_by, credentials: row.credentials, status: row.status },
  }
}

function toServer(row: Selectable<McpServersTable> & Counts): McpServer {
  return {
    ...{ _id: row.id, name: row.name, url: row.url, authorization: row.authorizes_by, status: row.status },
    ...{ failure: row.failure, refreshedAt: row.refreshed_at?.getTime() ?? null },
    tools: {
      all: Number(row.tools_all),
      allowed: Number(row.tools_allowed),
      changed: Number(row.tools_changed),
    },
  }
}
