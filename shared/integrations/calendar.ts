// The calendar of an agent: its connection to an account at Google, and what is set up for bookings.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { id } from '#shared/schema.ts'
import { unknownPlaceholders } from './event-templates.ts'

/** The environment variables that an administrator of the installation sets. */
export const CALENDAR_VARIABLES = ['GOOGLE_CALENDAR_CLIENT_ID', 'GOOGLE_CALENDAR_CLIENT_SECRET'] as const
/** Where Google sends a person back to after the consent. */
export const CALENDAR_CALLBACK = '/api/integrations/google/callback'

/** Calendars that are read for busy times. Google answers for no more at once. */
const BUSY_CALENDARS_MAX = 50
const CALENDAR_ID_MAX = 300
export const EVENT_TITLE_MAX = 200
export const EVENT_DESCRIPTION_MAX = 4000
export const EXCEPTIONS_MAX = 100
/** Google keeps no more reminders of an event, and none earlier than four weeks. */
export const REMINDERS_MAX = 5
export const REMINDER_MAX_MINUTES = 40_320
export const DURATION_MIN_MINUTES = 5
export const DURATION_MAX_MINUTES = 480
export const BUFFER_MAX_MINUTES = 240
export const LEAD_MAX_HOURS = 720
export const HORIZON_MAX_DAYS = 365
/** The minutes at which a booking may begin are multiples of one of these. */
export const GRID_MINUTES = [5, 10, 15, 20, 30, 60] as const
/** Minutes before a visit at which its customer can be reminded, and how many of them at most. */
export const CUSTOMER_REMINDER_MINUTES = [2880, 1440, 720, 180, 60, 30] as const
export const CUSTOMER_REMINDERS_MAX = 3

export const calendarAgentInput = z.strictObject({ agentId: id('agents') })

/** `connected`: Google accepts our access. `reauthorization_required`: it does not any more, and a person has to consent again. */
export type CalendarStatus = 'connected' | 'reauthorization_required'

/** The account that an agent is connected to. */
export type CalendarConnection = {
  agentId: Id<'agents'>
  status: CalendarStatus
  /** Its address. */
  account: string
  connectedBy: string
  connectedAt: number
  /** When Google last accepted the access. */
  checkedAt: number
  /** Since when it refuses it; null: it does not. */
  lostAt: number | null
}

/** What the installation has set up. `callbackUrl`: what is entered at Google. */
export type CalendarInstallation = { isConfigured: boolean; callbackUrl: string }

/** A calendar of the account, as Google lists it. */
export type CalendarEntry = {
  id: string
  name: string
  isPrimary: boolean
  /** Whether bookings can be written: the account owns it. */
  isOwned: boolean
  timeZone: string
}

const calendarId = z.string().check(z.minLength(1), z.maxLength(CALENDAR_ID_MAX))

/** A calendar by the name that it had when it was chosen. */
export type ChosenCalendar = { id: string; name: string }
/** Which calendars say when people are busy, and into which one bookings go; null: not chosen yet. */
export type CalendarChoice = { busy: ChosenCalendar[]; target: ChosenCalendar | null }

/** A text with placeholders that all exist. */
const template = (max: number) =>
  z.string().check(
    z.trim(),
    z.maxLength(max),
    z.refine((text) => unknownPlaceholders(text).length === 0),
  )

const reminder = z.strictObject({
  way: z.enum(['popup', 'email']),
  minutes: z.number().check(z.int(), z.minimum(0), z.maximum(REMINDER_MAX_MINUTES)),
})
export type Reminder = z.infer<typeof reminder>

/** How an event looks in the calendar. Reminders go to who owns the calendar. */
const templates = z.strictObject({
  title: template(EVENT_TITLE_MAX).check(z.minLength(1)),
  description: template(EVENT_DESCRIPTION_MAX),
  reminders: z.array(reminder).check(z.maxLength(REMINDERS_MAX)),
})
export type EventTemplates = z.infer<typeof templates>
export const eventTemplates = templates

const minutes = (min: number, max: number) => z.number().check(z.int(), z.minimum(min), z.maximum(max))
const hour = (max: number) => z.number().check(z.int(), z.minimum(0), z.maximum(max))

/** A day that exists, `2026-05-09`. */
const day = z.string().check(
  z.regex(/^\d{4}-\d{2}-\d{2}$/),
  z.refine((text) => {
    const at = new Date(`${text}T00:00:00Z`)
    return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
  }),
)

/** A day with other hours than its weekday. `hours`: from until before; null: closed. */
const exception = z.strictObject({
  day,
  hours: z.nullable(z.strictObject({ from: hour(23), to: hour(24) }).check(z.refine(({ from, to }) => from < to))),
})
export type AvailabilityException = z.infer<typeof exception>

/** When a customer can be booked, in the organization's time zone. */
const availability = z.strictObject({
  /** Seven lists, Monday first, of hours 0 to 23. */
  hours: z.array(z.array(hour(23)).check(z.maxLength(24))).check(z.length(7)),
  exceptions: z.array(exception).check(
    z.maxLength(EXCEPTIONS_MAX),
    z.refine((all) => new Set(all.map((each) => each.day)).size === all.length),
  ),
  durationMinutes: minutes(DURATION_MIN_MINUTES, DURATION_MAX_MINUTES),
  /** Kept free before and after each booking. */
  bufferMinutes: minutes(0, BUFFER_MAX_MINUTES),
  /** The earliest booking begins this long from now. */
  leadHours: minutes(0, LEAD_MAX_HOURS),
  /** The latest booking begins this many days from now. */
  horizonDays: minutes(1, HORIZON_MAX_DAYS),
  gridMinutes: z.literal(GRID_MINUTES),
})
export type CalendarAvailability = z.infer<typeof availability>
export const calendarAvailability = availability

/** Minutes before a visit at which its customer gets a message; each once, the earliest first. Google's own reminders are in the templates. */
const customerReminders = z.array(z.literal(CUSTOMER_REMINDER_MINUTES)).check(
  z.maxLength(CUSTOMER_REMINDERS_MAX),
  z.refine((all) => all.every((each, at) => at === 0 || each < (all[at - 1] ?? 0))),
)
export type CustomerReminders = z.infer<typeof customerReminders>

export const saveCalendarsInput = z.strictObject({
  agentId: id('agents'),
  busyIds: z.array(calendarId).check(z.maxLength(BUSY_CALENDARS_MAX)),
  targetId: calendarId,
})
export const saveTemplatesInput = z.strictObject({ agentId: id('agents'), templates })
export const saveAvailabilityInput = z.strictObject({ agentId: id('agents'), availability })
export const saveCustomerRemindersInput = z.strictObject({ agentId: id('agents'), customerReminders })

/** What is set up for an agent. */
export type CalendarSettings = {
  calendars: CalendarChoice
  templates: EventTemplates
  availability: CalendarAvailability
  customerReminders: CustomerReminders
}

const WORKDAY = Array.from({ length: 9 }, (_, at) => at + 9)

/** What holds until a person sets something up. The title is in the language of the interface that first saves it. */
export const DEFAULT_CALENDAR_SETTINGS: CalendarSettings = {
  calendars: { busy: [], target: null },
  templates: {
    title: '{{customer}}',
    description: '{{phone}}\n{{note}}\n{{link}}',
    reminders: [{ way: 'popup', minutes: 30 }],
  },
  availability: {
    hours: Array.from({ length: 7 }, (_, at) => (at < 5 ? WORKDAY : [])),
    exceptions: [],
    durationMinutes: 60,
    bufferMinutes: 0,
    leadHours: 2,
    horizonDays: 30,
    gridMinutes: 30,
  },
  customerReminders: [1440, 60],
}

/** How a consent ended, as the page is shown it. */
export const CONSENT_RESULTS = ['connected', 'denied', 'expired', 'scope', 'account', 'refused', 'unreachable'] as const
export type ConsentResult = (typeof CONSENT_RESULTS)[number]
