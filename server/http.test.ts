// How the server logs a failed request.
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import type { Auth } from '#server/platform/auth/auth.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import { brandOf, EMPTY_BRAND } from '#shared/organizations/branding.ts'
import { createHttp } from './http.ts'

it.each([
  ['/webhooks/telegram/a-path-that-is-a-secret', '/webhooks/telegram/…'],
  ['/api/files/sent/a-ticket-that-is-a-secret', '/api/files/sent/…'],
  ['/api/health/of-nothing', '/api/health/of-nothing'],
])('logs %s as %s', async (path, logged) => {
  const entries: unknown[] = []
  const failing = new Hono().get(path, () => {
    throw new Error('broken')
  })
  const http = createHttp({
    config: {
      ...{ publicUrl: 'https://parley.test', allowedOrigins: [], trustProxy: false },
      ...{ contactEmail: undefined, googleSignIn: undefined, mail: { smtpUrl: undefined, from: '' } },
      signUp: { rule: 'open', domains: [] },
    },
    auth: {} as Auth,
    web: { answer: () => undefined, text: () => undefined },
    brand: () => brandOf(EMPTY_BRAND),
    isStopping: () => false,
    isReady: async () => true,
    isDatabaseWritable: async () => true,
    passingFailure: () => null,
    routes: [failing],
    log: { error: (fields: unknown) => entries.push(fields) } as unknown as Logger,
  })
  const answer = await http.request(path, undefined, { incoming: { socket: {} } })
  expect([answer.status, await answer.json()]).toEqual([500, { code: 'server_error' }])
  expect(entries).toMatchObject([{ path: logged }])
})
