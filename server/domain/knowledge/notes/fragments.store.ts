// SQL for fragments: notes and questions with answers that people write into a space.
import type { Selectable } from 'kysely'
import { languageOf } from '#server/domain/knowledge/search/analysis/language.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { FragmentsTable } from '#server/platform/db/tables/knowledge.ts'
import { type Page, paginate } from '#server/platform/functions/paginate.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { type Fragment, searchKey } from '#shared/knowledge/knowledge.ts'
import type { PaginationOpts } from '#shared/schema.ts'
import { toMarks } from '../documents/source-metadata.store.ts'

export type FragmentEntry = { name: string; content: string; alsoAskedAs: string[]; tokens: number }

/** The fragments of a space that hold the searched characters, newest first. */
export function listFragments(
  ctx: OrgStoreContext,
  { spaceId, search = '' }: { spaceId: Id<'knowledgeSpaces'>; search?: string | undefined },
  opts: PaginationOpts,
): Promise<Page<Fragment>> {
  const key = searchKey(search)
  const all = fragments(ctx).selectAll().where('knowledge_space_id', '=', spaceId)
  const query = key ? all.where((eb) => eb(eb.fn<number>('strpos', ['search_key', eb.val(key)]), '>', 0)) : all
  const order = {
    by: [
      ['created_at', 'instant'],
      ['id', 'text'],
    ],
    direction: 'desc',
  } as const
  return paginate(ctx, query, opts, order, toFragment)
}

/** @throws AppError not_found */
export async function getFragment(ctx: OrgStoreContext, id: Id<'fragments'>): Promise<Fragment> {
  const row = await fragments(ctx).selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return toFragment(row)
}

/**
 * The fragments of a space that have one of the names, ignoring case: name in lower case → id. Compared here: a database with locale C
 * folds ASCII letters only.
 */
export async function listIdsByName(
  ctx: OrgStoreContext,
  spaceId: Id<'knowledgeSpaces'>,
  named: readonly { name: string }[],
): Promise<Map<string, Id<'fragments'>>> {
  const wanted = new Set(named.map(({ name }) => name.toLowerCase()))
  const rows = await fragments(ctx)
    .where('knowledge_space_id', '=', spaceId)
    .select(['id', 'name'])
    .orderBy('created_at')
    .execute()
  const found = rows.map(({ id, name }) => [name.toLowerCase(), id] as const)
  return new Map(found.filter(([name]) => wanted.has(name)))
}

export async function insertFragment(
  ctx: OrgStoreContext,
  fragment: FragmentEntry & { id: Id<'fragments'>; knowledgeSpaceId: Id<'knowledgeSpaces'> },
  now: Date,
): Promise<void> {
  await ctx.db
    .insertInto('fragments')
    .values({
      id: fragment.id,
      organization_id: ctx.organizationId,
      knowledge_space_id: fragment.knowledgeSpaceId,
      name: fragment.name,
      content: fragment.content,
      also_asked_as: JSON.stringify(fragment.alsoAskedAs),
      token_count: fragment.tokens,
      text_language: languageOf([fragment.content]) ?? languageOf([fragment.name]),
      created_at: now,
      updated_at: now,
    })
    .execute()
}

/** @throws AppError not_found */
export async function updateFragment(
  ctx: OrgStoreContext,
  id: Id<'fragments'>,
  entry: FragmentEntry,
  now: Date,
): Promise<void> {
  const changed = await ctx.db
    .updateTable('fragments')
    .set({
      name: entry.name,
      content: entry.content,
      also_asked_as: JSON.stringify(entry.alsoAskedAs),
      token_count: entry.tokens,
      text_language: languageOf([entry.content]) ?? languageOf([entry.name]),
      updated_at: now,
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (!changed) throw new AppError('not_found')
}

/** Deletes the row alone. @throws AppError not_found */
export async function deleteFragment(ctx: OrgStoreContext, id: Id<'fragments'>): Promise<void> {
  const deleted = await ctx.db
    .deleteFrom('fragments')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (!deleted) throw new AppError('not_found')
}

function fragments(ctx: OrgStoreContext) {
  return ctx.db.selectFrom('fragments').where('organization_id', '=', ctx.organizationId)
}

function toFragment(row: Selectable<FragmentsTable>): Fragment {
  return {
    _id: row.id,
    ...toMarks(row),
    knowledgeSpaceId: row.knowledge_space_id,
    name: row.name,
    content: row.content,
    alsoAskedAs: row.also_asked_as,
    tokens: row.token_count,
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at.getTime(),
  }
}
