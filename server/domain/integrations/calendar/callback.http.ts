// GET /api/integrations/google/callback — where Google sends a person back to after the consent. It asks for the session that began the
// consent, and leads on to the page of the calendar, which says how it ended.
import { type Context, Hono } from 'hono'
import { findAgent } from '#server/domain/agents/agents.store.ts'
import type { Caller } from '#server/platform/functions/caller.ts'
import type { Bindings } from '#server/platform/lib/http/http-listener.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import { CALENDAR_CALLBACK, type ConsentResult } from '#shared/integrations/calendar.ts'
import { may } from '#shared/organizations/policy.ts'
import { takeAuthorization } from './authorizations.store.ts'
import { type ConsentParts, finishConsent } from './consent.ts'

type Env = { Bindings: Bindings }
type Doors = {
  /** Who sends a request; null when not signed in. */
  callerOf: (request: Request) => Promise<Caller | null>
  addressOf: (c: Context<Env>) => string
  log: Logger
}
type Ended = { result: ConsentResult; slug?: string }

/** The longest `state` and code that are looked at; Google's codes have about seventy characters. */
const PARAMETER_MAX = 2048

/** The route. */
export function calendarRoutes(parts: ConsentParts, doors: Doors): Hono {
  const routes = new Hono<Env>()
  routes.get(CALENDAR_CALLBACK, async (c) => {
    const { result, slug } = await receive(parts, doors, c)
    const query = new URLSearchParams({ ...(slug !== undefined && { agentSlug: slug }), result })
    c.header('cache-control', 'no-store')
    c.header('referrer-policy', 'no-referrer') // the address holds the code
    return c.redirect(`${parts.publicUrl}/integrations/google_calendar/setup?${query}`, 303)
  })
  return routes as unknown as Hono
}

/** A `state` counts once, within minutes, and from the session that began with it alone. */
async function receive(parts: ConsentParts, doors: Doors, c: Context<Env>): Promise<Ended> {
  const { state = '', code = '', error } = c.req.query()
  const caller = await doors.callerOf(c.req.raw)
  if (!caller || state === '' || state.length > PARAMETER_MAX || code.length > PARAMETER_MAX)
    return { result: 'expired' }
  const { sessionId } = caller
  const asked = await parts.database.system('calendar: consent', (db) =>
    takeAuthorization({ db }, { state, sessionId }, new Date()),
  )
  if (!asked) return { result: 'expired' }
  const { organizationId, agentId } = asked
  const by = await doors.callerOf(within(c.req.raw, organizationId))
  const agent = await parts.database.organization(organizationId, (db) => findAgent({ db, organizationId }, agentId), {
    readOnly: true,
  })
  if (!agent || by?.organizationId !== organizationId || !mayConnect(by)) return { result: 'expired' }
  if (error !== undefined || code === '')
    return { result: error === 'access_denied' ? 'denied' : 'refused', slug: agent.slug }
  const address = doors.addressOf(c)
  const result = await finishConsent(parts, { asked, code, state, agent, by, address }).catch((err: unknown) => {
    doors.log.error({ err, agentId }, 'a consent to a calendar was not kept')
    return 'refused' as const
  })
  return { result, slug: agent.slug }
}

/** The request as one of a member of this organization: a person may work in several. */
function within(request: Request, organizationId: string): Request {
  const url = new URL(request.url)
  url.search = new URLSearchParams({ organization: organizationId }).toString()
  return new Request(url, { headers: request.headers })
}

/** The rights may have changed while the person was at Google. */
function mayConnect({ organizationRole: role, support }: Caller): boolean {
  return role !== null && may(role, 'channels.write') && (support === null || support.mayWrite)
}
