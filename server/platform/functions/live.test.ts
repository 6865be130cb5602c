// With whom the results of live queries are shared, and whose organization they may name.
import { pino } from 'pino'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { orgQuery, userQuery } from '#server/functions/define.ts'
import { createHandlers } from '#server/functions/handlers.ts'
import type { Services } from '#server/functions/services.ts'
import type { Snapshot } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { FairScheduler } from '#server/platform/lib/scheduling/fair-scheduler.ts'
import type { Caller } from './caller.ts'
import { type LiveParts, viewerFor } from './live.ts'
import { createRegistry } from './registry.ts'

const args = z.strictObject({ organizationId: z.optional(z.string()) })
const handler = async () => null
const shop = {
  list: orgQuery({ args, handler }),
  mine: userQuery({ args, handler }),
  close: orgQuery({ args, handler }),
}
const registry = createRegistry({ shop }, (name) => ({
  allows: (role) => name !== 'shop:close' || role === 'owner',
  concerns: 'organization',
}))
const parts: LiveParts = {
  handlers: createHandlers({} as Services),
  searches: {} as FairScheduler,
  registry,
  logger: pino({ level: 'silent' }),
}
const snapshot = {
  read: async (_scope: unknown, run: (db: unknown) => unknown) => ({ value: await run({}), dependencies: [] }),
} as unknown as Snapshot

function member(of = newId('organizations'), organizationRole: Caller['organizationRole'] = 'admin'): Caller {
  const [userId, sessionId] = [newId('users'), newId('sessions')]
  const person = { userId, sessionId, email: 'a@example.com', name: 'A', role: 'user' } as const
  return { ...person, organizationId: of, organizationRole, lacksTwoStep: false, suspended: null, support: null }
}
const query = (caller: Caller | null, path = 'shop:list', given = {}) => viewerFor(parts, caller).query(path, given)
const answer = async (...of: Parameters<typeof query>) => (await query(...of).run(snapshot, null)).outcome

it('shares a result of an organization with its members only', () => {
  const anna = member()
  const boris = member(anna.organizationId ?? undefined)
  expect(query(boris).key).toBe(query(anna).key)
  expect(query(boris).group).toBe(query(anna).group)
  expect(query(member()).key).not.toBe(query(anna).key)
  expect(query(member()).group).not.toBe(query(anna).group)
})

it('does not share a result of one person', () => {
  const anna = member()
  expect(query(member(anna.organizationId ?? undefined), 'shop:mine').key).not.toBe(query(anna, 'shop:mine').key)
})

it('answers what names another organization as if there were none, and a stranger not at all', async () => {
  const anna = member()
  const refusal = (code: string) => ({ ok: false, data: { code } })
  for (const path of ['shop:list', 'shop:mine']) {
    const of = (organizationId: string | null) => answer(anna, path, { organizationId })
    expect(await of(anna.organizationId)).toEqual({ ok: true, value: null })
    expect(await of(newId('organizations'))).toMatchObject(refusal('not_found'))
    expect(await answer(null, path)).toMatchObject(refusal('unauthenticated'))
  }
})

it('shares no result with a member whose role may not ask for it', async () => {
  const owner = member(newId('organizations'), 'owner')
  const analyst = member(owner.organizationId ?? undefined, 'analyst')
  expect(await answer(owner, 'shop:close')).toEqual({ ok: true, value: null })
  expect(await answer(analyst, 'shop:close')).toMatchObject({ ok: false, data: { code: 'role_required' } })
  expect(query(analyst, 'shop:close').key).not.toBe(query(owner, 'shop:close').key)
  expect(query(analyst, 'shop:list').key).toBe(query(owner, 'shop:list').key)
})
