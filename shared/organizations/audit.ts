// The audit trail: who did what, as its readers see it.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { id, paginationOpts } from '#shared/schema.ts'

export const AUDIT_RANGES = ['24h', '7d', '30d', 'all'] as const
export type AuditRange = (typeof AUDIT_RANGES)[number]
/** Entries of one file, the newest first. */
export const AUDIT_EXPORT_MAX = 20_000

const filters = {
  range: z.enum(AUDIT_RANGES),
  actorId: z.optional(id('users')),
  /** Name of a public function. */
  action: z.optional(z.string().check(z.maxLength(100))),
}
const language = z.enum(['ru', 'en'])

export const listAuditInput = z.strictObject({ ...filters, paginationOpts })
export const exportAuditInput = z.strictObject({ ...filters, language })
/** `organizationId`: of one organization; null: of the installation alone; left out: all. */
const everywhere = { ...filters, organizationId: z.optional(z.nullable(id('organizations'))) }
export const listAllAuditInput = z.strictObject({ ...everywhere, paginationOpts })
export const exportAllAuditInput = z.strictObject({ ...everywhere, language })
export const auditChoicesInput = z.strictObject({ range: filters.range })
export const allAuditChoicesInput = z.strictObject({ range: filters.range, organizationId: everywhere.organizationId })

export type AuditFilters = {
  range: AuditRange
  actorId?: Id<'users'> | undefined
  action?: string | undefined
  organizationId?: Id<'organizations'> | null | undefined
}

export type AuditEntry = {
  _id: Id<'auditEntries'>
  at: number
  /** Null: the program itself. `name` and `email` are those of that time. */
  actor: { _id: Id<'users'>; name: string; email: string } | null
  /** Why an administrator of the installation acted on behalf of an organization; null: none was asked for. */
  reason: string | null
  /** Name of a public function. */
  action: string
  /** What was changed; null where the action says it all. */
  resource: { kind: string; id: string; name: string } | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  /** Network address; null: unknown. */
  address: string | null
  /** Null: it concerns the installation. `name`: of today; null when the organization is gone. */
  organization: { _id: Id<'organizations'>; name: string | null } | null
}

/** A table for spreadsheets. `isCut`: older entries are left out. */
export type AuditFile = { name: string; csv: string; isCut: boolean }

/** Who and what occur in a trail, for its filters. */
export type AuditChoices = {
  actors: { _id: Id<'users'>; name: string; email: string }[]
  actions: string[]
}
