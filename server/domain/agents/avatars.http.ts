// GET /files/avatars/:name — avatars that we host. The name is random and never reused, so knowing it grants access to the picture.
import { Hono } from 'hono'
import type { Services } from '#server/functions/services.ts'
import { answerKeptPicture } from '#server/platform/lib/http/kept-picture.ts'
import { keyOf } from './agents.avatars.ts'

/** The routes of hosted avatars. */
export function avatarRoutes(services: Pick<Services, 'files'>): Hono {
  const routes = new Hono()
  routes.get('/files/avatars/:name{[0-9a-v]{32}\\.webp}', (c) =>
    answerKeptPicture(c, 'image/webp', () => services.files.get(keyOf(c.req.param('name')))),
  )
  return routes
}
