// The calendar of an agent: connected by a consent at Google, and set up for bookings. Tokens are never returned to a client.
import { randomBytes } from 'node:crypto'
import { getAgent } from '#server/domain/agents/agents.store.ts'
import type { OrgActionContext } from '#server/functions/context.ts'
import { orgAction, orgMutation, orgQuery } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import {
  type CalendarChoice,
  type CalendarConnection,
  type CalendarEntry,
  type CalendarInstallation,
  type CalendarSettings,
  calendarAgentInput,
  saveAvailabilityInput,
  saveCalendarsInput,
  saveCustomerRemindersInput,
  saveTemplatesInput,
} from '#shared/integrations/calendar.ts'
import { noArgs } from '#shared/schema.ts'
import { planReminders } from '../bookings/reminders.store.ts'
import { clientOf, translate, withCalendar } from './access.ts'
import { insertAuthorization } from './authorizations.store.ts'
import * as connections from './connections.store.ts'
import { callbackUrlOf, verifierPlace } from './consent.ts'
import { leaveCalendar } from './revoke.job.ts'
import { findSettings, saveSettings } from './settings.store.ts'

/** The connections of all agents. */
export const list = orgQuery({
  args: noArgs,
  handler: (ctx): Promise<CalendarConnection[]> => connections.listConnections(ctx),
})

/** The connection of an agent, null without one, and what is set up for it. @throws agent_unavailable */
export const get = orgQuery({
  args: calendarAgentInput,
  handler: async (ctx, { agentId }): Promise<{ connection: CalendarConnection | null; settings: CalendarSettings }> => {
    await getAgent(ctx, agentId)
    return {
      connection: await connections.findConnection(ctx, agentId),
      settings: await findSettings(ctx, agentId),
    }
  },
})

/** Whether this installation can connect calendars, and what is entered at Google for it. */
export const installation = orgAction({
  args: noArgs,
  handler: async ({ services }): Promise<CalendarInstallation> => ({
    isConfigured: services.googleCalendar !== null,
    callbackUrl: callbackUrlOf(services.publicUrl),
  }),
})

/** Begins a consent. @returns where to send the person @throws agent_unavailable, calendar_not_configured */
export const authorize = orgAction({
  args: calendarAgentInput,
  handler: async (ctx, { agentId }): Promise<{ url: string }> => {
    const { secrets, publicUrl } = ctx.services
    await ctx.read((read) => getAgent(read, agentId))
    const google = clientOf(ctx.services)
    const state = randomBytes(32).toString('base64url')
    const { url, verifier } = await google.authorize({ state, callbackUrl: callbackUrlOf(publicUrl) })
    const sealed = secrets.encrypt(verifier, verifierPlace(state))
    const { organizationId } = ctx
    const asked = { organizationId, agentId, sessionId: ctx.caller.sessionId, verifier: sealed }
    await ctx.write((write) => insertAuthorization(write, state, asked, write.now))
    return { url }
  },
})

/** Disconnects a calendar: the consent is withdrawn at Google, what is set up stays. Safe to repeat. @throws agent_unavailable */
export const disconnect = orgMutation({
  args: calendarAgentInput,
  isAudited: true,
  handler: async (ctx, { agentId }) => {
    const agent = await getAgent(ctx, agentId)
    const left = await leaveCalendar(ctx, agentId)
    const resource = { kind: 'agent', id: agentId, name: agent.name }
    await ctx.audit({ resource, ...(left && { before: { calendar: left.account } }) })
    return null
  },
})

/**
 * The calendars of the account, asked for at Google; shows at the same time whether it still accepts our access.
 * @throws agent_unavailable, calendar_not_connected, calendar_not_configured, and what `translate` makes of a failure
 */
export const calendars = orgAction({
  args: calendarAgentInput,
  handler: (ctx, { agentId }): Promise<CalendarEntry[]> => readCalendars(ctx, agentId),
})

/** Chooses calendars. @throws calendar_gone, calendar_not_owned, or as `calendars` */
export const saveCalendars = orgAction({
  args: saveCalendarsInput,
  handler: async (ctx, { agentId, busyIds, targetId }): Promise<CalendarChoice> => {
    const known = new Map((await readCalendars(ctx, agentId)).map((entry) => [entry.id, entry]))
    const chosen = [...new Set(busyIds)].map((id) => known.get(id))
    const target = known.get(targetId)
    if (!target || chosen.includes(undefined)) throw new AppError('calendar_gone')
    if (!target.isOwned) throw new AppError('calendar_not_owned')
    const choice = { busy: chosen.flatMap((entry) => (entry ? [toChosen(entry)] : [])), target: toChosen(target) }
    await ctx.write((write) => saveSettings(write, agentId, { calendars: choice }, write.now))
    return choice
  },
})

/** Saves how events look. @throws agent_unavailable */
export const saveTemplates = orgMutation({
  args: saveTemplatesInput,
  handler: async (ctx, { agentId, templates }) => {
    await getAgent(ctx, agentId)
    await saveSettings(ctx, agentId, { templates }, ctx.now)
    return null
  },
})

/** Saves when customers can be booked. @throws agent_unavailable */
export const saveAvailability = orgMutation({
  args: saveAvailabilityInput,
  handler: async (ctx, { agentId, availability }) => {
    await getAgent(ctx, agentId)
    await saveSettings(ctx, agentId, { availability }, ctx.now)
    return null
  },
})

/** Saves when customers are reminded of their visits, also of those that are booked already. @throws agent_unavailable */
export const saveCustomerReminders = orgMutation({
  args: saveCustomerRemindersInput,
  handler: async (ctx, { agentId, customerReminders }) => {
    await getAgent(ctx, agentId)
    await saveSettings(ctx, agentId, { customerReminders }, ctx.now)
    await planReminders(ctx, agentId)
    return null
  },
})

async function readCalendars(ctx: OrgActionContext, agentId: Id<'agents'>): Promise<CalendarEntry[]> {
  const connection = await ctx.read(async (read) => {
    await getAgent(read, agentId)
    return connections.findSealed(read, agentId)
  })
  if (!connection) throw new AppError('calendar_not_connected')
  const entries = await withCalendar(ctx.services, connection, (google, token) => google.listCalendars(token)).catch(
    translate,
  )
  await ctx.write((write) => connections.setAccepted(write, connection, write.now))
  return entries
}

function toChosen({ id, name }: CalendarEntry) {
  return { id, name }
}
