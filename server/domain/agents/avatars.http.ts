// GET /files/avatars/:name — avatars that we host. The name is random and never reused, so knowing it grants access to the picture.
import { Hono } from 'hono'
import type { Services } from '#server/functions/services.ts'
import { keyOf } from './agents.avatars.ts'

/** The routes of hosted avatars. */
export function avatarRoutes(services: Pick<Services, 'files'>): Hono {
  const routes = new Hono()
  routes.get('/files/avatars/:name{[0-9a-v]{32}\\.webp}', async (c) => {
    try {
      const picture = await services.files.get(keyOf(c.req.param('name')))
      return c.body(new Uint8Array(picture), 200, {
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=31536000, immutable',
        'cross-origin-resource-policy': 'cross-origin',
        'content-security-policy': "default-src 'none'; sandbox",
      })
    } catch {
      return c.json({ code: 'not_found' }, 404)
    }
  })
  return routes
}
