// SQL for tools of MCP servers: as they were seen last, as an administrator has allowed them, and how often they are used a day.
import { type Selectable, sql } from 'kysely'
import { isFlagOnFor } from '#server/domain/flags/flags.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { McpToolsTable, StoredMcpTool } from '#server/platform/db/tables/agents.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import {
  type AllowedMcpTool,
  MCP_CALLS_PER_DAY,
  type McpApproval,
  type McpTool,
  type McpToolProblem,
  type McpToolState,
  type McpToolText,
  type McpToolTexts,
} from '#shared/tools/mcp-servers.ts'
import { TOOL_FAILING_FROM, type ToolFailure } from '#shared/tools/tools.ts'
import { modelNameOf } from './names.rules.ts'
import type { SealedServer } from './servers.store.ts'

type ToolId = Id<'mcpTools'>

/** A tool as it was seen at its server. */
export type SeenTool = { name: string; tool: StoredMcpTool; hash: string; problem: McpToolProblem | null }

/** An allowed tool with all that a call needs. `name`: as models know it; description and schema: as they were allowed. */
export type CallableMcpTool = {
  id: ToolId
  name: string
  serverName: string
  description: string
  schema: Record<string, unknown>
  approval: McpApproval
  /** Another one once a person has allowed another description or schema. */
  version: string
  server: SealedServer
}

/** Its columns, as `sealed` puts them together. */
const SERVER = [
  ...(['mcp_servers.id as s_id', 'mcp_servers.name as s_name', 'mcp_servers.short_name', 'url'] as const),
  ...(['authorizes_by', 'credentials', 'status'] as const),
]

/** All tools of a server, by name. */
export async function listTools(ctx: OrgStoreContext, serverId: Id<'mcpServers'>): Promise<McpTool[]> {
  const rows = await tools(ctx)
    .innerJoin('mcp_servers', 'mcp_servers.id', 'mcp_tools.server_id')
    .innerJoin('organizations', 'organizations.id', 'mcp_tools.organization_id')
    .where('server_id', '=', serverId)
    .selectAll('mcp_tools')
    .select('mcp_servers.status')
    .select(sql<string>`to_char(now() at time zone organizations.time_zone, 'YYYY-MM-DD')`.as('today'))
    .orderBy('mcp_tools.name')
    .execute()
  return rows.map(toTool)
}

/** What a tool says of itself, now and when it was allowed. @throws AppError not_found */
export async function getTexts(ctx: OrgStoreContext, id: ToolId): Promise<McpToolTexts> {
  const row = await tools(ctx).where('id', '=', id).select(['latest', 'pinned']).executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return { latest: toText(row.latest), pinned: row.pinned && toText(row.pinned) }
}

/** Tools that were allowed, by name; those that have changed since and those that need an approval among them. */
export async function listAllowed(ctx: OrgStoreContext): Promise<AllowedMcpTool[]> {
  const rows = await tools(ctx)
    .innerJoin('mcp_servers', 'mcp_servers.id', 'mcp_tools.server_id')
    .where('pinned', 'is not', null)
    .selectAll('mcp_tools')
    .select(['mcp_servers.name as server', 'mcp_servers.status'])
    .orderBy('model_name')
    .execute()
  return rows.map((row) => ({
    ...{ _id: row.id, name: row.name, modelName: row.model_name, server: row.server },
    ...{ description: row.pinned?.description ?? '', isOffered: isOffered(row), failing: failingOf(row) },
  }))
}

/**
 * Tools as they are called, by name: those of these ids that are as they were allowed, at servers that accept us. None where the flag is off.
 */
export async function listCallableMcp(ctx: OrgStoreContext, ids: readonly string[]): Promise<CallableMcpTool[]> {
  if (ids.length === 0 || !(await isFlagOnFor(ctx, 'mcp_tools'))) return []
  const rows = await allowed(ctx)
    .where('mcp_tools.id', 'in', ids as ToolId[])
    .where('status', '=', 'connected')
    .select(['mcp_tools.id', 'mcp_tools.name', 'model_name', 'pinned', 'pinned_hash', 'approval'])
    .select(SERVER)
    .orderBy('model_name')
    .execute()
  return rows.flatMap(({ pinned, ...row }) =>
    pinned?.schema
      ? [
          {
            ...{ id: row.id, name: row.model_name, serverName: row.name, approval: row.approval },
            ...{ description: pinned.description, schema: pinned.schema, version: row.pinned_hash ?? '' },
            server: {
              ...{ id: row.s_id, organizationId: ctx.organizationId, name: row.s_name, shortName: row.short_name },
              ...{ url: row.url, authorization: row.authorizes_by, credentials: row.credentials, status: row.status },
            },
          },
        ]
      : [],
  )
}

/** Keeps what a server has now. Tools that it has no more are gone; those that were never allowed are forgotten. */
export async function saveSeen(ctx: OrgStoreContext, server: SealedServer, seen: SeenTool[], now: Date): Promise<void> {
  const taken = await listTakenNames(ctx)
  const known = await tools(ctx).where('server_id', '=', server.id).select(['name', 'model_name']).execute()
  const names = new Map(known.map((row) => [row.name, row.model_name]))
  for (const { name } of seen) {
    if (names.has(name)) continue
    const modelName = modelNameOf(server.shortName, name, taken)
    names.set(name, modelName)
    taken.push(modelName)
  }
  if (seen.length > 0) await upsert(ctx, server, seen, { names, now })
  const others = seen.map(({ name }) => name)
  await forServer(ctx, server).where(sql<boolean>`name <> all(${others}::text[])`).set({ is_gone: true }).execute()
  await ctx.db
    .deleteFrom('mcp_tools')
    .where('organization_id', '=', ctx.organizationId)
    .where('server_id', '=', server.id)
    .where('is_gone', '=', true)
    .where('pinned', 'is', null)
    .execute()
}

async function upsert(
  ctx: OrgStoreContext,
  server: SealedServer,
  seen: SeenTool[],
  { names, now }: { names: Map<string, string>; now: Date },
): Promise<void> {
  await ctx.db
    .insertInto('mcp_tools')
    .values(
      seen.map(({ name, tool, hash, problem }) => ({
        ...{ id: newId('mcpTools'), organization_id: ctx.organizationId, server_id: server.id, name },
        ...{ model_name: names.get(name) ?? name, latest: JSON.stringify(tool), latest_hash: hash, problem },
        ...{ pinned: null, pinned_hash: null, failure: null, failed_at: null, used_on: null, created_at: now },
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['server_id', 'name']).doUpdateSet((eb) => ({
        latest: eb.ref('excluded.latest'),
        latest_hash: eb.ref('excluded.latest_hash'),
        problem: eb.ref('excluded.problem'),
        is_gone: false,
      })),
    )
    .execute()
}

/** Allows a tool as it is now, which must be as the person has seen it. @throws AppError not_found, mcp_tool_changed, mcp_tool_unusable */
export async function pinTool(ctx: OrgStoreContext, id: ToolId, hash: string): Promise<NamedTool> {
  const tool = await getNamed(ctx, id)
  if (tool.latest_hash !== hash || tool.is_gone) throw new AppError('mcp_tool_changed')
  if (tool.problem !== null) throw new AppError('mcp_tool_unusable')
  await update(ctx, id)
    .set({ pinned: sql<string>`latest`, pinned_hash: hash, ...WORKS })
    .execute()
  return tool
}

/** Allows a tool no more; one that is gone is forgotten. @throws AppError not_found */
export async function unpinTool(ctx: OrgStoreContext, id: ToolId): Promise<NamedTool> {
  const tool = await getNamed(ctx, id)
  if (tool.is_gone)
    await ctx.db
      .deleteFrom('mcp_tools')
      .where('organization_id', '=', ctx.organizationId)
      .where('id', '=', id)
      .execute()
  else
    await update(ctx, id)
      .set({ pinned: null, pinned_hash: null, ...WORKS })
      .execute()
  return tool
}

/** @throws AppError not_found */
export async function setApproval(ctx: OrgStoreContext, id: ToolId, approval: McpApproval): Promise<NamedTool> {
  const tool = await getNamed(ctx, id)
  await update(ctx, id).set({ approval }).execute()
  return tool
}

/** Counts a call of today in one statement, so that calls at the same time cannot exceed the limit together. @returns whether one was left */
export async function takeOneOfMcp(ctx: OrgStoreContext, id: ToolId): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update mcp_tools t set used_count = case when t.used_on = d.today then t.used_count + 1 else 1 end, used_on = d.today
    from (select to_char(now() at time zone time_zone, 'YYYY-MM-DD') as today from organizations where id = ${ctx.organizationId}) d
    where t.organization_id = ${ctx.organizationId} and t.id = ${id}
      and (t.used_on is distinct from d.today or t.used_count < ${MCP_CALLS_PER_DAY}::int)
    returning t.id`.execute(ctx.db)
  return rows.length > 0
}

/** Notes that a call has failed, or that the tool works again. */
export async function noteMcpOutcome(ctx: OrgStoreContext, id: ToolId, failure: ToolFailure | null): Promise<void> {
  const noted = failure
    ? update(ctx, id).set((eb) => ({
        ...{ failures_in_row: eb('failures_in_row', '+', 1), failure, failed_at: sql<Date>`now()` },
      }))
    : update(ctx, id).set(WORKS).where('failures_in_row', '>', 0)
  await noted.execute()
}

const WORKS = { failures_in_row: 0, failure: null, failed_at: null } as const

/** A tool by which names the audit trail has it. */
export type NamedTool = Awaited<ReturnType<typeof getNamed>>

async function getNamed(ctx: OrgStoreContext, id: ToolId) {
  const row = await tools(ctx)
    .innerJoin('mcp_servers', 'mcp_servers.id', 'mcp_tools.server_id')
    .where('mcp_tools.id', '=', id)
    .select(['mcp_tools.name', 'mcp_servers.name as server', 'latest_hash', 'is_gone', 'problem', 'approval'])
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row
}

/** Names for models that tools of the organization have. */
async function listTakenNames(ctx: OrgStoreContext): Promise<string[]> {
  const added = await ctx.db
    .selectFrom('http_tools')
    .where('organization_id', '=', ctx.organizationId)
    .select('name')
    .execute()
  const own = await tools(ctx).select('model_name').execute()
  return [...added.map(({ name }) => name), ...own.map((row) => row.model_name)]
}

function update(ctx: OrgStoreContext, id: ToolId) {
  return ctx.db.updateTable('mcp_tools').where('organization_id', '=', ctx.organizationId).where('id', '=', id)
}

function forServer(ctx: OrgStoreContext, { id }: SealedServer) {
  return ctx.db.updateTable('mcp_tools').where('organization_id', '=', ctx.organizationId).where('server_id', '=', id)
}

function tools(ctx: OrgStoreContext) {
  return ctx.db.selectFrom('mcp_tools').where('mcp_tools.organization_id', '=', ctx.organizationId)
}

function allowed(ctx: OrgStoreContext) {
  return tools(ctx)
    .innerJoin('mcp_servers', 'mcp_servers.id', 'mcp_tools.server_id')
    .whereRef('pinned_hash', '=', 'latest_hash')
    .where('is_gone', '=', false)
}

function stateOf({ pinned_hash, latest_hash, is_gone }: Selectable<McpToolsTable>): McpToolState {
  if (is_gone) return 'gone'
  if (pinned_hash === null) return 'not_allowed'
  return pinned_hash === latest_hash ? 'allowed' : 'changed'
}

function isOffered(row: Selectable<McpToolsTable> & { status: string }): boolean {
  return stateOf(row) === 'allowed' && row.status === 'connected'
}

function failingOf(row: Pick<Selectable<McpToolsTable>, 'failures_in_row' | 'failure' | 'failed_at'>) {
  const { failures_in_row: times, failure, failed_at } = row
  return times >= TOOL_FAILING_FROM && failure !== null ? { times, failure, at: failed_at?.getTime() ?? 0 } : null
}

function toText({ description, schema }: StoredMcpTool): McpToolText {
  return { description, schema: schema === null ? '' : JSON.stringify(schema, null, 2) }
}

function toTool(row: Selectable<McpToolsTable> & { status: string; today: string }): McpTool {
  const state = stateOf(row)
  return {
    ...{ _id: row.id, name: row.name, modelName: row.model_name, description: row.latest.description },
    ...{ hash: row.latest_hash, state, problem: row.problem, approval: row.approval, hints: row.latest.hints },
    isOffered: isOffered(row),
    failing: failingOf(row),
    usedToday: row.used_on === row.today ? row.used_count : 0,
  }
}
