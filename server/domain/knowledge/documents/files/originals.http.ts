// GET /api/files/sources/:id — the file that a document or a table was made from, for members of its organization. Always downloaded, never
// displayed: its content might run in a browser.
import { Hono } from 'hono'
import { admitMember, memberStatus } from '#server/functions/members.ts'
import type { Services } from '#server/functions/services.ts'
import type { Caller } from '#server/platform/functions/caller.ts'
import { appErrorData } from '#shared/errors.ts'
import { findOriginal } from '../../spaces/sources.store.ts'

/** The download route. `callerOf` identifies the sender of a request; null when anonymous. */
export function originalRoutes(
  { database, files }: Pick<Services, 'database' | 'files'>,
  callerOf: (request: Request) => Promise<Caller | null>,
): Hono {
  const routes = new Hono()
  routes.get('/api/files/sources/:id{[0-9a-v]{32}}', async (c) => {
    try {
      const { organizationId } = admitMember(await callerOf(c.req.raw), 'GET /api/files/sources/:id')
      const find = () =>
        database.organization(organizationId, (db) => findOriginal({ db, organizationId }, c.req.param('id')), {
          readOnly: true,
        })
      const { fileKey, name } = await find()
      const content = await files.get(fileKey).catch(nullIfMissing)
      if (!content) return c.json({ code: 'file_not_loadable' }, 502)
      return c.body(new Uint8Array(content), 200, {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
        'cache-control': 'private, no-store',
      })
    } catch (error) {
      const data = appErrorData(error)
      if (!data) throw error
      return c.json(data, memberStatus(data.code) ?? 404)
    }
  })
  return routes
}

/** Another machine has the file, or it is gone: null. @throws any other error, to be logged by the server */
function nullIfMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}
