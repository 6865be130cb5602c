// SQL for web search: settings of a space, and the searches made, whose number a day is limited.
import { type Selectable, sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { WebSearchSettingsTable } from '#server/platform/db/tables/web.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { WebSearchProvider, WebSearchSettings } from '#shared/agents/web-search.ts'
import type { Id } from '#shared/ids.ts'
import { WEB_SEARCHES_PER_DAY_DEFAULT } from '#shared/limits.ts'
import { domainName } from './web-search.rules.ts'

type SpaceId = Id<'knowledgeSpaces'>
type Change = { isEnabled?: boolean | undefined; dailyLimit?: number | undefined; domains?: string[] }

/** Those among the spaces in which the web is searched, in the order of the spaces. */
export async function listEnabled(ctx: OrgStoreContext, spaceIds: SpaceId[]): Promise<WebSearchSettings[]> {
  if (spaceIds.length === 0) return []
  const rows = await settings(ctx)
    .where('knowledge_space_id', 'in', spaceIds)
    .where('is_enabled', '=', true)
    .selectAll()
    .execute()
  const found = rows.map(toSettings)
  return spaceIds.flatMap((id) => found.filter(({ knowledgeSpaceId }) => knowledgeSpaceId === id))
}

/** Settings of one space; defaults if they were never changed. */
export async function getSettings(ctx: OrgStoreContext, spaceId: SpaceId): Promise<WebSearchSettings> {
  const row = await settings(ctx).where('knowledge_space_id', '=', spaceId).selectAll().executeTakeFirst()
  return row
    ? toSettings(row)
    : { knowledgeSpaceId: spaceId, isEnabled: false, domains: [], dailyLimit: WEB_SEARCHES_PER_DAY_DEFAULT }
}

/** Changes the given fields. */
export async function saveSettings(ctx: OrgStoreContext, spaceId: SpaceId, change: Change, now: Date): Promise<void> {
  const named = {
    ...(change.isEnabled !== undefined && { is_enabled: change.isEnabled }),
    ...(change.dailyLimit !== undefined && { daily_limit: change.dailyLimit }),
    ...(change.domains !== undefined && { domains: JSON.stringify(change.domains) }),
    updated_at: now,
  }
  await ctx.db
    .insertInto('web_search_settings')
    .values({
      organization_id: ctx.organizationId,
      knowledge_space_id: spaceId,
      is_enabled: false,
      domains: '[]',
      daily_limit: WEB_SEARCHES_PER_DAY_DEFAULT,
      ...named,
    })
    .onConflict((conflict) => conflict.column('knowledge_space_id').doUpdateSet(named))
    .execute()
}

/** Searches since midnight by the clock of the organization: in all, and of each space that has any. */
export async function countToday(
  ctx: OrgStoreContext,
  now: Date,
): Promise<{ inAll: number; bySpace: Map<SpaceId, number> }> {
  const rows = await ctx.db
    .selectFrom('web_searches')
    .where('organization_id', '=', ctx.organizationId)
    .where('created_at', '>=', (eb) =>
      eb
        .selectFrom('organizations')
        .where('organizations.id', '=', ctx.organizationId)
        .select(
          sql<Date>`date_trunc('day', ${now}::timestamptz at time zone organizations.time_zone)
          at time zone organizations.time_zone`.as('midnight'),
        ),
    )
    .select((eb) => ['knowledge_space_id', eb.fn.countAll<string>().as('count')])
    .groupBy('knowledge_space_id')
    .execute()
  const bySpace = new Map(rows.map((row) => [row.knowledge_space_id, Number(row.count)]))
  return { inAll: [...bySpace.values()].reduce((sum, count) => sum + count, 0), bySpace }
}

/** Counts a search that is about to be made. @returns its id */
export async function insertSearch(
  ctx: OrgStoreContext,
  search: { spaceId: SpaceId; provider: WebSearchProvider },
  now: Date,
): Promise<string> {
  const id = newId()
  await ctx.db
    .insertInto('web_searches')
    .values({
      id,
      organization_id: ctx.organizationId,
      knowledge_space_id: search.spaceId,
      provider: search.provider,
      created_at: now,
    })
    .execute()
  return id
}

/** Deletes what no day counts any more, in all organizations. */
export async function forgetSearches(ctx: StoreContext, before: Date): Promise<void> {
  await ctx.db.deleteFrom('web_searches').where('created_at', '<', before).execute()
}

function settings(ctx: OrgStoreContext) {
  return ctx.db.selectFrom('web_search_settings').where('organization_id', '=', ctx.organizationId)
}

function toSettings(row: Selectable<WebSearchSettingsTable>): WebSearchSettings {
  return {
    knowledgeSpaceId: row.knowledge_space_id,
    isEnabled: row.is_enabled,
    domains: row.domains.map((domain) => ({ domain, name: domainName(domain) })),
    dailyLimit: row.daily_limit,
  }
}
