// All migrations in order. A name, once released, never changes, and neither does what it makes: changes come as the next migration.
import type { Migration } from 'kysely/migration'
import * as initial from './001-initial.ts'
import * as names from './002-names.ts'
import * as conversationParts from './003-conversation-parts.ts'
import * as memberships from './004-memberships.ts'
import * as letters from './005-letters.ts'
import * as security from './006-security.ts'
import * as notifications from './007-notifications.ts'
import * as planRequests from './008-plan-requests.ts'
import * as apiTokenScopes from './009-api-token-scopes.ts'
import * as analytics from './010-analytics.ts'
import * as writtenOtherwise from './011-written-otherwise.ts'
import * as audit from './012-audit.ts'
import * as promptTemplate from './013-prompt-template.ts'
import * as adminOrganizations from './014-admin-organizations.ts'
import * as adminPlansAndFlags from './015-admin-plans-and-flags.ts'
import * as servers from './016-servers.ts'
import * as usageDays from './017-usage-days.ts'
import * as models from './018-models.ts'
import * as support from './019-support.ts'
import * as branding from './020-branding.ts'
import * as webhooks from './021-webhooks.ts'
import * as planCurrency from './022-plan-currency.ts'
import * as httpTools from './023-http-tools.ts'
import * as calendar from './024-calendar.ts'
import * as programScopes from './025-program-scopes.ts'
import * as bookings from './026-bookings.ts'
import * as bookingReminders from './027-booking-reminders.ts'
import * as toolApprovals from './028-tool-approvals.ts'
import * as mcpServers from './029-mcp-servers.ts'
import * as attackChecks from './030-attack-checks.ts'
import * as approvalAlerts from './031-approval-alerts.ts'
import * as namesWithPictures from './032-names-with-pictures.ts'

export const migrations: Record<string, Migration> = {
  '001-initial': initial,
  '002-names': names,
  '003-conversation-parts': conversationParts,
  '004-memberships': memberships,
  '005-letters': letters,
  '006-security': security,
  '007-notifications': notifications,
  '008-plan-requests': planRequests,
  '009-api-token-scopes': apiTokenScopes,
  '010-analytics': analytics,
  '011-written-otherwise': writtenOtherwise,
  '012-audit': audit,
  '013-prompt-template': promptTemplate,
  '014-admin-organizations': adminOrganizations,
  '015-admin-plans-and-flags': adminPlansAndFlags,
  '016-servers': servers,
  '017-usage-days': usageDays,
  '018-models': models,
  '019-support': support,
  '020-branding': branding,
  '021-webhooks': webhooks,
  '022-plan-currency': planCurrency,
  '023-http-tools': httpTools,
  '024-calendar': calendar,
  '025-program-scopes': programScopes,
  '026-bookings': bookings,
  '027-booking-reminders': bookingReminders,
  '028-tool-approvals': toolApprovals,
  '029-mcp-servers': mcpServers,
  '030-attack-checks': attackChecks,
  '031-approval-alerts': approvalAlerts,
  '032-names-with-pictures': namesWithPictures,
}
