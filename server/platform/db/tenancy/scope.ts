// How a scope is passed to the database: a role, and the organization in the transaction's settings.
import type { Scope } from '../database.ts'

/** The role that sees one organization, or no tenant rows at all. */
export const APP_ROLE = 'parley_app'
/** The role that sees all organizations. */
export const SYSTEM_ROLE = 'parley_system'

const ID = /^[A-Za-z0-9_-]{1,64}$/

/** Statements, without parameters, that bind the rest of a transaction to a scope. */
export function scopeStatements(scope: Scope): string[] {
  if (scope.kind === 'system') return [`set local role ${SYSTEM_ROLE}`]
  return [
    `set local role ${APP_ROLE}`,
    `set local app.org = '${scope.kind === 'organization' ? checked(scope.organizationId) : ''}'`,
  ]
}

/** Equal for equal scopes. */
export function scopeKey(scope: Scope): string {
  return scope.kind === 'organization' ? `organization ${scope.organizationId}` : scope.kind
}

/** The id is inlined into a statement: settings take no parameters. */
function checked(id: string): string {
  if (!ID.test(id)) throw new Error('An organization id has letters, digits, - and _ only.')
  return id
}
