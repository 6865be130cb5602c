// SQL over everything that is stored encrypted with a key derived from the application secret: what still carries another key, page by page.
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** A column of encrypted texts. `name`: what names the row in its place, as SQL. `what`: in words. */
export type SealedColumn = { what: string; table: string; column: string; id: string; name: string; only?: string }
export type SealedRow = { id: string; name: string; value: string }

/** In the order in which they are encrypted again: the text that proves the ring comes last. */
export const SEALED: readonly SealedColumn[] = [
  { what: 'tokens of channels', table: 'channel_connections', column: 'token', id: 'id', name: 'id' },
  { what: 'webhook secrets of channels', table: 'channel_connections', column: 'webhook_secret', id: 'id', name: 'id' },
  {
    what: 'keys of model providers',
    table: 'agent_keys',
    column: 'key',
    id: `agent_id || '/' || provider`,
    name: `agent_id || '/' || provider`,
  },
  { what: 'secrets of tools', table: 'tool_secrets', column: 'value', id: 'id', name: 'id' },
  { what: 'credentials of MCP servers', table: 'mcp_servers', column: 'credentials', id: 'id', name: 'id' },
  { what: 'tokens of calendars', table: 'calendar_connections', column: 'refresh_token', id: 'id', name: 'id' },
  {
    what: 'consents to MCP servers',
    table: 'mcp_authorizations',
    column: 'asked',
    id: 'state_hash',
    name: 'state_hash',
  },
  {
    what: 'consents to calendars',
    table: 'calendar_authorizations',
    column: 'verifier',
    id: 'state_hash',
    name: 'state_hash',
  },
  { what: 'secrets of webhooks', table: 'webhook_endpoints', column: 'secret', id: 'id', name: 'id' },
  {
    what: 'former secrets of webhooks',
    table: 'webhook_endpoints',
    column: 'previous_secret',
    id: 'id',
    name: 'id',
  },
  { what: 'letters', table: 'letters', column: 'content', id: 'id', name: 'id' },
  { what: 'keys of two-step sign-in', table: 'two_factors', column: 'secret', id: 'user_id', name: 'user_id' },
  { what: 'signing keys', table: 'jwks', column: 'private_key', id: 'id', name: 'id' },
  {
    what: 'keys of the installation',
    table: 'installation_secrets',
    column: 'value',
    id: `case name when 'canary' then 'zzz' else name end`,
    name: 'name',
    only: `name <> 'application-secret'`,
  },
]

/** What carries a key that is none of these, by what it is. */
export async function countForeign(db: Db, keyIds: readonly string[]): Promise<{ what: string; count: number }[]> {
  const found: { what: string; count: number }[] = []
  for (const sealed of SEALED) {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(sealed.table)}
      where ${condition(sealed)} and ${keyIdOf(sealed)} <> all (${[...keyIds]}::text[])`.execute(db)
    const count = rows[0]?.count ?? 0
    if (count > 0) found.push({ what: sealed.what, count })
  }
  return found
}

/** Rows of another key than this one, after an id. */
export async function listForeign(
  db: Db,
  sealed: SealedColumn,
  { keyId, after, limit }: { keyId: string; after: string; limit: number },
): Promise<SealedRow[]> {
  const id = sql.raw(sealed.id)
  const { rows } = await sql<SealedRow>`
    select ${id} as id, ${sql.raw(sealed.name)} as name, ${sql.ref(sealed.column)} as value from ${sql.table(sealed.table)}
    where ${condition(sealed)} and ${keyIdOf(sealed)} <> ${keyId} and ${id} > ${after} order by ${id} limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Puts a new text in the place of an old one. One that was changed meanwhile is encrypted with the current key already. */
export async function replaceSealed(db: Db, sealed: SealedColumn, row: SealedRow, value: string): Promise<void> {
  await sql`update ${sql.table(sealed.table)} set ${sql.ref(sealed.column)} = ${value}
    where ${sql.raw(sealed.id)} = ${row.id} and ${sql.ref(sealed.column)} = ${row.value}`.execute(db)
}

/** Tokens that sign-in providers gave, after an account: encrypted by the sign-in library, which names no key in them. */
export async function listProviderTokens(db: Db, after: string, limit: number) {
  return db
    .selectFrom('accounts')
    .where('provider_id', '<>', 'credential')
    .where('id', '>', after)
    .select(['id', 'access_token', 'refresh_token', 'id_token'])
    .orderBy('id')
    .limit(limit)
    .execute()
}

export type ProviderTokens = Awaited<ReturnType<typeof listProviderTokens>>[number]

/** Keeps tokens of a provider. */
export async function replaceProviderTokens(db: Db, { id, ...tokens }: ProviderTokens): Promise<void> {
  await db.updateTable('accounts').set(tokens).where('id', '=', id).execute()
}

function condition({ column, only }: SealedColumn) {
  return sql`${sql.ref(column)} like 'v1.%' and ${sql.raw(only ?? 'true')}`
}

function keyIdOf({ column }: SealedColumn) {
  return sql`split_part(${sql.ref(column)}, '.', 2)`
}
