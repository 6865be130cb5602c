// All tables by name: the type parameter of every query.
import type * as accounts from './accounts.ts'
import type * as agents from './agents.ts'
import type * as alerts from './alerts.ts'
import type * as analytics from './analytics.ts'
import type * as api from './api.ts'
import type * as attachments from './attachments.ts'
import type * as audit from './audit.ts'
import type * as channels from './channels.ts'
import type * as conversationParts from './conversation-parts.ts'
import type * as conversations from './conversations.ts'
import type * as desk from './desk.ts'
import type * as engine from './engine.ts'
import type * as exports from './exports.ts'
import type * as flags from './flags.ts'
import type * as knowledge from './knowledge.ts'
import type * as knowledgeCases from './knowledge-cases.ts'
import type * as knowledgePairs from './knowledge-pairs.ts'
import type * as knowledgeProposals from './knowledge-proposals.ts'
import type * as knowledgeQueries from './knowledge-queries.ts'
import type * as letters from './letters.ts'
import type * as models from './models.ts'
import type * as promptTemplates from './prompt-templates.ts'
import type * as retention from './retention.ts'
import type * as servers from './servers.ts'
import type * as tables from './tables.ts'
import type * as usage from './usage.ts'
import type * as web from './web.ts'

export interface Tables {
  users: accounts.UsersTable
  sessions: accounts.SessionsTable
  accounts: accounts.AccountsTable
  verifications: accounts.VerificationsTable
  jwks: accounts.JwksTable
  auth_rate_limits: accounts.AuthRateLimitsTable
  two_factors: accounts.TwoFactorsTable
  passkeys: accounts.PasskeysTable
  ended_sessions: accounts.EndedSessionsTable
  organizations: accounts.OrganizationsTable
  members: accounts.MembersTable
  invites: accounts.InvitesTable
  support_accesses: accounts.SupportAccessesTable
  plans: accounts.PlansTable
  plan_requests: accounts.PlanRequestsTable
  installation_secrets: accounts.InstallationSecretsTable
  letters: letters.LettersTable
  agents: agents.AgentsTable
  agent_versions: agents.AgentVersionsTable
  prompt_drafts: agents.PromptDraftsTable
  agent_keys: agents.AgentKeysTable
  tool_secrets: agents.ToolSecretsTable
  tool_hosts: agents.ToolHostsTable
  http_tools: agents.HttpToolsTable
  mcp_servers: agents.McpServersTable
  mcp_tools: agents.McpToolsTable
  mcp_authorizations: agents.McpAuthorizationsTable
  tool_calls: agents.ToolCallsTable
  tool_approvals: agents.ToolApprovalsTable
  attack_checks: agents.AttackChecksTable
  attack_cases: agents.AttackCasesTable
  agent_knowledge_spaces: agents.AgentKnowledgeSpacesTable
  knowledge_spaces: knowledge.KnowledgeSpacesTable
  documents: knowledge.DocumentsTable
  fragments: knowledge.FragmentsTable
  chunks: knowledge.ChunksTable
  staged_chunks: knowledge.StagedChunksTable
  chunk_vectors: knowledge.ChunkVectorsTable
  index_segments: knowledge.IndexSegmentsTable
  knowledge_cases: knowledgeCases.KnowledgeCasesTable
  knowledge_pairs: knowledgePairs.KnowledgePairsTable
  knowledge_proposals: knowledgeProposals.KnowledgeProposalsTable
  knowledge_queries: knowledgeQueries.KnowledgeQueriesTable
  knowledge_tables: tables.KnowledgeTablesTable
  table_rows: tables.TableRowsTable
  web_search_settings: web.WebSearchSettingsTable
  web_searches: web.WebSearchesTable
  sites: web.SitesTable
  site_pages: web.SitePagesTable
  calendar_connections: agents.CalendarConnectionsTable
  calendar_settings: agents.CalendarSettingsTable
  calendar_authorizations: agents.CalendarAuthorizationsTable
  booking_slots: agents.BookingSlotsTable
  bookings: agents.BookingsTable
  booking_syncs: agents.BookingSyncsTable
  channel_connections: channels.ChannelConnectionsTable
  delivery_attempts: channels.DeliveryAttemptsTable
  early_receipts: channels.EarlyReceiptsTable
  visitor_files: channels.VisitorFilesTable
  visitor_counts: channels.VisitorCountsTable
  visitor_streams: channels.VisitorStreamsTable
  sent_counts: channels.SentCountsTable
  failover_notices: channels.FailoverNoticesTable
  customers: channels.CustomersTable
  customer_identities: channels.CustomerIdentitiesTable
  inbound_events: channels.InboundEventsTable
  conversations: conversations.ConversationsTable
  conversation_tags: conversations.ConversationTagsTable
  conversation_ratings: conversationParts.ConversationRatingsTable
  conversation_summaries: conversationParts.ConversationSummariesTable
  conversation_follow_ups: conversationParts.ConversationFollowUpsTable
  conversation_typing: conversationParts.ConversationTypingTable
  messages: conversations.MessagesTable
  attachments: attachments.AttachmentsTable
  used_uploads: attachments.UsedUploadsTable
  turns: conversations.TurnsTable
  outbox: conversations.OutboxTable
  turn_traces: conversations.TurnTracesTable
  conversation_notes: desk.ConversationNotesTable
  note_mentions: desk.NoteMentionsTable
  canned_replies: desk.CannedRepliesTable
  message_translations: desk.MessageTranslationsTable
  inbox_views: desk.InboxViewsTable
  inbox_default_views: desk.InboxDefaultViewsTable
  conversation_presence: desk.ConversationPresenceTable
  operators: desk.OperatorsTable
  routing_signals: desk.RoutingSignalsTable
  exports: exports.ExportsTable
  alerts: alerts.AlertsTable
  alert_sends: alerts.AlertSendsTable
  alert_settings: alerts.AlertSettingsTable
  alert_chats: alerts.AlertChatsTable
  push_devices: alerts.PushDevicesTable
  deletion_log: retention.DeletionLogTable
  usage_events: usage.UsageEventsTable
  usage_hours: usage.UsageHoursTable
  usage_months: usage.UsageMonthsTable
  usage_days: usage.UsageDaysTable
  usage_windows: usage.UsageWindowsTable
  model_days: usage.ModelDaysTable
  quotas: usage.QuotasTable
  quota_reservations: usage.QuotaReservationsTable
  api_tokens: api.ApiTokensTable
  api_requests: api.ApiRequestsTable
  webhook_endpoints: api.WebhookEndpointsTable
  webhook_events: api.WebhookEventsTable
  webhook_queues: api.WebhookQueuesTable
  webhook_deliveries: api.WebhookDeliveriesTable
  webhook_attempts: api.WebhookAttemptsTable
  conversation_facts: analytics.ConversationFactsTable
  message_days: analytics.MessageDaysTable
  begun_days: analytics.BegunDaysTable
  written_days: analytics.WrittenDaysTable
  analytics_events: usage.AnalyticsEventsTable
  installation_brand: flags.InstallationBrandTable
  organization_brands: flags.OrganizationBrandsTable
  flags: flags.FlagsTable
  flag_overrides: flags.FlagOverridesTable
  model_prices: models.ModelPricesTable
  model_rules: models.ModelRulesTable
  prompt_templates: promptTemplates.PromptTemplatesTable
  audit_entries: audit.AuditEntriesTable
  audit_chains: audit.AuditChainsTable
  write_log: engine.WriteLogTable
  write_log_horizon: engine.WriteLogHorizonTable
  write_probe: engine.WriteProbeTable
  file_stores: engine.FileStoresTable
  servers: servers.ServersTable
  mutation_log: engine.MutationLogTable
}
