// POST /api/shared-chats {ticket} — test chats that a member of the team has shared, for anyone with the link. The ticket comes in the
// body, as it stands behind the # of the link: no log and no other site gets to see it.
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { z } from 'zod'
import type { Services } from '#server/functions/services.ts'
import { AppError, appErrorData } from '#shared/errors.ts'
import type { SharedChat } from '#shared/messaging/test-chat.ts'
import { readShare } from './test-chat.links.ts'
import { findSharedAgent, listShared } from './test-chat.store.ts'

const BODY_MAX_BYTES = 8 * 1024
const input = z.strictObject({ ticket: z.string().max(4000) })

/** The route. */
export function sharedChatRoutes(services: Pick<Services, 'database' | 'secrets'>): Hono {
  const routes = new Hono()
  routes.use('/api/shared-chats', bodyLimit({ maxSize: BODY_MAX_BYTES }))
  routes.post('/api/shared-chats', async (c) => {
    try {
      const body = input.safeParse(await c.req.json().catch(() => null))
      if (!body.success) throw new AppError('not_found')
      return c.json(await readShared(services, body.data.ticket), 200, { 'cache-control': 'no-store' })
    } catch (error) {
      const data = appErrorData(error)
      if (!data) throw error
      return c.json(data, 404)
    }
  })
  return routes
}

async function readShared(
  { database, secrets }: Pick<Services, 'database' | 'secrets'>,
  ticket: string,
): Promise<SharedChat> {
  const { organizationId, agentId, chats, at, until } = readShare(secrets, ticket, Date.now())
  return database.organization(
    organizationId,
    async (db) => {
      const store = { db, organizationId }
      const agentName = await findSharedAgent(store, agentId)
      const shown = await listShared(store, chats)
      // Cleared since: there is nothing to show.
      if (agentName === undefined || shown.every(({ messages }) => messages.length === 0))
        throw new AppError('not_found')
      return { agentName, chats: shown, sharedAt: at, expiresAt: until }
    },
    { readOnly: true },
  )
}
