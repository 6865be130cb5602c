// The paths of Google's Calendar v3 that a booking needs: the list of calendars, busy times, and events with ids of the caller's own.
import { z } from 'zod'
import { listEvents } from './event-list.ts'
import type { GoogleState } from './google-calendar.ts'

export type FakeCalendar = { id: string; summary: string; primary?: boolean; accessRole: 'owner' | 'writer' | 'reader' }
export type FakeEvent = { id: string; calendarId: string; status: 'confirmed' | 'cancelled'; body: EventBody }

const SCOPE = 'https://www.googleapis.com/auth/calendar'
const moment = z.object({ dateTime: z.iso.datetime({ offset: true }), timeZone: z.string().optional() })
const eventBody = z.looseObject({
  /** Google's own alphabet: base32hex in lower case. */
  id: z
    .string()
    .regex(/^[a-v0-9]{5,1024}$/)
    .optional(),
  summary: z.string().optional(),
  description: z.string().optional(),
  start: moment,
  end: moment,
})
type EventBody = z.output<typeof eventBody>
const busyQuery = z.object({
  timeMin: z.iso.datetime({ offset: true }),
  timeMax: z.iso.datetime({ offset: true }),
  items: z.array(z.object({ id: z.string() })).max(50),
})

/** The refusal of a call without a token that counts, or of every call while the fake is set to refuse. */
export function refusalOf(state: GoogleState, request: Request): Response | undefined {
  const token = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  if (!state.tokens.has(token)) return refuse(401, 'authError', 'Invalid Credentials')
  if (state.refusal === 'backendError') return refuse(503, 'backendError', 'Backend Error')
  return state.refusal === null ? undefined : refuse(403, state.refusal, `Refused: ${state.refusal}`)
}

/** A call with a token that counts. */
export async function answerCalendar(state: GoogleState, request: Request, url: URL): Promise<Response> {
  const token = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  const has = (scope: string) => state.tokens.get(token)?.scopes.includes(`${SCOPE}.${scope}`)
  const path = url.pathname.slice('/calendar/v3'.length)
  if (path === '/users/me/calendarList') {
    return has('calendarlist.readonly') ? Response.json({ items: state.calendars.map(toEntry) }) : lacksScope()
  }
  if (path === '/freeBusy' && request.method === 'POST') {
    return has('events.freebusy') ? answerBusy(state, await request.json()) : lacksScope()
  }
  const [, calendarId, id] = /^\/calendars\/([^/]+)\/events(?:\/([^/]+))?$/.exec(path) ?? []
  if (calendarId === undefined) return refuse(404, 'notFound', 'Not Found')
  if (!has('events.owned')) return lacksScope()
  return answerEvents(state, request, { calendarId: decodeURIComponent(calendarId), id })
}

function toEntry(calendar: FakeCalendar) {
  return { kind: 'calendar#calendarListEntry', timeZone: 'Asia/Almaty', ...calendar }
}

function answerBusy(state: GoogleState, body: unknown): Response {
  const parsed = busyQuery.safeParse(body)
  if (!parsed.success) return refuse(400, 'invalid', z.prettifyError(parsed.error))
  const { timeMin, timeMax, items } = parsed.data
  const [from, to] = [Date.parse(timeMin), Date.parse(timeMax)]
  const busyOf = (id: string) => {
    if (!state.calendars.some((calendar) => calendar.id === id)) {
      return { errors: [{ domain: 'global', reason: 'notFound' }], busy: [] }
    }
    const events = [...state.events.values()].filter((event) => event.calendarId === id && event.status !== 'cancelled')
    const times = events.map(({ body: { start, end } }) => ({ start: start.dateTime, end: end.dateTime }))
    return { busy: times.filter(({ start, end }) => Date.parse(start) < to && Date.parse(end) > from) }
  }
  const calendars = Object.fromEntries(items.map(({ id }) => [id, busyOf(id)]))
  return Response.json({ kind: 'calendar#freeBusy', timeMin, timeMax, calendars })
}

async function answerEvents(
  state: GoogleState,
  request: Request,
  { calendarId, id }: { calendarId: string; id: string | undefined },
): Promise<Response> {
  const calendar = state.calendars.find((each) => each.id === calendarId)
  if (!calendar) return refuse(404, 'notFound', 'Not Found')
  if (calendar.accessRole !== 'owner') return refuse(403, 'requiredAccessLevel', 'You need to own this calendar.')
  const body: unknown = request.method === 'POST' || request.method === 'PATCH' ? await request.json() : undefined
  if (id === undefined) {
    return request.method === 'POST'
      ? insert(state, calendarId, body)
      : listEvents(state, calendarId, new URL(request.url))
  }
  const event = state.events.get(id)
  if (!event || event.calendarId !== calendarId) return refuse(404, 'notFound', 'Not Found')
  if (request.method === 'GET') return Response.json(toEvent(event))
  if (event.status === 'cancelled') return refuse(410, 'deleted', 'Resource has been deleted')
  if (request.method === 'DELETE') {
    event.status = 'cancelled'
    return new Response(null, { status: 204 })
  }
  const parsed = eventBody.partial().safeParse(body)
  if (request.method !== 'PATCH' || !parsed.success) return refuse(400, 'invalid', 'Bad Request')
  Object.assign(event.body, parsed.data)
  return Response.json(toEvent(event))
}

/** An id that was ever used, also by an event that is cancelled now, is a conflict. */
function insert(state: GoogleState, calendarId: string, body: unknown): Response {
  const parsed = eventBody.safeParse(body)
  if (!parsed.success) return refuse(400, 'invalid', z.prettifyError(parsed.error))
  const id = parsed.data.id ?? `e${state.events.size}`.padStart(5, '0')
  if (state.events.has(id)) return refuse(409, 'duplicate', 'The requested identifier already exists.')
  const event: FakeEvent = { id, calendarId, status: 'confirmed', body: parsed.data }
  state.events.set(id, event)
  return Response.json(toEvent(event))
}

function toEvent({ id, status, body }: FakeEvent) {
  return { kind: 'calendar#event', ...body, id, status }
}

function lacksScope(): Response {
  return refuse(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.')
}

function refuse(code: number, reason: string, message: string): Response {
  const error = { code, message, errors: [{ domain: 'global', reason, message }] }
  return Response.json({ error }, { status: code })
}
