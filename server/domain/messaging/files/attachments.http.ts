// GET /api/files/attachments/:id — the file of an attachment, for members of its organization. Its content type is decided by its bytes,
// never by the name that a customer or a channel has given it.
import { fileTypeFromBuffer } from 'file-type'
import { Hono } from 'hono'
import { admitMember, memberStatus } from '#server/functions/members.ts'
import type { Services } from '#server/functions/services.ts'
import { MediaFailure } from '#server/integrations/media/failures.ts'
import type { Caller } from '#server/platform/functions/caller.ts'
import { appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { loadFile } from './attachments.files.ts'

type Parts = Parameters<typeof loadFile>[0]

/** Formats that browsers show without running anything; everything else is a download. */
const SHOWN = /^(image\/(png|jpeg|webp|gif)|audio\/(ogg|mpeg|mp4|x-m4a|wav|flac|aac)|video\/(mp4|webm))$/
/** Timeout of the one request to the channel. */
const LOAD_MS = 30_000

/** The download route. `callerOf` returns who sends a request; null when not signed in. */
export function attachmentRoutes(
  services: Parts & Pick<Services, 'database'>,
  callerOf: (request: Request) => Promise<Caller | null>,
): Hono {
  const routes = new Hono()
  routes.get('/api/files/attachments/:id{[0-9a-v]{32}}', async (c) => {
    try {
      const { organizationId } = admitMember(await callerOf(c.req.raw), 'GET /api/files/attachments/:id')
      const id = c.req.param('id') as Id<'attachments'>
      const file = await loadFile(services, organizationId, id, AbortSignal.timeout(LOAD_MS))
      return c.body(new Uint8Array(file.bytes), 200, await headersOf(file.bytes, file.name))
    } catch (error) {
      if (error instanceof MediaFailure) return c.json({ code: 'file_not_loadable' }, 502)
      const data = appErrorData(error)
      if (!data) throw error
      return c.json(data, memberStatus(data.code) ?? 404)
    }
  })
  return routes
}

/** The content type of a file, by its bytes: what a browser could run is only ever a download. */
export async function headersOf(bytes: Uint8Array, name: string | null): Promise<Record<string, string>> {
  const found = (await fileTypeFromBuffer(bytes))?.mime.split(';')[0]?.replace('application/ogg', 'audio/ogg')
  const isShown = found !== undefined && SHOWN.test(found)
  return {
    'content-type': isShown ? found : 'application/octet-stream',
    'content-disposition': `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(name ?? 'file')}`,
    'cache-control': 'private, max-age=3600',
  }
}
