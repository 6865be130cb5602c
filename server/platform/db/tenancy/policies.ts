// The second wall between organizations, as SQL generated from keys.ts: row-level security and the rights of the two roles.
import { TENANT_TABLES } from '../keys.ts'
import type { Tables } from '../tables/database.ts'
import { PRIVATE_TABLES } from './roles.ts'
import { APP_ROLE, SYSTEM_ROLE } from './scope.ts'

/** What `parley_app` may see of a tenant table: rows of the organization in the transaction's settings; without one, none. */
export const TENANT_CONDITION = "organization_id = (select nullif(current_setting('app.org', true), ''))"
export const APP_POLICY = 'parley_app_rows'
export const SYSTEM_POLICY = 'parley_system_rows'

/** Statements that put every table behind its wall. Safe to repeat. */
export function policyStatements(tables: readonly string[]): string[] {
  return [...tables.flatMap(grants), ...[...TENANT_TABLES].flatMap(rowSecurity)]
}

/** Tables of which the roles may do less than everything. */
const RIGHTS: { [Name in keyof Tables]?: string } = {
  audit_entries: 'select, insert',
  audit_chains: 'select',
}

function grants(table: string): string[] {
  const isPrivate = (PRIVATE_TABLES as readonly string[]).includes(table)
  const rights = RIGHTS[table as keyof Tables] ?? 'select, insert, update, delete'
  return [
    `revoke all on ${table} from public, ${APP_ROLE}, ${SYSTEM_ROLE}`,
    `grant ${rights} on ${table} to ${isPrivate ? SYSTEM_ROLE : `${APP_ROLE}, ${SYSTEM_ROLE}`}`,
  ]
}

function rowSecurity(table: string): string[] {
  return [
    `alter table ${table} enable row level security`,
    `alter table ${table} force row level security`,
    `drop policy if exists ${APP_POLICY} on ${table}`,
    `create policy ${APP_POLICY} on ${table} to ${APP_ROLE} using (${TENANT_CONDITION})`,
    `drop policy if exists ${SYSTEM_POLICY} on ${table}`,
    `create policy ${SYSTEM_POLICY} on ${table} to ${SYSTEM_ROLE} using (true)`,
  ]
}
