// SQL of the template's versions. The newest is the one in use; none is ever changed.
import type { StoreContext } from '#server/platform/db/database.ts'
import { type Journal, type Page, paginate } from '#server/platform/functions/paginate.ts'
import type { Id } from '#shared/ids.ts'
import type { TemplateVersion } from '#shared/organizations/prompt-template.ts'
import type { PaginationOpts } from '#shared/schema.ts'

/** The version in use; undefined: there is none yet, and agents have their own instructions only. */
export async function findTemplate(ctx: StoreContext): Promise<TemplateVersion | undefined> {
  const row = await versions(ctx).orderBy('prompt_templates.number', 'desc').limit(1).executeTakeFirst()
  return row && toVersion(row)
}

/** One version. */
export async function findVersion(ctx: StoreContext, number: number): Promise<TemplateVersion | undefined> {
  const row = await versions(ctx).where('prompt_templates.number', '=', number).executeTakeFirst()
  return row && toVersion(row)
}

/** A page of versions, the newest first. */
export function listVersions(
  ctx: StoreContext & { journal?: Journal },
  opts: PaginationOpts,
): Promise<Page<TemplateVersion>> {
  const order = { by: [['prompt_templates.number', 'integer']], direction: 'desc' } as const
  return paginate(ctx, versions(ctx), opts, order, toVersion)
}

/** Adds a version, which is in use from the commit on. @returns its number */
export async function insertVersion(
  { db }: StoreContext,
  version: { text: string; authorId: Id<'users'>; restoredFrom: number | null; now: Date },
): Promise<number> {
  const { text, authorId, restoredFrom, now } = version
  const { number } = await db
    .insertInto('prompt_templates')
    .values(({ selectFrom, fn, lit, eb }) => ({
      number: selectFrom('prompt_templates').select(
        eb(fn.coalesce(fn.max('prompt_templates.number'), lit(0)), '+', lit(1)).as('next'),
      ),
      text,
      author_id: authorId,
      restored_from: restoredFrom,
      created_at: now,
    }))
    .returning('number')
    .executeTakeFirstOrThrow()
  return number
}

function versions({ db }: StoreContext) {
  return db
    .selectFrom('prompt_templates')
    .leftJoin('users', 'users.id', 'prompt_templates.author_id')
    .select([
      'prompt_templates.number',
      'prompt_templates.text',
      'prompt_templates.restored_from',
      'prompt_templates.created_at',
      'users.name as author',
    ])
}

type Row = Awaited<ReturnType<ReturnType<typeof versions>['execute']>>[number]

function toVersion({ number, text, author, restored_from, created_at }: Row): TemplateVersion {
  return { number, text, author, restoredFrom: restored_from, createdAt: created_at.getTime() }
}
