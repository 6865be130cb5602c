// Agents, the versions of their settings, the knowledge and the tools that they may use.
import type { ColumnType, Generated } from 'kysely'
import type { KeyProvider } from '#shared/agents/agent-keys.ts'
import type { PromptDraft, PromptLanguage } from '#shared/agents/agents.ts'
import type { Id } from '#shared/ids.ts'
import type { BookedEvent, BookingStatus } from '#shared/integrations/bookings.ts'
import type {
  CalendarAvailability,
  CalendarChoice,
  CalendarStatus,
  CustomerReminders,
  EventTemplates,
} from '#shared/integrations/calendar.ts'
import type { KnowledgeSource } from '#shared/knowledge/knowledge.ts'
import type { SourceLanguage } from '#shared/knowledge/knowledge-marks.ts'
import type {
  AttackCall,
  AttackCarrier,
  AttackCheckSize,
  AttackCheckStatus,
  AttackKind,
  AttackLanguage,
  AttackOutcome,
} from '#shared/messaging/attack-checks.ts'
import type { ToolRefusal } from '#shared/messaging/trace.ts'
import type {
  ApprovalArguments,
  ApprovalBy,
  ApprovalFailure,
  ApprovalStatus,
  ToolKind,
} from '#shared/tools/approvals.ts'
import type { McpApproval, McpAuthorization, McpStatus, McpToolProblem } from '#shared/tools/mcp-servers.ts'
import type { ToolDefinition, ToolExample, ToolFailure } from '#shared/tools/tools.ts'
import type { DefaultJson, GivenTimestamp, Json, Timestamp } from './columns.ts'

export interface AgentsTable {
  id: Id<'agents'>
  organization_id: Id<'organizations'>
  /** Unique within the organization; never changes. */
  slug: string
  name: string
  avatar: string | null
  /** Number of the version that answers customers. */
  live_version: Generated<number>
  /** Number of the newest version: the same, or a draft that is not published yet. */
  latest_version: Generated<number>
  created_at: Timestamp
  updated_at: Timestamp
  /** Set: removed, kept for its conversations. */
  deleted_at: Timestamp | null
}

/** A saved version; immutable. */
export interface AgentVersionsTable {
  id: Id<'agentVersions'>
  organization_id: Id<'organizations'>
  agent_id: Id<'agents'>
  /** From 1, counted per agent. */
  number: number
  /** As it was saved: sections that came later are missing. Parse it with `agentSettings`. */
  settings: Json<unknown>
  author_id: Id<'users'> | null
  /** Number of the version that this one restored. */
  restored_from: number | null
  created_at: Timestamp
}

/** Instructions that a model writes or has written; one draft for each person and agent. */
export interface PromptDraftsTable {
  id: string
  organization_id: Id<'organizations'>
  agent_id: Id<'agents'>
  user_id: Id<'users'>
  description: string
  language: PromptLanguage
  status: PromptDraft['status']
  text: string
  reason: string | null
  created_at: Timestamp
}

/** Keys of model providers that agents have of their own. */
export interface AgentKeysTable {
  organization_id: Id<'organizations'>
  agent_id: Id<'agents'>
  provider: KeyProvider
  /** Encrypted. */
  key: string
  /** Last characters of the key. */
  key_tail: string
  updated_at: Timestamp
}

export interface AgentKnowledgeSpacesTable {
  organization_id: Id<'organizations'>
  agent_id: Id<'agents'>
  knowledge_space_id: Id<'knowledgeSpaces'>
  /** What the agent may not use of the space, besides what the space has disabled for all. */
  disabled_sources: DefaultJson<KnowledgeSource[]>
  /** Only sources with one of these are found; empty: all. */
  tags: DefaultJson<string[]>
  /** Only sources in one of these, or in none that is known, are found; empty: all. */
  languages: DefaultJson<SourceLanguage[]>
  created_at: Generated<Date>
}

/** A secret that headers of tools carry. */
export interface ToolSecretsTable {
  id: Id<'toolSecrets'>
  organization_id: Id<'organizations'>
  name: string
  /** Where it may be sent. */
  host: string
  /** Encrypted. */
  value: string
  updated_at: GivenTimestamp
}

/** A host that tools of the organization may call. */
export interface ToolHostsTable {
  organization_id: Id<'organizations'>
  host: string
  added_at: GivenTimestamp
}

export interface HttpToolsTable {
  id: Id<'httpTools'>
  organization_id: Id<'organizations'>
  name: string
  definition: Json<ToolDefinition>
  example: Json<ToolExample> | null
  /** Failures since it last worked; the last of them, and when. */
  failures_in_row: Generated<number>
  failure: ToolFailure | null
  failed_at: Timestamp | null
  /** The day that `used_count` refers to, `YYYY-MM-DD` in the organization's time zone. */
  used_on: string | null
  used_count: Generated<number>
  created_at: GivenTimestamp
  updated_at: GivenTimestamp
}

/** A server of MCP that the organization has connected. */
export interface McpServersTable {
  id: Id<'mcpServers'>
  organization_id: Id<'organizations'>
  name: string
  /** Before the names of its tools, as models know them. */
  short_name: string
  url: string
  authorizes_by: McpAuthorization
  /** Encrypted JSON: a token, or what an OAuth server has granted. Null: none. */
  credentials: string | null
  status: McpStatus
  /** How the last look at its tools has failed. */
  failure: ToolFailure | null
  /** When its tools were last seen. */
  refreshed_at: Timestamp | null
  /** When they were last asked for. */
  looked_at: GivenTimestamp
  created_at: GivenTimestamp
}

/** What a server says of a tool. `schema`: null where it is of no use. */
export type StoredMcpTool = {
  description: string
  schema: Record<string, unknown> | null
  hints: { isReadOnly: boolean; isDestructive: boolean }
}

export interface McpToolsTable {
  id: Id<'mcpTools'>
  organization_id: Id<'organizations'>
  server_id: Id<'mcpServers'>
  /** As the server has it. */
  name: string
  model_name: string
  latest: Json<StoredMcpTool>
  latest_hash: string
  /** As it was when it was allowed; null: it is not. */
  pinned: Json<StoredMcpTool> | null
  pinned_hash: string | null
  is_gone: Generated<boolean>
  /** Why it cannot be used, as it is now. */
  problem: McpToolProblem | null
  approval: Generated<McpApproval>
  /** Failures since it last worked; the last of them, and when. */
  failures_in_row: Generated<number>
  failure: ToolFailure | null
  failed_at: Timestamp | null
  /** The day that `used_count` refers to, `YYYY-MM-DD` in the organization's time zone. */
  used_on: string | null
  used_count: Generated<number>
  created_at: GivenTimestamp
}

/** A consent that was asked for, and has not come back. */
export interface McpAuthorizationsTable {
  state_hash: string
  organization_id: Id<'organizations'>
  server_id: Id<'mcpServers'>
  /** The session that asked. */
  session_id: Id<'sessions'>
  /** Encrypted JSON: the verifier of PKCE, and the OAuth server with our registration there. */
  asked: string
  expires_at: GivenTimestamp
}

/** A call of any tool, from the record of its turn. */
export interface ToolCallsTable {
  organization_id: Id<'organizations'>
  turn_id: Id<'turns'>
  /** Its place among the calls of the turn. */
  position: number
  conversation_id: Id<'conversations'>
  agent_id: Id<'agents'>
  /** As the model knows the tool. */
  name: string
  has_failed: boolean
  refusal: ToolRefusal | null
  duration_ms: number
  called_at: Timestamp
}

/** A call that waits for someone to agree, or what has become of it. */
export interface ToolApprovalsTable {
  id: Id<'toolApprovals'>
  organization_id: Id<'organizations'>
  conversation_id: Id<'conversations'>
  agent_id: Id<'agents'>
  /** The turn whose answer has asked for it. */
  turn_id: Id<'turns'>
  decider: ApprovalBy
  status: ApprovalStatus
  tool_kind: ToolKind
  tool_id: string
  /** The tool as it was when the call was shown. */
  tool_version: string
  tool_name: string
  title: string
  arguments: Json<ApprovalArguments>
  /** The customer has not heard of what has become of it. */
  owes_word: Generated<boolean>
  failure: ApprovalFailure | null
  result: string | null
  asked_at: GivenTimestamp
  expires_at: GivenTimestamp
  decided_at: Timestamp | null
  decided_by: Id<'users'> | null
  begun_at: Timestamp | null
}

/** A run of attacks against an agent. The outcomes count its cases. */
export interface AttackChecksTable {
  id: Id<'attackChecks'>
  organization_id: Id<'organizations'>
  agent_id: Id<'agents'>
  size: AttackCheckSize
  status: AttackCheckStatus
  reason: string | null
  agent_version: number
  model: string
  /** Where attacks stand; null until that is known. */
  carriers: Json<AttackCarrier[]> | null
  total: number | null
  breached: Generated<number>
  spoken: Generated<number>
  held: Generated<number>
  resisted: Generated<number>
  unread: Generated<number>
  failed: Generated<number>
  cost_micro_usd: ColumnType<string, number | undefined, number>
  begun_by: Id<'users'> | null
  begun_at: GivenTimestamp
  /** When a case was finished last. */
  beat_at: GivenTimestamp
  ended_at: Timestamp | null
}

/** What became of one attack. */
export interface AttackCasesTable {
  organization_id: Id<'organizations'>
  check_id: Id<'attackChecks'>
  number: number
  kind: AttackKind
  carrier: AttackCarrier
  language: AttackLanguage
  text: string
  question: string | null
  outcome: AttackOutcome
  calls: Json<AttackCall[]>
  answer: string | null
  reason: string | null
}

/** The account at Google that an agent is connected to; one for each agent. Gone once it is disconnected. */
export interface CalendarConnectionsTable {
  id: Id<'calendarConnections'>
  organization_id: Id<'organizations'>
  agent_id: Id<'agents'>
  status: CalendarStatus
  /** Address of the account, which is the id of its own calendar. */
  account: string
  /** Encrypted. Access tokens are stored nowhere. */
  refresh_token: string
  /** Name of the member who has connected it. */
  connected_by: string
  connected_at: GivenTimestamp
  /** When Google last accepted the refresh token. */
  checked_at: GivenTimestamp
  /** When Google refused it; null: it has not. */
  lost_at: GivenTimestamp | null
}

/** What a person has set up; outlives the connection. Null: the default. */
export interface CalendarSettingsTable {
  organization_id: Id<'organizations'>
  agent_id: Id<'agents'>
  calendars: Json<CalendarChoice> | null
  templates: Json<EventTemplates> | null
  availability: Json<CalendarAvailability> | null
  /** Minutes before a visit at which its customer is reminded. */
  customer_reminders: Json<CustomerReminders> | null
  updated_at: GivenTimestamp
}

/** A consent that was asked for at Google and has not come back yet. */
export interface CalendarAuthorizationsTable {
  /** SHA-256 of the `state` that Google returns, hexadecimal. */
  state_hash: string
  organization_id: Id<'organizations'>
  agent_id: Id<'agents'>
  /** The only session that may bring it back. */
  session_id: Id<'sessions'>
  /** What proves that the code was asked for here (PKCE), encrypted. */
  verifier: string
  expires_at: GivenTimestamp
}

/** A free time that was offered in a conversation. The model chooses among these by their ids. */
export interface BookingSlotsTable {
  id: Id<'bookingSlots'>
  organization_id: Id<'organizations'>
  agent_id: Id<'agents'>
  conversation_id: Id<'conversations'>
  starts_at: GivenTimestamp
  ends_at: GivenTimestamp
  /** The customer's, when they have named it. */
  time_zone: string | null
  expires_at: GivenTimestamp
}

/** A visit. What is to be done at Google is written here first: a status that ends in `ing` says what. */
export interface BookingsTable {
  /** Also the id of the event at Google: inserting it twice is refused there. */
  id: Id<'bookings'>
  organization_id: Id<'organizations'>
  agent_id: Id<'agents'>
  conversation_id: Id<'conversations'>
  calendar_id: string
  status: BookingStatus
  /** While it is moved: where to. */
  starts_at: GivenTimestamp
  ends_at: GivenTimestamp
  /** While it is moved: where from. */
  moves_from: GivenTimestamp | null
  time_zone: string | null
  event: Json<BookedEvent>
  /** The customer has heard that it is not certain, and has not heard since what has come of it. */
  owes_word: Generated<boolean>
  /** When the customer is next reminded; null: not any more. */
  remind_at: GivenTimestamp | null
  /** Its time was last chosen in the calendar itself: it may begin together with another one. */
  moved_in_calendar: Generated<boolean>
  created_at: GivenTimestamp
  changed_at: GivenTimestamp
}

/** How far the changes of a calendar with bookings have been read. */
export interface BookingSyncsTable {
  organization_id: Id<'organizations'>
  agent_id: Id<'agents'>
  calendar_id: string
  /** The token belongs to this consent. */
  connection_id: Id<'calendarConnections'>
  /** Where Google goes on; null: from the beginning. */
  sync_token: string | null
  synced_at: GivenTimestamp
}
