// The tools by which a model books, moves and cancels visits. It names times and visits by ids that the server has given out in this
// conversation, and says nothing of who the customer is: that the server knows.
import { z } from 'zod'
import type { BookingRefusal, BookingResult } from '#server/domain/integrations/bookings/booking.ts'
import type { Tool } from '#server/integrations/llm/tool.ts'
import { BAD_FORM, ToolRefused } from '#server/integrations/llm/tool-refusal.ts'
import type { TraceRecorder } from '../../turns/trace.ts'
import { momentIn, type Shown, type ShownVisit } from './calendar.rules.ts'

const NOTE_MAX = 300
/** Days over which times are looked for at once. */
const DAYS_MAX = 14

const day = z.iso.date()
const id = z.string().min(1).max(64)
const asked = z.strictObject({ from: day, to: day.optional(), time_zone: z.string().max(64).optional() })
const booked = z.strictObject({ slot_id: id, note: z.string().trim().max(NOTE_MAX).optional() })
const moved = z.strictObject({ booking_id: id, slot_id: id })
const cancelled = z.strictObject({ booking_id: id })

/** The calendar, bound to one conversation. */
export type CalendarAccess = {
  timeZone: string
  /** @returns null when the calendar cannot be asked; undefined for a zone that there is not */
  find(asked: { from: string; to: string; timeZone: string | null }): Promise<Shown[] | null | undefined>
  book(slotId: string, note: string): Promise<BookingResult>
  move(bookingId: string, slotId: string): Promise<BookingResult>
  cancel(bookingId: string): Promise<BookingResult>
  list(): Promise<ShownVisit[]>
}

/** What a model is informed of when nothing was done. */
const REFUSALS: Record<BookingRefusal, string> = {
  unknown_slot: 'There is no such slot_id. Only ids from find_free_times count, and only in this conversation.',
  expired_slot: 'This offer is too old. Look for free times again.',
  changed_rules: 'The rules of booking have changed. Look for free times again.',
  too_soon: 'This time is too soon to be booked. Look for free times again.',
  too_late: 'This time is too far away to be booked yet.',
  off_grid: 'Bookings do not begin at this time. Look for free times again.',
  outside_hours: 'This time is outside working hours. Look for free times again.',
  taken: 'This time has just been taken. Say so, and look for free times again.',
  unknown_booking: 'This customer has no such booking. Their bookings are those that list_bookings gives.',
  unfinished:
    'An earlier request of this conversation has only now been carried out. See list_bookings before anything else is done.',
  too_many: 'This customer has as many bookings ahead as they may have.',
  no_calendar: 'Nothing can be booked at the moment: the calendar is disconnected. Say so plainly.',
  no_answer: 'The calendar does not answer at the moment. Nothing was done. Say so plainly.',
  refused: 'The calendar has refused it. Nothing was booked. Say so plainly.',
}
const OPEN =
  'Not certain yet: the calendar does not answer. It is carried out as soon as it does. Say that it is not confirmed, and do not repeat the call.'

/** The five tools. A string result is an error for the model. */
export function calendarTools(access: CalendarAccess, trace: TraceRecorder): Tool[] {
  const { timeZone } = access
  const shown = (result: BookingResult) => {
    if (result.kind === 'refused') return REFUSALS[result.reason]
    const { id: booking_id, status, from } = result.booking
    const time = momentIn(from, timeZone)
    return result.kind === 'open' ? OPEN : { done: true, booking_id, status, time, time_zone: timeZone }
  }
  const tool = <Given>(
    name: string,
    description: string,
    schema: z.ZodType<Given>,
    run: (given: Given) => Promise<unknown>,
  ) =>
    traced(trace, { name, description, parameters: z.toJSONSchema(schema), run: (given) => run(parse(schema, given)) })
  return [
    tool(
      'find_free_times',
      `Finds free times for a visit that begin on a day, or on one of up to ${DAYS_MAX} days. Days are YYYY-MM-DD in the time zone ${timeZone}. Give time_zone, as an IANA name, when the customer has said where they are; times are then given in it as well. Each time has a slot_id: nothing can be booked without one.`,
      asked,
      async ({ from, to = from, time_zone: zone = null }) => {
        const found = await access.find({ from, to, timeZone: zone })
        if (found === undefined) return 'There is no such time zone. Ask the customer for their city.'
        if (found === null) return REFUSALS.no_answer
        return found.length > 0 ? found : 'Nothing is free on these days. Try other ones.'
      },
    ),
    tool(
      'book_time',
      'Books a free time that the customer has chosen, by its slot_id. The note says in a few words what they come for. It is booked only when the result says that it is done.',
      booked,
      async ({ slot_id, note = '' }) => shown(await access.book(slot_id, note)),
    ),
    tool(
      'move_booking',
      "Moves one of this customer's bookings to a free time, by its slot_id.",
      moved,
      async ({ booking_id, slot_id }) => shown(await access.move(booking_id, slot_id)),
    ),
    tool(
      'cancel_booking',
      "Cancels one of this customer's bookings. Ask the customer whether they really want it first.",
      cancelled,
      async ({ booking_id }) => shown(await access.cancel(booking_id)),
    ),
    tool('list_bookings', "Lists this customer's bookings ahead.", z.strictObject({}), () => access.list()),
  ]
}

function parse<Given>(schema: z.ZodType<Given>, given: unknown): Given {
  const parsed = schema.safeParse(given)
  if (!parsed.success) throw new ToolRefused('bad_arguments', BAD_FORM)
  return parsed.data
}

function traced(trace: TraceRecorder, { run, ...tool }: Tool): Tool {
  return {
    ...tool,
    async run(given, signal) {
      const startedAt = performance.now()
      const result = await run(given, signal)
      const durationMs = Math.round(performance.now() - startedAt)
      trace.tool({ name: tool.name, arguments: given, result, hasFailed: typeof result === 'string', durationMs })
      return result
    },
  }
}
