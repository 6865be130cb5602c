// Calls of the sweep over functions: the calendars of agents.
import { DEFAULT_CALENDAR_SETTINGS } from '#shared/integrations/calendar.ts'
import type { SweptCall } from './calls.ts'

const { templates, availability } = DEFAULT_CALENDAR_SETTINGS

export const INTEGRATION_CALLS: Record<string, SweptCall> = {
  'integrations/calendar:authorize': { args: ({ agentId }) => ({ agentId }), own: 'calendar_not_configured' },
  'integrations/calendar:calendars': { args: ({ agentId }) => ({ agentId }), own: 'calendar_not_configured' },
  'integrations/calendar:disconnect': { args: ({ agentId }) => ({ agentId }) },
  'integrations/calendar:get': { args: ({ agentId }) => ({ agentId }) },
  'integrations/calendar:installation': { args: () => ({}) },
  'integrations/calendar:list': { args: () => ({}) },
  'integrations/calendar:saveAvailability': { args: ({ agentId }) => ({ agentId, availability }) },
  'integrations/calendar:saveCalendars': {
    args: ({ agentId }) => ({ agentId, busyIds: [], targetId: 'salon@example.com' }),
    own: 'calendar_not_configured',
  },
  'integrations/calendar:saveCustomerReminders': { args: ({ agentId }) => ({ agentId, customerReminders: [60] }) },
  'integrations/calendar:saveTemplates': { args: ({ agentId }) => ({ agentId, templates }) },
}
