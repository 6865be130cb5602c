// GET /api/files/customers/:id — everything that is stored of one customer, as an archive, for members of the organization.
import { ReadableStream } from 'node:stream/web'
import { Hono } from 'hono'
import { admitMember, memberStatus } from '#server/functions/members.ts'
import type { Caller } from '#server/platform/functions/caller.ts'
import { zipped } from '#server/platform/lib/zip.ts'
import { appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { readCustomer } from './customers.read.ts'

/** The download route. `callerOf` returns who sends a request; null when not signed in. */
export function customerRoutes(
  parts: Parameters<typeof readCustomer>[0],
  callerOf: (request: Request) => Promise<Caller | null>,
): Hono {
  const routes = new Hono()
  routes.get('/api/files/customers/:id{[0-9a-v]{32}}', async (c) => {
    try {
      const { organizationId } = admitMember(await callerOf(c.req.raw), 'GET /api/files/customers/:id')
      const files = await readCustomer(parts, { organizationId, customerId: c.req.param('id') as Id<'customers'> })
      const body = ReadableStream.from(zipped(files)) as globalThis.ReadableStream<Uint8Array>
      return c.body(body, 200, {
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename*=UTF-8''customer-${new Date().toISOString().slice(0, 10)}.zip`,
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
