// Listing events of a calendar: within a time, and what has changed since a token was given, page by page.
import { z } from 'zod'
import type { FakeEvent } from './calendar-methods.ts'
import type { GoogleState } from './google-calendar.ts'

/** How the events of a calendar were when a token was given, id → text. */
export type Snapshot = { calendarId: string; events: Map<string, string> }
/** A list that is being read. */
export type Reading = { items: object[]; snapshot: Snapshot }

const moment = z.iso.datetime({ offset: true })
const flag = z.enum(['true', 'false'])
/** A token goes with nothing that would make another list. */
const asked = z.union([
  z.strictObject({
    ...{ timeMin: moment.optional(), timeMax: moment.optional(), singleEvents: flag.optional() },
    ...{ showDeleted: flag.optional(), maxResults: z.coerce.number().max(2500), fields: z.string().optional() },
    pageToken: z.string().optional(),
  }),
  z.strictObject({
    ...{ syncToken: z.string(), maxResults: z.coerce.number().max(2500), fields: z.string().optional() },
    pageToken: z.string().optional(),
  }),
])

/** `GET /calendars/{id}/events`. */
export async function listEvents(state: GoogleState, calendarId: string, url: URL): Promise<Response> {
  const answer = readEvents(state, calendarId, url)
  const { pause } = state
  state.pause = null
  pause?.reach()
  await pause?.released
  return answer
}

function readEvents(state: GoogleState, calendarId: string, url: URL): Response {
  const parsed = asked.safeParse(Object.fromEntries(url.searchParams))
  if (!parsed.success) return refuse(400, 'invalid', z.prettifyError(parsed.error))
  const given = parsed.data
  if (given.pageToken !== undefined) return answerPage(state, given.pageToken)
  const own = [...state.events.values()].filter((event) => event.calendarId === calendarId)
  const snapshot: Snapshot = { calendarId, events: new Map(own.map((event) => [event.id, JSON.stringify(event)])) }
  if ('syncToken' in given) {
    const before = state.syncs.get(given.syncToken)
    if (before?.calendarId !== calendarId) return refuse(410, 'fullSyncRequired', 'Sync token is no longer valid.')
    const changed = own.filter(({ id }) => before.events.get(id) !== snapshot.events.get(id))
    return answerFirst(state, { items: changed.map(toItem), snapshot })
  }
  const [from, to] = [Date.parse(given.timeMin ?? ''), Date.parse(given.timeMax ?? '')]
  const within = own.filter(({ status, body: { start, end } }) => {
    const isShown = status !== 'cancelled' || given.showDeleted === 'true'
    return isShown && !(Date.parse(end.dateTime) <= from) && !(Date.parse(start.dateTime) >= to)
  })
  return answerFirst(state, { items: within.map(toItem), snapshot })
}

function answerFirst(state: GoogleState, reading: Reading): Response {
  const id = `list${state.readings.size}`
  state.readings.set(id, reading)
  return answerPage(state, `${id}/0`)
}

/** Only the last page has a token for what changes from now on. */
function answerPage(state: GoogleState, pageToken: string): Response {
  const [id = '', at = '0'] = pageToken.split('/')
  const reading = state.readings.get(id)
  if (!reading) return refuse(400, 'invalid', 'Invalid page token.')
  const next = Number(at) + state.pageSize
  const page = { kind: 'calendar#events', timeZone: 'Asia/Almaty', items: reading.items.slice(Number(at), next) }
  if (next < reading.items.length) return Response.json({ ...page, nextPageToken: `${id}/${next}` })
  const token = `sync${state.syncs.size}-${id}`
  state.syncs.set(token, reading.snapshot)
  return Response.json({ ...page, nextSyncToken: token })
}

/** Of an event that is cancelled little is left. */
function toItem({ id, status, body }: FakeEvent): object {
  return status === 'cancelled'
    ? { kind: 'calendar#event', id, status }
    : { kind: 'calendar#event', ...body, id, status }
}

function refuse(code: number, reason: string, message: string): Response {
  const error = { code, message, errors: [{ domain: 'global', reason, message }] }
  return Response.json({ error }, { status: code })
}
