// SQL for HTTP tools: their definitions, what their last trial gave, how they have failed, and how often they are used a day.
import { type Selectable, sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { HttpToolsTable } from '#server/platform/db/tables/agents.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import {
  type HttpTool,
  TOOL_FAILING_FROM,
  type ToolDefinition,
  type ToolExample,
  type ToolFailure,
} from '#shared/tools/tools.ts'

type ToolId = Id<'httpTools'>

/** A secret as it is stored. */
export type SealedSecret = { id: Id<'toolSecrets'>; host: string; value: string }
/** A tool with all that a call needs: the hosts of its organization, and its secrets. */
export type CallableTool = ToolDefinition & {
  id: ToolId
  /** Another one after each change. */
  version: string
  example: ToolExample | null
  hosts: string[]
  secrets: SealedSecret[]
}

/** All tools of the organization, by name. */
export async function listTools(ctx: OrgStoreContext): Promise<HttpTool[]> {
  const rows = await tools(ctx)
    .innerJoin('organizations', 'organizations.id', 'http_tools.organization_id')
    .selectAll('http_tools')
    .select(sql<string>`to_char(now() at time zone organizations.time_zone, 'YYYY-MM-DD')`.as('today'))
    .orderBy('http_tools.name')
    .execute()
  return rows.map(toTool)
}

/** @throws AppError not_found */
export async function getDefinition(ctx: OrgStoreContext, id: ToolId): Promise<ToolDefinition> {
  const row = await tools(ctx).where('http_tools.id', '=', id).select('definition').executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row.definition
}

/** Tools as they are called, in the order of their names; ids that are gone are left out. */
export async function listCallable(ctx: OrgStoreContext, ids: readonly string[]): Promise<CallableTool[]> {
  if (ids.length === 0) return []
  const rows = await tools(ctx)
    .where('http_tools.id', 'in', ids as ToolId[])
    .select(['http_tools.id', 'definition', 'example', 'updated_at'])
    .select(
      sql<
        string[]
      >`(select coalesce(json_agg(h.host), '[]') from tool_hosts h where h.organization_id = ${ctx.organizationId})`.as(
        'hosts',
      ),
    )
    .select(
      sql<
        SealedSecret[]
      >`(select coalesce(json_agg(json_build_object('id', s.id, 'host', s.host, 'value', s.value)), '[]')
        from tool_secrets s where s.organization_id = ${ctx.organizationId} and s.id in (
          select header->>'secretId' from jsonb_array_elements(http_tools.definition->'headers') header))`.as(
        'secrets',
      ),
    )
    .orderBy('http_tools.name')
    .execute()
  return rows.map(({ definition, updated_at: changedAt, ...row }) => {
    return { ...definition, ...row, version: `${changedAt.getTime()}` }
  })
}

/** How many tools there are. */
export async function countTools(ctx: OrgStoreContext): Promise<number> {
  const row = await tools(ctx)
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** @throws AppError tool_name_taken */
export async function insertTool(ctx: OrgStoreContext, id: ToolId, tool: ToolDefinition, now: Date): Promise<void> {
  await assertNotOfMcp(ctx, tool.name)
  const row = await ctx.db
    .insertInto('http_tools')
    .values({
      id,
      organization_id: ctx.organizationId,
      name: tool.name,
      definition: JSON.stringify(tool),
      example: null,
      failure: null,
      failed_at: null,
      used_on: null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) throw new AppError('tool_name_taken')
}

/** Replaces a definition; failures of the former one count no more. @throws AppError not_found, tool_name_taken */
export async function updateTool(ctx: OrgStoreContext, id: ToolId, tool: ToolDefinition, now: Date): Promise<void> {
  const taken = await tools(ctx).where('name', '=', tool.name).where('id', '<>', id).select('id').executeTakeFirst()
  if (taken) throw new AppError('tool_name_taken')
  await assertNotOfMcp(ctx, tool.name)
  const row = await ctx.db
    .updateTable('http_tools')
    .set({
      name: tool.name,
      definition: JSON.stringify(tool),
      failures_in_row: 0,
      failure: null,
      failed_at: null,
      updated_at: now,
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
}

/** Agents that name it do without. @throws AppError not_found */
export async function deleteTool(ctx: OrgStoreContext, id: ToolId): Promise<ToolDefinition> {
  const row = await ctx.db
    .deleteFrom('http_tools')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .returning('definition')
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row.definition
}

/** Keeps what a trial has given. */
export async function keepExample(ctx: OrgStoreContext, id: ToolId, example: ToolExample): Promise<void> {
  await ctx.db
    .updateTable('http_tools')
    .set({ example: JSON.stringify(example) })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
}

/** Counts a call of today in one statement, so that calls at the same time cannot exceed the limit together. @returns whether one was left */
export async function takeOne(ctx: OrgStoreContext, id: ToolId, perDay: number): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update http_tools t set used_count = case when t.used_on = d.today then t.used_count + 1 else 1 end, used_on = d.today
    from (select to_char(now() at time zone time_zone, 'YYYY-MM-DD') as today from organizations where id = ${ctx.organizationId}) d
    where t.organization_id = ${ctx.organizationId} and t.id = ${id}
      and (t.used_on is distinct from d.today or t.used_count < ${perDay}::int)
    returning t.id`.execute(ctx.db)
  return rows.length > 0
}

/** Notes that a call has failed, or that the tool works again. */
export async function noteOutcome(ctx: OrgStoreContext, id: ToolId, failure: ToolFailure | null): Promise<void> {
  let noted = ctx.db.updateTable('http_tools').where('organization_id', '=', ctx.organizationId).where('id', '=', id)
  noted = failure
    ? noted.set((eb) => ({ failures_in_row: eb('failures_in_row', '+', 1), failure, failed_at: sql<Date>`now()` }))
    : noted.set({ failures_in_row: 0, failure: null, failed_at: null }).where('failures_in_row', '>', 0)
  await noted.execute()
}

/** The name of a tool that sends a secret; undefined: none does. */
export async function findSender(ctx: OrgStoreContext, secretId: Id<'toolSecrets'>): Promise<string | undefined> {
  const row = await tools(ctx)
    .where(sql<boolean>`definition->'headers' @> ${JSON.stringify([{ secretId }])}::jsonb`)
    .select('name')
    .orderBy('name')
    .executeTakeFirst()
  return row?.name
}

/** @throws AppError tool_name_taken */
async function assertNotOfMcp(ctx: OrgStoreContext, name: string): Promise<void> {
  const row = await ctx.db
    .selectFrom('mcp_tools')
    .where('organization_id', '=', ctx.organizationId)
    .where('model_name', '=', name)
    .select('id')
    .executeTakeFirst()
  if (row) throw new AppError('tool_name_taken')
}

function tools(ctx: OrgStoreContext) {
  return ctx.db.selectFrom('http_tools').where('http_tools.organization_id', '=', ctx.organizationId)
}

function toTool(row: Selectable<HttpToolsTable> & { today: string }): HttpTool {
  const isFailing = row.failures_in_row >= TOOL_FAILING_FROM && row.failure !== null
  return {
    ...row.definition,
    _id: row.id,
    example: row.example,
    failing:
      isFailing && row.failure
        ? { times: row.failures_in_row, failure: row.failure, at: row.failed_at?.getTime() ?? 0 }
        : null,
    usedToday: row.used_on === row.today ? row.used_count : 0,
    updatedAt: row.updated_at.getTime(),
  }
}
