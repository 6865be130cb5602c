// GET /api/files/sent/:ticket/:name — a file on its way to a customer, for the provider that was given its address. Its bytes decide the
// content type.
import { fileTypeFromBuffer } from 'file-type'
import { Hono } from 'hono'
import type { Services } from '#server/functions/services.ts'
import { readSentFile, SENT_FILES_PATH } from './sent-files.links.ts'

/** Content types that providers fetch; none that a browser would run. */
const KINDS = /^(?:image\/(?:png|jpeg|gif|webp)|(?:audio|video)\/[\w.+-]+|application\/pdf)$/

/** The route. */
export function sentFileRoutes({ secrets, files }: Pick<Services, 'secrets' | 'files'>): Hono {
  const routes = new Hono()
  routes.get(`${SENT_FILES_PATH}/:ticket/:name`, async (c) => {
    const key = readSentFile(secrets, c.req.param('ticket'), Date.now())
    const bytes = key === null ? null : await files.get(key).catch(() => null)
    if (!bytes) return c.json({ code: 'not_found' }, 404)
    const found = (await fileTypeFromBuffer(bytes))?.mime.split(';')[0] ?? ''
    return c.body(new Uint8Array(bytes), 200, {
      'content-type': KINDS.test(found) ? found : 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(c.req.param('name'))}`,
      'cache-control': 'private, no-store',
    })
  })
  return routes
}
