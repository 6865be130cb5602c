// The two roles behind row-level security. They own nothing and cannot sign in; the server's own role takes them on.
import { type Kysely, sql } from 'kysely'
import { StartError } from '#server/platform/lib/start-error.ts'
import type { Tables } from '../tables/database.ts'
import { APP_ROLE, SYSTEM_ROLE } from './scope.ts'

/** Tables of sign-in and secrets: closed to everything that serves an organization. */
export const PRIVATE_TABLES = [
  'accounts',
  'verifications',
  'jwks',
  'auth_rate_limits',
  'two_factors',
  'passkeys',
  'ended_sessions',
  'installation_secrets',
] as const satisfies (keyof Tables)[]

const COMMANDS = [
  `create role ${APP_ROLE} nologin`,
  `create role ${SYSTEM_ROLE} nologin`,
  `grant ${APP_ROLE}, ${SYSTEM_ROLE} to current_user`,
]
/** Already there, made by a server that started at the same moment, or being changed by one. */
const CONCURRENT = new Set(['42710', '23505', 'XX000'])
const ATTEMPTS = 5

type RoleState = { app: boolean; system: boolean; can_use: boolean; is_safe: boolean }

/**
 * Makes sure that the roles exist, that this server may take them on, and that they are no way around row-level security.
 * @throws Error with the commands for the administrator when the server's own role may not
 */
export async function ensureRoles(root: Kysely<Tables>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const state = await readRoles(root)
    if (!state.is_safe)
      throw new StartError(
        `The roles ${APP_ROLE} and ${SYSTEM_ROLE} must not be superusers or bypass row-level security.`,
      )
    if (state.app && state.system && state.can_use) return
    if (attempt === ATTEMPTS) throw new Error(`The roles ${APP_ROLE} and ${SYSTEM_ROLE} could not be created.`)
    await createRoles(root, state)
  }
}

async function createRoles(root: Kysely<Tables>, state: RoleState): Promise<void> {
  const needed = [!state.app, !state.system, true]
  for (const command of COMMANDS.filter((_, index) => needed[index])) {
    try {
      await sql.raw(command).execute(root)
    } catch (error) {
      const { code } = error as { code?: string }
      if (code === '42501') throw new StartError(await adviceFor(root))
      if (code === undefined || !CONCURRENT.has(code)) throw error
    }
  }
}

async function adviceFor(root: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ name: string }>`select quote_ident(current_user) as name`.execute(root)
  const commands = COMMANDS.map((command) => `  ${command.replace('current_user', rows[0]?.name ?? 'current_user')};`)
  return `The database user may not create the roles that keep organizations apart. Run once as an administrator:\n${commands.join('\n')}`
}

async function readRoles(root: Kysely<Tables>): Promise<RoleState> {
  const { rows } = await sql<RoleState>`
    select bool_or(rolname = ${APP_ROLE}) as app, bool_or(rolname = ${SYSTEM_ROLE}) as system,
      bool_and(pg_has_role(current_user, oid, 'member')) as can_use,
      bool_and(not rolsuper and not rolbypassrls) as is_safe
    from pg_roles where rolname in (${APP_ROLE}, ${SYSTEM_ROLE})`.execute(root)
  const row = rows[0]
  return {
    app: row?.app ?? false,
    system: row?.system ?? false,
    can_use: row?.can_use ?? false,
    is_safe: row?.is_safe ?? true,
  }
}
