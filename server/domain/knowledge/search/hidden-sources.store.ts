// SQL for what a search may not find: kinds that are off, and documents, notes and tables out of their time, without a tag or in another
// language than the agent is kept to. Ids of sources stay in the database: there may be very many.
import { type SqlBool, sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { SourceKind } from '#shared/knowledge/chunks.ts'
import type { SourceLanguage } from '#shared/knowledge/knowledge-marks.ts'

/** What every source of a space is to have at an instant: one of the tags, one of the languages if its own is known. Empty lists ask for nothing. */
export type SourceLimits = { tags: readonly string[]; languages: readonly SourceLanguage[]; now: Date }
/** A space to be searched, except for chunks of these kinds and of sources beyond the limits. `limits`: null where all sources keep them. */
export type SearchedSpace = {
  id: Id<'knowledgeSpaces'>
  withoutKinds: readonly SourceKind[]
  limits: SourceLimits | null
}

const TABLES = { document: 'documents', fragment: 'fragments', table: 'knowledge_tables' } as const
const KINDS = Object.keys(TABLES) as SourceKind[]

/**
 * How many beginnings and ends of times in which sources hold have passed, by space; of spaces that have such times. As long as neither
 * this number nor the version of a space grows, the same sources hold.
 */
export async function countPassed(
  ctx: OrgStoreContext,
  spaceIds: Id<'knowledgeSpaces'>[],
  now: Date,
): Promise<Map<Id<'knowledgeSpaces'>, number>> {
  const passed = new Map<Id<'knowledgeSpaces'>, number>()
  if (spaceIds.length === 0) return passed
  for (const kind of KINDS) {
    const rows = await ctx.db
      .selectFrom(TABLES[kind])
      .where('organization_id', '=', ctx.organizationId)
      .where('knowledge_space_id', 'in', spaceIds)
      .where((eb) => eb.or([eb('valid_from', 'is not', null), eb('valid_until', 'is not', null)]))
      .select(['knowledge_space_id'])
      .select(
        sql<string>`count(*) filter (where valid_from <= ${now}) + count(*) filter (where valid_until <= ${now})`.as(
          'passed',
        ),
      )
      .groupBy('knowledge_space_id')
      .execute()
    for (const { knowledge_space_id: id, passed: more } of rows) passed.set(id, (passed.get(id) ?? 0) + Number(more))
  }
  return passed
}

/** The chunks of a space that are not to be found in it, of which there may be some. */
export async function listHiddenIds(
  ctx: OrgStoreContext,
  { id, withoutKinds, limits }: SearchedSpace,
): Promise<Set<Id<'chunks'>>> {
  const rows = await ctx.db
    .selectFrom('chunks')
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', '=', id)
    .where((eb) =>
      eb.or([
        ...(withoutKinds.length > 0 ? [eb('source_kind', 'in', withoutKinds)] : []),
        ...(limits ? KINDS.map((kind) => eb('source_id', 'in', hiddenSources(ctx, kind, id, limits))) : []),
      ]),
    )
    .select('id')
    .orderBy('id')
    .execute()
  return new Set(rows.map((row) => row.id))
}

/** Those of some sources of a space that are beyond its limits. */
export async function listHiddenAmong(
  ctx: OrgStoreContext,
  { id, limits }: SearchedSpace,
  sources: (readonly [SourceKind, readonly string[]])[],
): Promise<Set<string>> {
  const hidden = new Set<string>()
  if (!limits) return hidden
  for (const [kind, ids] of sources) {
    const rows = await hiddenSources(ctx, kind, id, limits).where(sql.ref('id'), 'in', ids).orderBy('id').execute()
    for (const row of rows) hidden.add(row.id)
  }
  return hidden
}

/** Sources of one kind that are beyond the limits of their space. */
function hiddenSources(
  ctx: OrgStoreContext,
  kind: SourceKind,
  spaceId: Id<'knowledgeSpaces'>,
  { tags, languages, now }: SourceLimits,
) {
  return ctx.db
    .selectFrom(TABLES[kind])
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', '=', spaceId)
    .where((eb) =>
      eb.or([
        eb('valid_from', '>', now),
        eb('valid_until', '<=', now),
        ...(tags.length > 0 ? [eb.not(sharesTag(tags))] : []),
        ...(languages.length > 0 ? [eb('language', 'not in', languages)] : []),
      ]),
    )
    .select(sql<string>`id`.as('id'))
}

function sharesTag(tags: readonly string[]) {
  return sql<SqlBool>`exists (select from jsonb_array_elements_text(tags) as tag(name)
    where name in (${sql.join(tags)}))`
}
