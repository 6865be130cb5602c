// The administration of the installation: organizations and people as its administrators see them.
import * as z from 'zod/mini'
import type { Channel, ConnectionStatus } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import { id, paginationOpts } from '#shared/schema.ts'
import { USER_ROLES, type UserRole } from './organizations.ts'
import type { OrganizationRole } from './policy.ts'
import { reason } from './support.ts'

/** Messages a month: what an integer column holds. */
const MONTHLY_LIMIT_MAX = 2_000_000_000
/** People of one file. */
export const MEMBERS_EXPORT_MAX = 50_000
export const ORGANIZATION_SORTS = ['name', 'created', 'messages', 'members', 'active'] as const
export type OrganizationSort = (typeof ORGANIZATION_SORTS)[number]

const search = z.optional(z.string().check(z.maxLength(200)))
const userId = id('users')
const organizationId = id('organizations')
const people = { search, role: z.optional(z.enum(USER_ROLES)) }

export const listOrganizationsInput = z.strictObject({
  paginationOpts,
  search,
  sort: z.optional(z.enum(ORGANIZATION_SORTS)),
})
export const adminOrganizationInput = z.strictObject({ organizationId })
/** Null: no plan. */
export const setPlanInput = z.strictObject({ organizationId, planSlug: z.nullable(z.string().check(z.maxLength(100))) })
/** Null: the plan's own. Judged by the function, which has a code for what is no limit. */
export const setMonthlyLimitInput = z.strictObject({ organizationId, monthlyLimit: z.nullable(z.number()) })
export const suspendInput = z.strictObject({ organizationId, reason })
export const listPeopleInput = z.strictObject({ ...people, paginationOpts })
export const exportPeopleInput = z.strictObject({ ...people, language: z.enum(['ru', 'en']) })
export const setUserRoleInput = z.strictObject({ userId, role: z.enum(USER_ROLES) })
export const personInput = z.strictObject({ userId })
export const lockInput = z.strictObject({ userId, reason })
/** Whether a limit of messages a month can be set; null: the plan's own. */
export function isMonthlyLimit(limit: number | null): boolean {
  return limit === null || (Number.isInteger(limit) && limit >= 0 && limit <= MONTHLY_LIMIT_MAX)
}

/** A reason as a form takes it. */
export const reasonForm = z.object({ reason })

export type PeopleFilters = { search?: string | undefined; role?: UserRole | undefined }

/** An organization in the list of all. */
export type AdminOrganization = {
  _id: Id<'organizations'>
  name: string
  /** Null: none, which shows as "parking". */
  plan: { slug: string; name: string } | null
  /** Its own limit of messages a month; null: the plan's. */
  monthlyLimit: number | null
  /** What it may send a month: its own limit, or the plan's; null: unlimited. */
  allowance: number | null
  owner: { _id: Id<'users'>; name: string; email: string }
  members: number
  /** Messages of the organization's own calendar month. */
  messages: number
  /** When a conversation last went on; null: never. */
  lastActiveAt: number | null
  /** Null: it is not suspended. */
  suspendedAt: number | null
  suspendedReason: string | null
  createdAt: number
}

/** What goes wrong at a connection; `error` null: nothing. */
export type AdminConnection = {
  _id: Id<'channelConnections'>
  channel: Exclude<Channel, 'test'>
  identifier: string
  status: ConnectionStatus
  error: string | null
  lastInboundAt: number | null
}

/** A part that was not delivered, or an answer that failed. `reason`: a code. */
export type AdminFailure = {
  _id: Id<'turns'> | Id<'outbox'>
  at: number
  kind: 'turn' | 'delivery'
  channel: Channel
  reason: string
}

/** A month of use, `YYYY-MM`. */
export type AdminMonth = { month: string; messages: number; tokens: number; costUsd: number; unpricedCalls: number }

/** An organization on its own page. */
export type AdminOrganizationDetails = AdminOrganization & {
  timeZone: string
  supportEmail: string | null
  agents: number
  /** The newest first. */
  months: AdminMonth[]
  connections: AdminConnection[]
  /** The newest first. */
  failures: AdminFailure[]
}

/** A person in the list of all. */
export type AdminPerson = {
  _id: Id<'users'>
  name: string
  email: string
  avatar: string | null
  role: UserRole
  organizations: { _id: Id<'organizations'>; name: string; role: OrganizationRole }[]
  hasTwoStep: boolean
  /** Sessions that have not run out. */
  sessions: number
  lastActiveAt: number | null
  lockedAt: number | null
  lockedReason: string | null
  createdAt: number
}

/** A table for spreadsheets. `isCut`: people are left out. */
export type PeopleFile = { name: string; csv: string; isCut: boolean }

/** A plan that can be given to an organization. */
export type PlanChoice = { slug: string; name: string; isArchived: boolean }
