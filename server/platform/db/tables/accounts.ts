// People, their sign-in data (owned by better-auth, column names mapped in server/platform/auth), organizations and plans.
import type { Generated, GeneratedAlways } from 'kysely'
import type { Id } from '#shared/ids.ts'
import type { AtLimit, UserRole } from '#shared/organizations/organizations.ts'
import type { Currency } from '#shared/organizations/plans.ts'
import type { GrantedRole, OrganizationRole } from '#shared/organizations/policy.ts'
import type { EndReason } from '#shared/organizations/security.ts'
import type { DefaultJson, GivenTimestamp, Json, Timestamp } from './columns.ts'

export interface UsersTable {
  id: Id<'users'>
  name: string
  email: string
  email_verified: boolean
  image: string | null
  /** Platform role. */
  role: Generated<UserRole>
  job_title: Generated<string>
  bio: Generated<string>
  /** Empty: the browser's. */
  time_zone: Generated<string>
  /** Empty: the browser's. */
  language: Generated<'' | 'ru' | 'en'>
  /** Whether signing in asks for a second step. */
  two_factor_enabled: Generated<boolean>
  /** Name of the organization that was deleted while the person was a member; null: none. */
  removed_organization: string | null
  /** Name and address in small letters. */
  searched: GeneratedAlways<string>
  /** When an administrator last decided about the platform role; from then on ADMIN_EMAILS does not. Null: never. */
  role_decided_at: Timestamp | null
  /** Since when the person may not sign in; null: they may. */
  locked_at: Timestamp | null
  /** What the person is shown then. */
  locked_reason: string | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface SessionsTable {
  id: Id<'sessions'>
  user_id: Id<'users'>
  token: string
  expires_at: GivenTimestamp
  ip_address: string | null
  user_agent: string | null
  /** The organization that its person works in, unless a token names another; null: the one joined first. */
  organization_id: Id<'organizations'> | null
  /** When a person last did something with it, exact to a minute. */
  last_used_at: Timestamp
  /** When its person last proved who they are. */
  confirmed_at: Timestamp
  created_at: Timestamp
  updated_at: Timestamp
}

/** One row for each way a user can sign in: `credential` (with a password hash) or a social provider. */
export interface AccountsTable {
  id: string
  account_id: string
  provider_id: string
  user_id: Id<'users'>
  access_token: string | null
  refresh_token: string | null
  id_token: string | null
  access_token_expires_at: Timestamp | null
  refresh_token_expires_at: Timestamp | null
  scope: string | null
  password: string | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface VerificationsTable {
  id: string
  identifier: string
  value: string
  expires_at: GivenTimestamp
  created_at: Timestamp
  updated_at: Timestamp
}

/** Key pairs that sign realtime tokens. */
export interface JwksTable {
  id: string
  public_key: string
  private_key: string
  created_at: Timestamp
  expires_at: Timestamp | null
}

/** The second step of one user: a key from which codes are made, encrypted, and hashes of the recovery codes that are left. */
export interface TwoFactorsTable {
  user_id: Id<'users'>
  secret: string
  recovery_codes: DefaultJson<string[]>
  /** False until the first code was entered. */
  is_confirmed: Generated<boolean>
  /** The step of time whose code was accepted last: no code of it, or before it, is accepted again. */
  last_step: Generated<number>
  created_at: Timestamp
}

export interface PasskeysTable {
  id: string
  user_id: Id<'users'>
  name: string | null
  public_key: string
  credential_id: string
  counter: number
  device_type: string
  backed_up: boolean
  transports: string | null
  aaguid: string | null
  created_at: Timestamp
}

/** Why sessions ended, by the hash of their token; kept for some days. */
export interface EndedSessionsTable {
  token: string
  reason: EndReason
  ended_at: Timestamp
}

/** Counters of better-auth's own limiter. */
export interface AuthRateLimitsTable {
  id: string
  key: string
  count: number
  last_request: number
}

export interface OrganizationsTable {
  id: Id<'organizations'>
  name: string
  display_name: string | null
  logo_url: string | null
  support_email: string | null
  /** Slug of the plan; null: none ("parking"). */
  plan: string | null
  /** Messages a month; null: the plan's limit. */
  monthly_limit: number | null
  owner_id: Id<'users'>
  /** IANA name. */
  time_zone: Generated<string>
  /** What happens to messages beyond the allowance. */
  at_limit: Generated<AtLimit>
  /** The text that customers receive then; empty: none. */
  limit_text: Generated<string>
  /** Millionths of a US dollar a calendar month; null: no ceiling. */
  monthly_spend_limit_micro_usd: number | null
  /** Days for which messages, attachments and records of turns are kept; null: forever. */
  retain_messages_days: number | null
  retain_attachments_days: number | null
  retain_traces_days: number | null
  /** How long a customer waits for a person before a notice is sent; null: no notice. */
  unattended_after_seconds: number | null
  /** The text of that notice; empty: the built-in text. */
  unattended_text: Generated<string>
  /** Which model helps the people who answer; empty: that of the agent. */
  helper_model: Generated<string>
  /** Whether members without two-step sign-in must set it up before they go on. */
  requires_two_step: Generated<boolean>
  /** How long a session may stay unused; null: as long as it lasts. */
  sign_out_after_minutes: number | null
  /** Its names in small letters. */
  searched: GeneratedAlways<string>
  /** Since when its agents are silent and its members kept out; null: it is not suspended. */
  suspended_at: Timestamp | null
  /** What its members are shown then. */
  suspended_reason: string | null
  created_at: Timestamp
}

/** Who belongs to which organizations, and what they may do there. An organization has one owner, whom `organizations.owner_id` names too. */
export interface MembersTable {
  user_id: Id<'users'>
  organization_id: Id<'organizations'>
  role: OrganizationRole
  created_at: Timestamp
}

/** An invitation is open until it is accepted, revoked or expired. Resending gives it another token. */
export interface InvitesTable {
  id: Id<'invites'>
  organization_id: Id<'organizations'>
  /** Lower-case. */
  email: string
  role: GrantedRole
  token_hash: string
  invited_by: Id<'users'> | null
  created_at: Timestamp
  sent_at: Timestamp
  expires_at: GivenTimestamp
  accepted_at: Timestamp | null
  accepted_by: Id<'users'> | null
  revoked_at: Timestamp | null
}

/** An administrator of the installation acts on behalf of an organization. At most one of a session and an organization has not ended. */
export interface SupportAccessesTable {
  id: Id<'supportAccesses'>
  organization_id: Id<'organizations'>
  user_id: Id<'users'>
  /** The one session that it lets in; may have ended since. */
  session_id: Id<'sessions'>
  reason: string
  may_write: boolean
  begun_at: GivenTimestamp
  ends_at: GivenTimestamp
  ended_at: Timestamp | null
}

export interface PlansTable {
  slug: string
  name: string
  description: Generated<string>
  /** Messages a month; null: unlimited. */
  monthly_messages: number | null
  /** Live connections of the channels that take a slot; null: unlimited. */
  channel_slots: number | null
  /** Whole units of the currency a month; null: by agreement. */
  price: number | null
  currency: Generated<Currency>
  /** People who may belong to an organization; null: unlimited. */
  members: number | null
  sort_order: number
  is_default: Generated<boolean>
  archived_at: Timestamp | null
  /** One feature a line, by language. */
  features: Json<{ ru: string[]; en: string[] }>
}

/** Random secrets made at the first start, for installations that configure none. */
export interface InstallationSecretsTable {
  name: string
  value: string
}

/** A wish of an organization to change or cancel its plan. At most one is open: neither withdrawn nor settled. */
export interface PlanRequestsTable {
  id: Id<'planRequests'>
  organization_id: Id<'organizations'>
  kind: 'change' | 'cancellation'
  /** Slug of the plan that is wanted; null for a cancellation. */
  plan: string | null
  note: Generated<string>
  requested_by: Id<'users'> | null
  created_at: Timestamp
  withdrawn_at: Timestamp | null
  settled_at: Timestamp | null
}
