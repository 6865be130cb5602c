// SQL of the pictures of organizations and people.
import type { StoreContext } from '#server/db/database.ts'
import type { PictureOf } from './pictures.job.ts'

/** The picture as it is written; null: none. */
export async function findPicture(ctx: StoreContext, whose: PictureOf): Promise<string | null> {
  if (whose.of === 'organization') {
    const row = await ctx.db
      .selectFrom('organizations')
      .where('id', '=', whose.id)
      .select('logo_url')
      .executeTakeFirst()
    return row?.logo_url ?? null
  }
  const row = await ctx.db.selectFrom('users').where('id', '=', whose.id).select('image').executeTakeFirst()
  return row?.image || null
}

/** Writes where a picture is served from now on. @returns whether it was still the one that is replaced */
export async function replacePicture(
  ctx: StoreContext,
  whose: PictureOf,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const changed =
    whose.of === 'organization'
      ? ctx.db
          .updateTable('organizations')
          .set({ logo_url: to })
          .where('id', '=', whose.id)
          .where('logo_url', '=', from)
      : ctx.db.updateTable('users').set({ image: to }).where('id', '=', whose.id).where('image', '=', from)
  const { numUpdatedRows } = await changed.executeTakeFirst()
  return numUpdatedRows > 0n
}
