// One declaration per table: who owns its rows, and by which columns live queries are narrowed.
// Generates the row-level policies, the write-capturing triggers, the boot checks and the schema of the read tracker.
import type { Tables } from './tables/database.ts'

type TableKeys<Table> = {
  /** `organization_id` where rows belong to one organization; null where they do not. */
  tenant: 'organization_id' | null
  /** Columns by which reads are narrowed and writes recorded: text. Empty: always the whole table. */
  keys: (keyof Table & string)[]
}

/**
 * Tables that live queries may read. A query over any other table is an error.
 * A key pays where one row of the table changes often and many queries read others: ids, parents and owners.
 */
export const TRACKED: { [Name in keyof Tables]?: TableKeys<Tables[Name]> } = {
  users: { tenant: null, keys: ['id'] },
  sessions: { tenant: null, keys: ['id', 'user_id'] },
  organizations: { tenant: null, keys: ['id'] },
  members: { tenant: null, keys: ['user_id', 'organization_id'] },
  // Read by people who are no members yet.
  invites: { tenant: null, keys: ['organization_id', 'token_hash'] },
  // Read before the organization is known.
  support_accesses: { tenant: null, keys: ['organization_id', 'session_id'] },
  plans: { tenant: null, keys: [] },
  installation_brand: { tenant: null, keys: [] },
  organization_brands: { tenant: 'organization_id', keys: ['organization_id'] },
  flags: { tenant: null, keys: [] },
  flag_overrides: { tenant: 'organization_id', keys: ['organization_id'] },
  prompt_templates: { tenant: null, keys: [] },
  model_prices: { tenant: null, keys: [] },
  model_rules: { tenant: null, keys: [] },
  plan_requests: { tenant: 'organization_id', keys: ['organization_id'] },
  operators: { tenant: 'organization_id', keys: ['organization_id'] },
  agents: { tenant: 'organization_id', keys: ['organization_id', 'id'] },
  agent_versions: { tenant: 'organization_id', keys: ['organization_id', 'agent_id'] },
  agent_keys: { tenant: 'organization_id', keys: ['organization_id', 'agent_id'] },
  tool_secrets: { tenant: 'organization_id', keys: ['organization_id'] },
  tool_hosts: { tenant: 'organization_id', keys: ['organization_id'] },
  http_tools: { tenant: 'organization_id', keys: ['organization_id'] },
  mcp_servers: { tenant: 'organization_id', keys: ['organization_id'] },
  mcp_tools: { tenant: 'organization_id', keys: ['organization_id'] },
  tool_calls: { tenant: 'organization_id', keys: ['organization_id', 'agent_id'] },
  tool_approvals: { tenant: 'organization_id', keys: ['organization_id', 'conversation_id'] },
  attack_checks: { tenant: 'organization_id', keys: ['organization_id', 'agent_id', 'id'] },
  attack_cases: { tenant: 'organization_id', keys: ['organization_id', 'check_id'] },
  prompt_drafts: { tenant: 'organization_id', keys: ['organization_id', 'agent_id', 'user_id'] },
  agent_knowledge_spaces: { tenant: 'organization_id', keys: ['organization_id', 'agent_id', 'knowledge_space_id'] },
  knowledge_spaces: { tenant: 'organization_id', keys: ['organization_id', 'id'] },
  documents: { tenant: 'organization_id', keys: ['organization_id', 'knowledge_space_id', 'id'] },
  fragments: { tenant: 'organization_id', keys: ['organization_id', 'knowledge_space_id', 'id'] },
  chunks: { tenant: 'organization_id', keys: ['organization_id', 'knowledge_space_id', 'source_id'] },
  chunk_vectors: { tenant: 'organization_id', keys: ['organization_id', 'knowledge_space_id'] },
  index_segments: { tenant: 'organization_id', keys: ['organization_id', 'knowledge_space_id'] },
  knowledge_cases: { tenant: 'organization_id', keys: ['organization_id', 'knowledge_space_id'] },
  knowledge_pairs: { tenant: 'organization_id', keys: ['organization_id', 'knowledge_space_id'] },
  knowledge_proposals: { tenant: 'organization_id', keys: ['organization_id', 'knowledge_space_id'] },
  knowledge_queries: { tenant: 'organization_id', keys: ['organization_id'] },
  knowledge_tables: { tenant: 'organization_id', keys: ['organization_id', 'knowledge_space_id', 'id'] },
  table_rows: { tenant: 'organization_id', keys: ['organization_id', 'table_id'] },
  sites: { tenant: 'organization_id', keys: ['organization_id', 'knowledge_space_id', 'id'] },
  site_pages: { tenant: 'organization_id', keys: ['organization_id', 'site_id'] },
  web_search_settings: { tenant: 'organization_id', keys: ['organization_id', 'knowledge_space_id'] },
  calendar_connections: { tenant: 'organization_id', keys: ['organization_id', 'agent_id'] },
  calendar_settings: { tenant: 'organization_id', keys: ['organization_id', 'agent_id'] },
  bookings: { tenant: 'organization_id', keys: ['organization_id', 'conversation_id'] },
  channel_connections: { tenant: 'organization_id', keys: ['organization_id', 'agent_id', 'id'] },
  delivery_attempts: { tenant: 'organization_id', keys: ['organization_id', 'connection_id'] },
  sent_counts: { tenant: 'organization_id', keys: ['organization_id', 'connection_id'] },
  failover_notices: { tenant: 'organization_id', keys: ['organization_id', 'conversation_id', 'connection_id'] },
  visitor_streams: { tenant: 'organization_id', keys: ['organization_id', 'connection_id'] },
  customers: { tenant: 'organization_id', keys: ['organization_id', 'id'] },
  conversations: { tenant: 'organization_id', keys: ['organization_id', 'id', 'agent_id'] },
  conversation_tags: { tenant: 'organization_id', keys: ['organization_id', 'conversation_id', 'tag'] },
  conversation_ratings: { tenant: 'organization_id', keys: ['organization_id', 'conversation_id'] },
  conversation_summaries: { tenant: 'organization_id', keys: ['organization_id', 'conversation_id'] },
  conversation_follow_ups: { tenant: 'organization_id', keys: ['organization_id', 'conversation_id'] },
  conversation_typing: { tenant: 'organization_id', keys: ['organization_id', 'conversation_id'] },
  messages: { tenant: 'organization_id', keys: ['organization_id', 'conversation_id'] },
  attachments: { tenant: 'organization_id', keys: ['organization_id', 'conversation_id'] },
  turns: { tenant: 'organization_id', keys: ['organization_id', 'conversation_id'] },
  turn_traces: { tenant: 'organization_id', keys: ['organization_id', 'conversation_id'] },
  outbox: { tenant: 'organization_id', keys: ['organization_id', 'conversation_id'] },
  conversation_notes: { tenant: 'organization_id', keys: ['organization_id', 'conversation_id'] },
  note_mentions: { tenant: 'organization_id', keys: ['organization_id', 'conversation_id', 'user_id'] },
  canned_replies: { tenant: 'organization_id', keys: ['organization_id'] },
  inbox_views: { tenant: 'organization_id', keys: ['organization_id'] },
  inbox_default_views: { tenant: 'organization_id', keys: ['organization_id', 'user_id'] },
  conversation_presence: { tenant: 'organization_id', keys: ['organization_id', 'conversation_id'] },
  alerts: { tenant: 'organization_id', keys: ['organization_id', 'user_id'] },
  alert_settings: { tenant: 'organization_id', keys: ['organization_id', 'user_id'] },
  alert_chats: { tenant: 'organization_id', keys: ['organization_id', 'user_id'] },
  push_devices: { tenant: 'organization_id', keys: ['organization_id', 'user_id'] },
  exports: { tenant: 'organization_id', keys: ['organization_id'] },
  deletion_log: { tenant: 'organization_id', keys: ['organization_id'] },
  usage_hours: { tenant: 'organization_id', keys: ['organization_id'] },
  usage_months: { tenant: 'organization_id', keys: ['organization_id'] },
  usage_days: { tenant: 'organization_id', keys: [] },
  usage_windows: { tenant: 'organization_id', keys: [] },
  model_days: { tenant: null, keys: [] },
  usage_events: { tenant: 'organization_id', keys: ['organization_id', 'conversation_id'] },
  api_tokens: { tenant: 'organization_id', keys: ['organization_id'] },
  webhook_endpoints: { tenant: 'organization_id', keys: ['organization_id'] },
  webhook_events: { tenant: 'organization_id', keys: ['organization_id', 'id'] },
  webhook_deliveries: { tenant: 'organization_id', keys: ['organization_id', 'endpoint_id'] },
  webhook_attempts: { tenant: 'organization_id', keys: ['organization_id', 'delivery_id'] },
  quotas: { tenant: 'organization_id', keys: ['organization_id'] },
  // Written also by people who are in no organization, and for the installation.
  audit_entries: { tenant: null, keys: ['organization_id'] },
}

/**
 * Tables that triggers keep from others. Live queries may read them, and depend on the tables that they are kept from: their own writes are
 * not captured, which would cost each message twice as much. Those that have the key `organization_id` are followed by it.
 */
export const DERIVED = {
  conversation_facts: ['conversations', 'messages', 'usage_events', 'conversation_ratings', 'knowledge_queries'],
  message_days: ['conversations', 'messages', 'organizations'],
  written_days: ['conversations', 'messages', 'organizations'],
  begun_days: [
    'conversations',
    'messages',
    'usage_events',
    'conversation_ratings',
    'knowledge_queries',
    'organizations',
  ],
} as const satisfies { [Name in keyof Tables]?: (keyof typeof TRACKED)[] }

/** Tenant tables that no live query reads: guarded like the others, not captured. */
const UNTRACKED_TENANT_TABLES = [
  'alert_sends',
  'booking_slots',
  'booking_syncs',
  'calendar_authorizations',
  'inbound_events',
  'mcp_authorizations',
  'customer_identities',
  'early_receipts',
  'routing_signals',
  'visitor_files',
  'used_uploads',
  'visitor_counts',
  'analytics_events',
  'api_requests',
  'staged_chunks',
  'web_searches',
  'quota_reservations',
  'message_translations',
  'webhook_queues',
] as const satisfies (keyof Tables)[]

/** Every table whose rows belong to one organization. */
export const TENANT_TABLES: ReadonlySet<string> = new Set([
  ...Object.entries(TRACKED).flatMap(([name, table]) => (table.tenant ? [name] : [])),
  ...Object.keys(DERIVED),
  ...UNTRACKED_TENANT_TABLES,
])
