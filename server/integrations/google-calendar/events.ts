// Events and busy times of calendars at Google, through its own library. Every call may be repeated: events have ids of our own.
import type { calendar_v3 } from '@googleapis/calendar'
import type { BookedEvent } from '#shared/integrations/bookings.ts'
import { CalendarFailure, failureOf } from './failures.ts'

/** From a moment until before another, milliseconds since the epoch. */
export type EventSpan = { from: number; to: number }
type Place = { calendarId: string; id: string }

export interface CalendarEvents {
  /** When any of these calendars is busy. @throws CalendarFailure; `gone` when one of them is not there any more */
  busy(calendarIds: string[], within: EventSpan): Promise<EventSpan[]>
  /** Makes an event. @returns whether it stands: one that was made before and removed since does not @throws CalendarFailure */
  insert(place: Place, event: BookedEvent & EventSpan): Promise<boolean>
  /** Moves an event. @returns whether it stands: one that was removed does not @throws CalendarFailure */
  move(place: Place, to: EventSpan): Promise<boolean>
  /** Removes an event; one that is gone is none to remove. @throws CalendarFailure */
  remove(place: Place): Promise<void>
}

/** No call is repeated by the library: what has become of one is found out by the one who asked. */
const ONCE = { retry: false } as const

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
