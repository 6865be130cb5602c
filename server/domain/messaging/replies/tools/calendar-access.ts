// Whether the agent of a turn can book, and what its tools do for the customer of that turn.
import { book, cancel, findTimes, move } from '#server/domain/integrations/bookings/booking.ts'
import { listOwn } from '#server/domain/integrations/bookings/bookings.store.ts'
import { type Asker, listOffered } from '#server/domain/integrations/bookings/slots.store.ts'
import { answerLanguageFor } from '#server/integrations/llm/language.ts'
import type { DataBlock } from '#server/integrations/llm/llm.ts'
import type { Tool } from '#server/integrations/llm/tool.ts'
import { startOfDay } from '#server/platform/lib/zoned-time.ts'
import type { BookedEvent } from '#shared/integrations/bookings.ts'
import type { CalendarSettings } from '#shared/integrations/calendar.ts'
import { fillDescription, fillTitle } from '#shared/integrations/event-templates.ts'
import { findBoundValues } from '../../customers/bound-values.store.ts'
import type { AnsweringContext } from '../../turns/pipeline-context.ts'
import { isTest } from '../../turns/rehearsal.rules.ts'
import type { TraceRecorder } from '../../turns/trace.ts'
import type { Turn } from '../../turns/turn.ts'
import { calendarBlocks, choicesOf, isTimeZone, showSlot, showVisit } from './calendar.rules.ts'
import { type CalendarAccess, calendarTools } from './calendar.ts'
import type { Offer } from './offer-choices.ts'

/** Free times that a model is given at once. */
const TIMES_MAX = 20
const DAYS_MAX = 14
const DAY_MS = 86_400_000
const EVENT_MAX = { title: 300, description: 8000 }

type OpenCalendar = { tools: Tool[]; blocks: DataBlock[] }
const CLOSED: OpenCalendar = { tools: [], blocks: [] }

/** Whether the agent of a turn books visits. In the test chat nothing is booked: there is no customer. */
export function mayBook(turn: Turn): boolean {
  const { hasCalendar = false, settings } = turn.agent
  return hasCalendar && !settings.functions.off.includes('calendar') && !isTest(turn)
}

/** The tools of an agent with a calendar, and what is known of earlier turns. */
export async function openCalendar(
  ctx: AnsweringContext,
  turn: Turn,
  trace: TraceRecorder,
  { offer, question }: { offer: Offer | null; question: string },
): Promise<OpenCalendar> {
  if (!mayBook(turn) || !ctx.services.googleCalendar) return CLOSED
  const asker = { organizationId: turn.organizationId, agentId: turn.agent.id, conversationId: turn.conversationId }
  const now = new Date()
  const { visits, slots } = await ctx.read(turn.organizationId, async (store) => ({
    visits: await listOwn(store, asker, now),
    slots: await listOffered(store, asker, now, TIMES_MAX),
  }))
  const language = answerLanguageFor(question, { tag: turn.limits.language })
  const access = accessOf(ctx, turn, { asker, offer, language })
  return { tools: calendarTools(access, trace), blocks: calendarBlocks(visits, slots, turn.timeZone) }
}

type Bound = { asker: Asker; offer: Offer | null; language: string }

function accessOf({ services, read }: AnsweringContext, turn: Turn, { asker, offer, language }: Bound): CalendarAccess {
  const { timeZone } = turn
  return {
    timeZone,
    async find({ from, to, timeZone: own }) {
      if (own !== null && !isTimeZone(own)) return undefined
      const within = spanOf(from, to, timeZone)
      const found = await findTimes(services, asker, { within, timeZone: own, most: TIMES_MAX })
      if (found && offer) offer.choices = choicesOf(found, timeZone, language)
      return found?.map((slot) => showSlot(slot, timeZone)) ?? null
    },
    async book(slotId, note) {
      const eventFor = async (settings: CalendarSettings) =>
        eventOf(turn, settings, {
          note,
          phone:
            (await read(asker.organizationId, (store) => findBoundValues(store, asker.conversationId))).phone ?? '',
          link: `${services.publicUrl}/conversations/${asker.conversationId}`,
        })
      const result = await book(services, asker, { slotId, eventFor })
      if (result.kind !== 'refused' && offer) offer.choices = []
      return result
    },
    move: (bookingId, slotId) => move(services, asker, { bookingId, slotId }),
    cancel: (bookingId) => cancel(services, asker, bookingId),
    async list() {
      const visits = await read(asker.organizationId, (store) => listOwn(store, asker, new Date()))
      return visits.map((visit) => showVisit(visit, timeZone))
    },
  }
}

/** Whole days in a zone, at most so many. */
function spanOf(first: string, last: string, timeZone: string) {
  const [from, to] = [dayOf(first), Math.max(dayOf(first), dayOf(last))]
  const end = Math.min(to + 1, from + DAYS_MAX)
  return { from: startOfDay(from, timeZone), to: startOfDay(end, timeZone) }
}

/** Its number since 1970. */
function dayOf(text: string): number {
  return Date.parse(`${text}T00:00:00Z`) / DAY_MS
}

/** The event as the team wants it, from what the server knows of the customer. */
function eventOf(
  { agent, organizationName = '', conversation }: Turn,
  { templates }: CalendarSettings,
  { note, phone, link }: { note: string; phone: string; link: string },
): BookedEvent {
  const customer = conversation.customerName?.trim() ?? ''
  const values = {
    ...{ customer, phone, email: '', note, link },
    ...{ agent: agent.name, organization: organizationName, channel: conversation.channel },
  }
  return {
    title: fillTitle(templates.title, values).slice(0, EVENT_MAX.title) || agent.name,
    description: fillDescription(templates.description, values).slice(0, EVENT_MAX.description),
    reminders: templates.reminders,
  }
}
