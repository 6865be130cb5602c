// SQL for the work with sites of all spaces, as a tray shows it.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { SiteStatus, SiteWork } from '#shared/knowledge/sites.ts'
import { countUnlisted, ENDED_LISTED, UNFINISHED_LISTED } from '../documents/work.rules.ts'
import { countPages, NO_PAGES } from './sites.store.ts'

/** Sites that are being read or removed, newest first, and those that came to an end last. */
export async function listSiteWork(ctx: OrgStoreContext): Promise<SiteWork> {
  const going = work(ctx, ['syncing', 'removing'])
  const unfinished = await going.orderBy('sites.created_at', 'desc').limit(UNFINISHED_LISTED).execute()
  const ended = await work(ctx, ['ready', 'stopped', 'error'])
    .orderBy('sites.updated_at', 'desc')
    .limit(ENDED_LISTED)
    .execute()
  const pages = await countPages(
    ctx,
    unfinished.map(({ id }) => id),
  )
  const toItem = (row: WorkRow): SiteWork['ended'][number] => ({
    _id: row.id,
    url: row.url,
    status: row.status,
    errorReason: row.status === 'error' ? row.error_reason : null,
    pages: pages.get(row.id) ?? NO_PAGES,
    spaceSlug: row.slug,
  })
  const unlisted = await countUnlisted(unfinished.length, () => countRows(going))
  return { unfinished: unfinished.map(toItem), unlisted, ended: ended.map(toItem) }
}

function work(ctx: OrgStoreContext, statuses: SiteStatus[]) {
  return ctx.db
    .selectFrom('sites')
    .innerJoin('knowledge_spaces', (join) =>
      join
        .onRef('knowledge_spaces.id', '=', 'sites.knowledge_space_id')
        .on('knowledge_spaces.organization_id', '=', ctx.organizationId),
    )
    .where('sites.organization_id', '=', ctx.organizationId)
    .where('sites.status', 'in', statuses)
    .where('knowledge_spaces.deleted_at', 'is', null)
    .select(['sites.id', 'sites.url', 'sites.status', 'sites.error_reason', 'knowledge_spaces.slug'])
}

async function countRows(query: ReturnType<typeof work>): Promise<number> {
  const { count } = await query
    .clearSelect()
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

type WorkRow = Awaited<ReturnType<ReturnType<typeof work>['executeTakeFirstOrThrow']>>
