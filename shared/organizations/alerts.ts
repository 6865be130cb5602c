// Alerts: what calls for a person of the team, how it reaches them, and when it stays quiet.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { ALERTS_SEEN_AT_ONCE, PUSH_DEVICE_NAME_MAX, PUSH_ENDPOINT_MAX } from '#shared/limits.ts'
import { id } from '#shared/schema.ts'
import { isTimeZone } from './organizations.ts'
import { may, type OrganizationRole } from './policy.ts'

/**
 * `handoff`: a customer waits for a person, or a call of a tool for an approval. `mine`: a customer wrote in a conversation assigned to the person. `mention`: a note mentions
 * them. `delivery`: a message did not reach a customer. `connection`: a channel connection went down, or a calendar or an MCP server wants a consent. `billing`: the month's messages are
 * nearly used up, or its money is spent. `agent`: a colleague published or deleted an agent, or one fails to answer. `product`: a new version
 * of Parley is installed. `summary`: what agents have achieved in the week that ended.
 */
export const ALERT_KINDS = [
  'handoff',
  'mine',
  'mention',
  'delivery',
  'connection',
  'billing',
  'agent',
  'product',
  'summary',
] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/**
 * What has happened, where a kind has several: with none, the month is nearly used up, the agent was published, or the customer waits.
 * `approvalWaiting`: a call of a tool waits for the team. `mcpLost`: an MCP server wants a consent.
 */
export type AlertEvent =
  | 'billingCritical'
  | 'billingSpending'
  | 'agentRemoved'
  | 'agentFailing'
  | 'calendarLost'
  | 'mcpLost'
  | 'approvalWaiting'

/**
 * What an alert says that is about no conversation and no connection. `name`: of the agent or the server, or the version. `by`: the
 * colleague who did it. `slug`: of the agent, or the id of the server.
 */
export type AlertDetails = {
  event: AlertEvent | null
  name: string
  by: string | null
  slug: string | null
  summary?: WeekSummary
}

/** Numbers of a week, as analytics define them. `before`: conversations of the week before. */
export type WeekSummary = {
  conversations: number
  before: number
  resolved: number
  handedOff: number
  unanswered: number
  /** Median, milliseconds; null: nothing was answered. */
  firstResponseMs: number | null
  /** 1 to 5; null: none was given. */
  rating: number | null
  costMicroUsd: number
  unpricedCalls: number
}

/**
 * `browser`: while Parley is open somewhere. `push`: on the devices that the person has registered, also while Parley is closed.
 * `telegram`: by the installation's own bot, to those who have connected it.
 */
export const ALERT_WAYS = ['browser', 'push', 'email', 'telegram'] as const
export type AlertWay = (typeof ALERT_WAYS)[number]
/** Ways that reach a person who has not opened Parley. */
export type OutsideWay = Exclude<AlertWay, 'browser'>

const hour = z.number().check(z.int(), z.minimum(0), z.maximum(23))
const ways = z._default(z.array(z.enum(ALERT_WAYS)).check(z.maxLength(ALERT_WAYS.length)), [])

/** Hours of a day from `from` until before `to`; over midnight when `to` comes first. */
const quietHours = z.strictObject({ from: hour, to: hour })
export type QuietHours = z.infer<typeof quietHours>

/** Alert settings of one person. `language`: of what is sent to them. */
export const alertSettings = z.strictObject({
  ways: z.strictObject({
    ...{ handoff: ways, mine: ways, mention: ways, delivery: ways, connection: ways },
    ...{ billing: ways, agent: ways, product: ways, summary: ways },
  }),
  hasSound: z.boolean(),
  /** Whether alerts show what customers and colleagues wrote. */
  hasPreviews: z.boolean(),
  quietHours: z.nullable(quietHours),
  timeZone: z.string().check(z.refine(isTimeZone)),
  language: z.enum(['ru', 'en']),
})
export type AlertSettings = z.infer<typeof alertSettings>

/** The language of what is sent to the person. */
export const alertLanguageInput = z.pick(alertSettings, { language: true })

export const seenAlertsInput = z.strictObject({
  alertIds: z.array(id('alerts')).check(z.minLength(1), z.maxLength(ALERTS_SEEN_AT_ONCE)),
})

/** The chat in which the alert bot writes to the person. */
export type AlertChat = {
  /** Of the account behind it. */
  name: string
}

/** 65 and 16 bytes in base64url. */
const deviceKey = z.string().check(z.regex(/^[\w-]{87}$/))
const deviceSecret = z.string().check(z.regex(/^[\w-]{22}$/))

/** A browser of the person, as it has subscribed at its push service. `name`: as people name it. */
export const pushDeviceInput = z.strictObject({
  endpoint: z.url({ protocol: /^https$/ }).check(z.maxLength(PUSH_ENDPOINT_MAX)),
  p256dh: deviceKey,
  auth: deviceSecret,
  name: z.string().check(z.maxLength(PUSH_DEVICE_NAME_MAX)),
})
export type PushDeviceInput = z.infer<typeof pushDeviceInput>
export const pushEndpointInput = z.pick(pushDeviceInput, { endpoint: true })

/** A browser in which alerts show up by push. */
export type PushDevice = { endpoint: string; name: string; at: number }

/**
 * What a browser receives and shows. `tag`: a later notification replaces an earlier one with the same tag, including those shown by a page
 * through the same service worker.
 */
export type PushedAlert = { title: string; body: string; url: string; tag: string }

/** Which ways lead out of this installation. */
export type AlertReach = {
  email: boolean
  /** The key by which push services know this installation, base64url. */
  pushKey: string
  /** Whether the installation has a bot for alerts. */
  telegram: boolean
}

/** Something that calls for the person and that they have not seen. */
export type Alert = {
  _id: Id<'alerts'>
  kind: AlertKind
  /** False: the person does not want it in the browser. */
  isInBrowser: boolean
  /** Null: it is about none. */
  conversationId: Id<'conversations'> | null
  /** The customer of the conversation, the connection or the agent; the version. */
  name: string | null
  event: AlertEvent | null
  /** The colleague who did it. */
  by: string | null
  /** The agent it is about, where there still is one; the id of an MCP server. */
  agentSlug: string | null
  /** Preview of the message; null: there is none, or the person has switched previews off. */
  preview: string | null
  at: number
}

/** Default settings of a member. */
export function defaultAlerts(
  role: OrganizationRole,
  place: Pick<AlertSettings, 'timeZone' | 'language'>,
): AlertSettings {
  return {
    ways: {
      handoff: ['browser'],
      mine: ['browser'],
      mention: ['browser'],
      delivery: [],
      connection: role === 'owner' ? ['browser', 'email'] : [],
      billing: may(role, 'billing.write') ? ['browser', 'email'] : [],
      agent: [],
      product: role === 'owner' ? ['browser'] : [],
      summary: [],
    },
    hasSound: true,
    hasPreviews: true,
    quietHours: null,
    ...place,
  }
}

/** Whether an hour, 0 to 23, is a quiet one. */
export function isQuiet(quiet: QuietHours | null, at: number): boolean {
  if (!quiet) return false
  const { from, to } = quiet
  return from <= to ? at >= from && at < to : at >= from || at < to
}
