// POST /api/files/pictures/person and /api/files/pictures/organization — takes the raw body of one picture, and makes it the avatar of the
// caller or the logo of their organization. The answer, 201, names the path under which it is served. A refused file changes nothing.
import { type Context, Hono } from 'hono'
import * as avatars from '#server/domain/agents/agents.avatars.ts'
import { setAvatar } from '#server/domain/users/users.store.ts'
import { admitMember } from '#server/functions/members.ts'
import type { Services } from '#server/functions/services.ts'
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/functions/caller.ts'
import { readPicture } from '#server/platform/lib/http/picture-body.ts'
import { UNREAD } from '#server/platform/lib/text/read-text.ts'
import { AppError, appErrorData, type ErrorCode } from '#shared/errors.ts'
import { AVATAR_MAX_BYTES } from '#shared/limits.ts'
import { setLogo } from './organizations.store.ts'
import { hostPictureLater, type PictureOf } from './pictures.job.ts'

type Parts = Pick<Services, 'database' | 'files' | 'jobs'>

const STATUS: Partial<Record<ErrorCode, 401 | 403 | 413 | 507>> = {
  unauthenticated: 401,
  organization_required: 403,
  role_required: 403,
  support_read_only: 403,
  picture_too_large: 413,
  storage_full: 507,
}

/** The upload route. `callerOf` returns who sends a request; null when not signed in. */
export function pictureRoutes(parts: Parts, callerOf: (request: Request) => Promise<Caller | null>): Hono {
  const routes = new Hono()
  const answer = (whoseOf: (caller: Caller | null) => PictureOf) => async (c: Context) => {
    try {
      const whose = whoseOf(await callerOf(c.req.raw))
      const path = await avatars.keep(parts, await readPicture(c.req.raw, AVATAR_MAX_BYTES))
      await take(parts, whose, path)
      return c.json({ path }, 201)
    } catch (error) {
      const data = appErrorData(error)
      if (!data) throw error
      return c.json(data, STATUS[data.code] ?? 400, UNREAD)
    }
  }
  routes.post('/api/files/pictures/person', answer(ownPicture))
  routes.post('/api/files/pictures/organization', answer(logo))
  return routes
}

/** The picture of the caller, who needs no organization. */
function ownPicture(caller: Caller | null): PictureOf {
  if (!caller) throw new AppError('unauthenticated')
  return { of: 'user', id: caller.userId }
}

/** The picture of the caller's organization. */
function logo(caller: Caller | null): PictureOf {
  return { of: 'organization', id: admitMember(caller, 'POST /api/files/pictures/organization').organizationId }
}

/** Writes where the picture is; the file of the one before is removed afterwards. A picture that cannot be taken is not kept. */
async function take(parts: Parts, whose: PictureOf, path: string): Promise<void> {
  const set = async (ctx: StoreContext) => {
    const before =
      whose.of === 'organization' ? await setLogo(ctx, whose.id, path) : await setAvatar(ctx, whose.id, path)
    await hostPictureLater({ ...ctx, jobs: parts.jobs }, whose, before)
  }
  try {
    await parts.database.system('organizations: take a picture', (db) => set({ db }))
  } catch (error) {
    await avatars.remove(parts, path)
    throw error
  }
}
