// People, their sign-in data (owned by better-auth, column names mapped in server/platform/auth), organizations and plans.
import type { Generated } from 'kysely'
import type { Id } from '#shared/ids.ts'
import type { AtLimit, UserRole } from '#shared/organizations/organizations.ts'
import type { GivenTimestamp, Json, Timestamp } from './columns.ts'

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
  created_at: Timestamp
}

/** Which organization a user works in. A user is in one organization. */
export interface MembersTable {
  user_id: Id<'users'>
  organization_id: Id<'organizations'>
  created_at: Timestamp
}

export interface PlansTable {
  slug: string
  name: string
  /** Messages a month; null: unlimited. */
  monthly_messages: number | null
  /** Live connections of the channels that take a slot; null: unlimited. */
  channel_slots: number | null
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
