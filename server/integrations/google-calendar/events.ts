// Events and busy times of calendars at Google, through its own library. Every call may be repeated: events have ids of our own.
import type { calendar_v3 } from '@googleapis/calendar'
import { startOfDay } from '#server/platform/lib/zoned-time.ts'
import type { BookedEvent } from '#shared/integrations/bookings.ts'
import { CalendarFailure, failureOf } from './failures.ts'

/** From a moment until before another, milliseconds since the epoch. */
export type EventSpan = { from: number; to: number }
type Place = { calendarId: string; id: string }
/** What has become of an event. `span`: null where it lasts whole days. */
export type EventState = { isCancelled: boolean; span: EventSpan | null }
/** `isWhole`: these are all that end after the asked moment, and not only those that have changed. */
type EventChanges = { events: Map<string, EventState>; syncToken: string | null; isWhole: boolean }

export interface CalendarEvents {
  /** When any of these calendars is busy. @throws CalendarFailure; `gone` when one of them is not there any more */
  busy(calendarIds: string[], within: EventSpan): Promise<EventSpan[]>
  /** When a calendar of the account is busy with other events than one. @throws CalendarFailure */
  busyBut(place: Place, within: EventSpan): Promise<EventSpan[]>
  /** What has changed in a calendar of the account since a token was given; all events after `from` without one, or when it has expired. @throws CalendarFailure */
  changes(calendarId: string, since: { syncToken: string | null; from: number }): Promise<EventChanges>
  /** An event as it is now; one that is gone counts as cancelled. @throws CalendarFailure */
  find(place: Place): Promise<EventState>
  /** Makes an event. @returns whether it stands: one that was made before and removed since does not @throws CalendarFailure */
  insert(place: Place, event: BookedEvent & EventSpan): Promise<boolean>
  /** Moves an event. @returns whether it stands: one that was removed does not @throws CalendarFailure */
  move(place: Place, to: EventSpan): Promise<boolean>
  /** Removes an event; one that is gone is none to remove. @throws CalendarFailure */
  remove(place: Place): Promise<void>
}

/** No call is repeated by the library: what has become of one is found out by the one who asked. */
const ONCE = { retry: false } as const

const DAY_MS = 86_400_000
/** Events of one page; Google gives no more at once. */
const PAGE = 2500
/** A calendar is read no longer than this. */
const READ_MAX_MS = 60_000
/** Neither titles nor people are asked for. */
const FIELDS = 'nextPageToken,nextSyncToken,timeZone,items(id,status,start,end)'
const BUSY_FIELDS = 'nextPageToken,timeZone,items(id,status,start,end,transparency,attendees(self,responseStatus))'

/** Over a client that has the access of one account. */
export function calendarEvents(api: calendar_v3.Calendar): CalendarEvents {
  return {
    async busy(calendarIds, { from, to }) {
      const items = calendarIds.map((id) => ({ id }))
      const requestBody = { timeMin: isoOf(from), timeMax: isoOf(to), items }
      const { data } = await api.freebusy.query({ requestBody }, ONCE).catch(translate)
      return Object.values(data.calendars ?? {}).flatMap(({ busy = [], errors }) => {
        if (errors?.length) throw new CalendarFailure('gone', errors[0]?.reason ?? 'unknown')
        return busy.map(({ start, end }) => ({ from: Date.parse(start ?? ''), to: Date.parse(end ?? '') }))
      })
    },
    async busyBut({ calendarId, id }, { from, to }) {
      const asked = { timeMin: isoOf(from), timeMax: isoOf(to), singleEvents: true, fields: BUSY_FIELDS }
      const { items, timeZone } = await readPages(api, { calendarId, ...asked })
      return items.filter((event) => event.id !== id && isBusy(event)).flatMap((event) => spanOf(event, timeZone) ?? [])
    },
    async changes(calendarId, { syncToken, from }) {
      const whole = () => readPages(api, { calendarId, timeMin: isoOf(from), showDeleted: true, fields: FIELDS })
      if (syncToken === null) return toChanges(await whole(), true)
      try {
        return toChanges(await readPages(api, { calendarId, syncToken, fields: FIELDS }), false)
      } catch (error) {
        // 410, and now and then 400: the token is not understood any more. A calendar that is gone is refused once more.
        const isExpired = error instanceof CalendarFailure && (error.kind === 'gone' || error.kind === 'refused')
        if (!isExpired) throw error
        return toChanges(await whole(), true)
      }
    },
    async find({ calendarId, id }) {
      try {
        return toState((await api.events.get({ calendarId, eventId: id }, ONCE)).data)
      } catch (error) {
        const failure = failureOf(error)
        if (failure.kind === 'gone') return { isCancelled: true, span: null }
        throw failure
      }
    },
    async insert({ calendarId, id }, event) {
      try {
        await api.events.insert({ calendarId, requestBody: { id, ...toBody(event) } }, ONCE)
        return true
      } catch (error) {
        const failure = failureOf(error)
        if (failure.kind !== 'exists') throw failure
        const { data } = await api.events.get({ calendarId, eventId: id }, ONCE).catch(translate)
        return data.status !== 'cancelled'
      }
    },
    async move({ calendarId, id }, span) {
      try {
        const { data } = await api.events.patch({ calendarId, eventId: id, requestBody: toTimes(span) }, ONCE)
        return data.status !== 'cancelled'
      } catch (error) {
        const failure = failureOf(error)
        if (failure.kind === 'gone') return false
        throw failure
      }
    },
    async remove({ calendarId, id }) {
      await api.events.delete({ calendarId, eventId: id }, ONCE).catch((error: unknown) => {
        const failure = failureOf(error)
        if (failure.kind !== 'gone') throw failure
      })
    },
  }
}

type Event = calendar_v3.Schema$Event
type Pages = { items: Event[]; syncToken: string | null; timeZone: string }

async function readPages(api: calendar_v3.Calendar, asked: calendar_v3.Params$Resource$Events$List): Promise<Pages> {
  const items: Event[] = []
  const until = Date.now() + READ_MAX_MS
  let pageToken: string | undefined
  do {
    const page = { ...asked, maxResults: PAGE, ...(pageToken && { pageToken }) }
    const { data } = await api.events.list(page, ONCE).catch(translate)
    items.push(...(data.items ?? []))
    pageToken = data.nextPageToken ?? undefined
    if (!pageToken) return { items, syncToken: data.nextSyncToken ?? null, timeZone: data.timeZone ?? 'UTC' }
  } while (Date.now() < until)
  throw new CalendarFailure('unreachable', 'the calendar has more events than could be read in time')
}

function toChanges({ items, syncToken }: Pages, isWhole: boolean): EventChanges {
  return {
    events: new Map(items.flatMap((event) => (event.id ? [[event.id, toState(event)]] : []))),
    syncToken,
    isWhole,
  }
}

function toState(event: Event): EventState {
  return { isCancelled: event.status === 'cancelled', span: spanOf(event) }
}

/** As Google decides whether a person is busy: not with what is shown as free, and not with what they have declined. */
function isBusy({ status, transparency, attendees = [] }: Event): boolean {
  const hasDeclined = attendees.some(({ self, responseStatus }) => self && responseStatus === 'declined')
  return status !== 'cancelled' && transparency !== 'transparent' && !hasDeclined
}

/** Of an event that lasts whole days only with the zone of its calendar. */
function spanOf({ start, end }: Event, timeZone?: string): EventSpan | null {
  if (start?.dateTime && end?.dateTime) return { from: Date.parse(start.dateTime), to: Date.parse(end.dateTime) }
  if (!start?.date || !end?.date || timeZone === undefined) return null
  return { from: startOf(start.date, timeZone), to: startOf(end.date, timeZone) }
}

function startOf(date: string, timeZone: string): number {
  return startOfDay(Date.parse(`${date}T00:00:00Z`) / DAY_MS, timeZone)
}

function toBody({ title, description, reminders, ...span }: BookedEvent & EventSpan): calendar_v3.Schema$Event {
  const overrides = reminders.map(({ way, minutes }) => ({ method: way, minutes }))
  return { summary: title, description, ...toTimes(span), reminders: { useDefault: false, overrides } }
}

function toTimes({ from, to }: EventSpan): calendar_v3.Schema$Event {
  return { start: { dateTime: isoOf(from) }, end: { dateTime: isoOf(to) } }
}

function isoOf(at: number): string {
  return new Date(at).toISOString()
}

/** @throws always, a CalendarFailure */
function translate(error: unknown): never {
  throw failureOf(error)
}
