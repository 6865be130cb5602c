// DOOR 1: every public function, by the name it has on the wire.
import type { ApiOf } from '#server/platform/functions/api-types.ts'
import * as adminFlags from './domain/admin/flags.functions.ts'
import * as adminInvites from './domain/admin/invites.functions.ts'
import * as adminOrganizations from './domain/admin/organizations.functions.ts'
import * as adminOverview from './domain/admin/overview.functions.ts'
import * as adminMembers from './domain/admin/people.functions.ts'
import * as adminPlans from './domain/admin/plans.functions.ts'
import * as agentFunctions from './domain/agents/agent-functions.functions.ts'
import * as agents from './domain/agents/agents.functions.ts'
import * as agentKeys from './domain/agents/keys.functions.ts'
import * as models from './domain/agents/models.functions.ts'
import * as prompts from './domain/agents/prompts.functions.ts'
import * as versions from './domain/agents/versions.functions.ts'
import * as alerts from './domain/alerts/alerts.functions.ts'
import * as analytics from './domain/analytics/analytics.functions.ts'
import * as apiTokens from './domain/api-tokens/tokens.functions.ts'
import * as adminAudit from './domain/audit/admin-audit.functions.ts'
import * as audit from './domain/audit/audit.functions.ts'
import * as billing from './domain/billing/billing.functions.ts'
import * as adminBranding from './domain/branding/admin-branding.functions.ts'
import * as branding from './domain/branding/branding.functions.ts'
import * as channelConnections from './domain/channels/connections/channel-connections.functions.ts'
import * as http from './domain/channels/connections/http.functions.ts'
import * as messengers from './domain/channels/connections/messengers.functions.ts'
import * as telegram from './domain/channels/connections/telegram.functions.ts'
import * as standIns from './domain/channels/failover/stand-ins.functions.ts'
import * as webchat from './domain/channels/webchat/webchat.functions.ts'
import * as whatsapp from './domain/channels/whatsapp/whatsapp.functions.ts'
import * as whatsappCloud from './domain/channels/whatsapp/whatsapp-cloud.functions.ts'
import * as adminHealth from './domain/health/health.functions.ts'
import * as calendar from './domain/integrations/calendar/calendar.functions.ts'
import * as chunks from './domain/knowledge/documents/chunks/chunks.functions.ts'
import * as passages from './domain/knowledge/documents/chunks/passages.functions.ts'
import * as documents from './domain/knowledge/documents/documents.functions.ts'
import * as embeddings from './domain/knowledge/documents/embeddings/embeddings.functions.ts'
import * as marks from './domain/knowledge/documents/source-metadata.functions.ts'
import * as fragments from './domain/knowledge/notes/fragments.functions.ts'
import * as proposals from './domain/knowledge/review/proposals.functions.ts'
import * as queries from './domain/knowledge/review/queries.functions.ts'
import * as questions from './domain/knowledge/review/questions.functions.ts'
import * as cases from './domain/knowledge/review/retrieval-test-cases.functions.ts'
import * as review from './domain/knowledge/review/review.functions.ts'
import * as sites from './domain/knowledge/sites/sites.functions.ts'
import * as search from './domain/knowledge/spaces/search.functions.ts'
import * as spaces from './domain/knowledge/spaces/spaces.functions.ts'
import * as tables from './domain/knowledge/tables/tables.functions.ts'
import * as webSearch from './domain/knowledge/web-search/web-search.functions.ts'
import * as mcpServers from './domain/mcp-servers/servers.functions.ts'
import * as mcpTools from './domain/mcp-servers/tools.functions.ts'
import * as approvals from './domain/messaging/approvals/approvals.functions.ts'
import * as attackChecks from './domain/messaging/attack-checks/attack-checks.functions.ts'
import * as conversationExports from './domain/messaging/compliance/exports.functions.ts'
import * as retention from './domain/messaging/compliance/retention.functions.ts'
import * as contacts from './domain/messaging/contacts/contacts.functions.ts'
import * as helper from './domain/messaging/copilot/helper.functions.ts'
import * as conversationsBulk from './domain/messaging/inbox/bulk.functions.ts'
import * as conversations from './domain/messaging/inbox/conversations.functions.ts'
import * as threads from './domain/messaging/inbox/threads.functions.ts'
import * as agentSearch from './domain/messaging/playground/agent-search.functions.ts'
import * as agentTables from './domain/messaging/playground/agent-tables.functions.ts'
import * as testChat from './domain/messaging/playground/test-chat.functions.ts'
import * as cannedReplies from './domain/messaging/team/canned.functions.ts'
import * as answerDrafts from './domain/messaging/team/drafts.functions.ts'
import * as notes from './domain/messaging/team/notes.functions.ts'
import * as presence from './domain/messaging/team/presence.functions.ts'
import * as templates from './domain/messaging/team/templates.functions.ts'
import * as views from './domain/messaging/team/views.functions.ts'
import * as adminModels from './domain/models/admin-models.functions.ts'
import * as invites from './domain/organizations/invites.functions.ts'
import * as members from './domain/organizations/members.functions.ts'
import * as operators from './domain/organizations/operators.functions.ts'
import * as organizations from './domain/organizations/organizations.functions.ts'
import * as adminTemplate from './domain/prompt-template/template.functions.ts'
import * as adminSupport from './domain/support/support.functions.ts'
import * as tools from './domain/tools/tools.functions.ts'
import * as toolVault from './domain/tools/vault.functions.ts'
import * as users from './domain/users/users.functions.ts'
import * as webhooks from './domain/webhooks/webhooks.functions.ts'

/** Module name → module: `agents:list` is `export const list` of the module `agents`. */
export const modules = {
  'admin/audit': adminAudit,
  'admin/branding': adminBranding,
  'admin/health': adminHealth,
  'admin/members': adminMembers,
  'admin/flags': adminFlags,
  'admin/invites': adminInvites,
  'admin/models': adminModels,
  'admin/organizations': adminOrganizations,
  'admin/overview': adminOverview,
  'admin/plans': adminPlans,
  'admin/support': adminSupport,
  'admin/template': adminTemplate,
  agentFunctions,
  agents,
  'agents/prompts': prompts,
  'agents/versions': versions,
  'agents/keys': agentKeys,
  'agents/search': agentSearch,
  'agents/tables': agentTables,
  alerts,
  analytics,
  apiTokens,
  attackChecks,
  billing,
  branding,
  channelConnections,
  'channels/http': http,
  'channels/messengers': messengers,
  'channels/standIns': standIns,
  'channels/telegram': telegram,
  'channels/whatsapp': whatsapp,
  'channels/whatsappCloud': whatsappCloud,
  'channels/webchat': webchat,
  conversations,
  'conversations/approvals': approvals,
  'conversations/canned': cannedReplies,
  'conversations/contacts': contacts,
  'conversations/templates': templates,
  'conversations/threads': threads,
  'conversations/drafts': answerDrafts,
  'conversations/exports': conversationExports,
  'conversations/helper': helper,
  'conversations/notes': notes,
  'conversations/presence': presence,
  'conversations/bulk': conversationsBulk,
  'conversations/views': views,
  'conversations/retention': retention,
  'integrations/calendar': calendar,
  'knowledge/chunks': chunks,
  'knowledge/cases': cases,
  'knowledge/documents': documents,
  'knowledge/embeddings': embeddings,
  'knowledge/fragments': fragments,
  'knowledge/proposals': proposals,
  'knowledge/marks': marks,
  'knowledge/queries': queries,
  'knowledge/passages': passages,
  'knowledge/questions': questions,
  'knowledge/review': review,
  'knowledge/search': search,
  'knowledge/sites': sites,
  'knowledge/spaces': spaces,
  'knowledge/tables': tables,
  'knowledge/webSearch': webSearch,
  models,
  organizations,
  'organizations/audit': audit,
  'organizations/invites': invites,
  'organizations/members': members,
  'organizations/operators': operators,
  testChat,
  mcpServers,
  'mcpServers/tools': mcpTools,
  tools,
  'tools/vault': toolVault,
  users,
  webhooks,
} as const

/** What the web client calls, with arguments and results. */
export type Api = ApiOf<typeof modules>
