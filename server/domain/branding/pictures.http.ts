// Logos and icons of brands.
//
//   POST /api/files/brands/installation/:picture   the raw body becomes a picture of the installation; for its administrators
//   POST /api/files/brands/organization/:picture   likewise of the caller's organization
//   GET  /files/brands/:name                       a picture; the name is random and never reused
import { type Context, Hono } from 'hono'
import { admitMember } from '#server/functions/members.ts'
import type { Services } from '#server/functions/services.ts'
import { insertAuditEntry } from '#server/platform/audit/audit.store.ts'
import type { Caller } from '#server/platform/functions/caller.ts'
import { answerKeptPicture } from '#server/platform/lib/http/kept-picture.ts'
import { readPicture } from '#server/platform/lib/http/picture-body.ts'
import { UNREAD } from '#server/platform/lib/text/read-text.ts'
import { AppError, appErrorData, type ErrorCode } from '#shared/errors.ts'
import { BRAND_PICTURE_MAX_BYTES, BRAND_PICTURES, type BrandPicture } from '#shared/organizations/branding.ts'
import type { BrandOwner } from './branding.store.ts'
import { changePicture } from './changing.ts'
import { keepBrandPicture, keyOf, keysOf } from './pictures.ts'

type Parts = Pick<Services, 'database' | 'files' | 'jobs'>
type Doors = {
  /** Who sends a request; null when not signed in. */
  callerOf(request: Request): Promise<Caller | null>
  /** The client's address. */
  addressOf(c: Context): string
}

const STATUS: Partial<Record<ErrorCode, 401 | 403 | 404 | 413 | 507>> = {
  unauthenticated: 401,
  admin_required: 403,
  organization_required: 403,
  role_required: 403,
  support_read_only: 403,
  not_found: 404,
  brand_picture_too_large: 413,
  storage_full: 507,
}

/** The routes of pictures. A refused file changes nothing. */
export function brandPictureRoutes(parts: Parts, { callerOf, addressOf }: Doors): Hono {
  const routes = new Hono()
  const take = (admit: (caller: Caller | null) => Admitted) => async (c: Context) => {
    try {
      const admitted = admit(await callerOf(c.req.raw))
      const picture = pictureOf(c.req.param('picture'))
      const bytes = await readPicture(c.req.raw, BRAND_PICTURE_MAX_BYTES, 'brand_picture_too_large')
      const path = await keepBrandPicture(parts.files, picture, bytes)
      await write(parts, { ...admitted, picture, path, address: addressOf(c) })
      return c.json({ path }, 201)
    } catch (error) {
      const data = appErrorData(error)
      if (!data) throw error
      return c.json(data, STATUS[data.code] ?? 400, UNREAD)
    }
  }
  routes.post('/api/files/brands/installation/:picture', take(admitAdmin))
  routes.post('/api/files/brands/organization/:picture', take(admitForOrganization))
  routes.get('/files/brands/:name{[0-9a-v]{32}\\.png}', (c) =>
    answerKeptPicture(c, 'image/png', () => parts.files.get(keyOf(c.req.param('name')))),
  )
  return routes
}

/** `action`: the function that changes the rest of the same brand. */
type Admitted = { caller: Caller; owner: BrandOwner; action: string }

function admitAdmin(caller: Caller | null): Admitted {
  if (!caller) throw new AppError('unauthenticated')
  if (caller.role !== 'admin') throw new AppError('admin_required')
  return { caller, owner: 'installation', action: 'admin/branding:update' }
}

function admitForOrganization(caller: Caller | null): Admitted {
  const { organizationId } = admitMember(caller, 'POST /api/files/brands/organization/:picture')
  return { caller: caller as Caller, owner: organizationId, action: 'branding:update' }
}

function pictureOf(name: string | undefined): BrandPicture {
  const picture = BRAND_PICTURES.find((each) => each === name)
  if (!picture) throw new AppError('not_found')
  return picture
}

type Taken = Admitted & { picture: BrandPicture; path: string; address: string }

/** Shows the picture from now on. One that cannot be written is not kept. */
async function write(parts: Parts, { caller, owner, action, picture, path, address }: Taken): Promise<void> {
  const now = new Date()
  const { userId, name, email } = caller
  const entry = { actor: { userId, name, email }, action, address, at: now }
  try {
    await parts.database.system('branding: take a picture', async (db) => {
      const change = await changePicture({ db, now, jobs: parts.jobs }, owner, { picture, path })
      const organizationId = owner === 'installation' ? null : owner
      await insertAuditEntry({ db }, { ...entry, ...change, organizationId })
    })
  } catch (error) {
    for (const key of keysOf([path])) await parts.files.remove(key)
    throw error
  }
}
