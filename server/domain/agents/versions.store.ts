// SQL for the versions of an agent's settings, with who saved each and when.

import type { OrgQueryContext } from '#server/functions/context.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { type Page, paginate } from '#server/platform/functions/paginate.ts'
import { type AgentSettings, agentSettings } from '#shared/agents/agent-settings.ts'
import type { AgentVersion } from '#shared/agents/agents.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { PaginationOpts } from '#shared/schema.ts'

/** Versions of an agent, newest first. */
export function listVersions(
  ctx: Pick<OrgQueryContext, 'db' | 'organizationId' | 'journal'>,
  agentId: Id<'agents'>,
  opts: PaginationOpts,
): Promise<Page<AgentVersion>> {
  const query = ctx.db
    .selectFrom('agent_versions')
    .innerJoin('agents', 'agents.id', 'agent_versions.agent_id')
    .leftJoin('users', 'users.id', 'agent_versions.author_id')
    .where('agent_versions.organization_id', '=', ctx.organizationId)
    .where('agents.organization_id', '=', ctx.organizationId)
    .where('agent_versions.agent_id', '=', agentId)
    .select([
      'agent_versions.id',
      'agent_versions.number',
      'agent_versions.restored_from',
      'agent_versions.created_at',
      'agents.live_version',
      'users.name as author_name',
    ])
  const order = { by: [['agent_versions.number', 'integer']], direction: 'desc' } as const
  return paginate(ctx, query, opts, order, (row) => ({
    _id: row.id,
    number: row.number,
    authorName: row.author_name,
    restoredFrom: row.restored_from,
    isLive: row.number === row.live_version,
    createdAt: row.created_at.getTime(),
  }))
}

/** The settings of one version. @throws AppError not_found */
export async function getVersionSettings(
  ctx: OrgStoreContext,
  agentId: Id<'agents'>,
  number: number,
): Promise<AgentSettings> {
  const row = await ctx.db
    .selectFrom('agent_versions')
    .where('organization_id', '=', ctx.organizationId)
    .where('agent_id', '=', agentId)
    .where('number', '=', number)
    .select('settings')
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return agentSettings.parse(row.settings)
}
