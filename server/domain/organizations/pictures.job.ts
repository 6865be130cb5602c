// Fetches the logo of an organization or the avatar of a person from the web and keeps it here: pages show no pictures of other sites.

import * as avatars from '#server/domain/agents/agents.avatars.ts'
import * as users from '#server/domain/users/users.store.ts'
import type { Services } from '#server/functions/services.ts'
import type { Db, StoreContext } from '#server/platform/db/database.ts'
import { defineJob, type JobSender } from '#server/platform/jobs/jobs.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { getLogo, replaceLogo } from './organizations.store.ts'

/** Whose picture it is. */
export type PictureOf = { of: 'organization'; id: Id<'organizations'> } | { of: 'user'; id: Id<'users'> }
type Data = { whose: PictureOf; before: string | null }

/** Safe to repeat. A picture that cannot be loaded stays the address that it was given by. */
export const hostPictureJob = defineJob<Data, Pick<Services, 'database' | 'files' | 'outbound'>>({
  name: 'organizations.host-picture',
  limitSeconds: 60,
  concurrency: 1,
  isLocal: true,
  async run(services, { whose, before }) {
    const system = <T>(run: (ctx: StoreContext) => Promise<T>) =>
      services.database.system('organizations: keep a picture', (db) => run({ db }))
    const url = await system((ctx) => findPicture(ctx, whose))
    if (before !== url) await avatars.remove(services, before)
    if (url === null || avatars.storedKeyOf(url)) return
    const path = await avatars.rehost(services, url).catch(unlessRefused)
    if (path === null || (await system((ctx) => replacePicture(ctx, whose, { from: url, to: path })))) return
    await avatars.remove(services, path) // another one was chosen meanwhile
  },
})

/** Has the picture that was just written fetched, and the file of the one before removed. */
export async function hostPictureLater(
  ctx: { db: Db; jobs: JobSender<Db> },
  whose: PictureOf,
  before: string | null,
): Promise<void> {
  await ctx.jobs.send(ctx.db, hostPictureJob, { whose, before })
}

/** The stored address of the picture; null: none. */
function findPicture(ctx: StoreContext, whose: PictureOf): Promise<string | null> {
  return whose.of === 'organization' ? getLogo(ctx, whose.id) : users.getAvatar(ctx, whose.id)
}

/** Writes where a picture is served from now on. @returns whether it was still the one that is replaced */
function replacePicture(ctx: StoreContext, whose: PictureOf, change: { from: string; to: string }): Promise<boolean> {
  return whose.of === 'organization' ? replaceLogo(ctx, whose.id, change) : users.replaceAvatar(ctx, whose.id, change)
}

function unlessRefused(error: unknown): null {
  if (error instanceof AppError && error.code === 'avatar_not_loadable') return null
  throw error
}
