// GET /api/v1/spaces — where documents and notes can be put.
import type { Hono } from 'hono'
import { listSpaces } from '#server/domain/knowledge/spaces/spaces.store.ts'
import type { ApiEnv } from './request.ts'

/** Adds the routes. */
export function spacesApi(api: Hono<ApiEnv>): void {
  api.get('/spaces', async (c) => c.json({ items: await c.var.call.read((ctx) => listSpaces(ctx)) }))
}
