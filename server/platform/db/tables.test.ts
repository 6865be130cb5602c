// The table interfaces say what the database says: the same tables, the same columns, null in the same places.
import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'

let t: TestDatabase
beforeAll(async () => {
  t = await openTestDatabase()
})
afterAll(() => t.close())

type Columns = Record<string, { nullable: boolean; hasDefault: boolean }>
const FOLDER = path.join(import.meta.dirname, 'tables')
const WITH_DEFAULT = /^(Generated|GeneratedAlways|Timestamp)\b/

/** Interface name → columns, read from the source: interfaces are gone when the program runs. */
function declaredInterfaces(): Map<string, Columns> {
  const sources = fs.readdirSync(FOLDER).map((name) => fs.readFileSync(path.join(FOLDER, name), 'utf8'))
  const found = sources.flatMap((source) => [...source.matchAll(/^export interface (\w+) \{\n([\s\S]*?)^\}/gm)])
  return new Map(found.map(([, name, body]) => [String(name), columnsOf(String(body))]))
}

function columnsOf(body: string): Columns {
  const lines = [...body.matchAll(/^ {2}(\w+): (.+)$/gm)]
  return Object.fromEntries(
    lines.map(([, name, type]) => [
      name,
      { nullable: /\| null$/.test(String(type)), hasDefault: WITH_DEFAULT.test(String(type)) },
    ]),
  )
}

/** Table name → interface name, from `Tables`. */
function declaredTables(): Map<string, Columns> {
  const interfaces = declaredInterfaces()
  const source = fs.readFileSync(path.join(FOLDER, 'database.ts'), 'utf8')
  const lines = [...source.matchAll(/^ {2}(\w+): \w+\.(\w+)$/gm)]
  return new Map(lines.map(([, table, name]) => [String(table), interfaces.get(String(name)) ?? {}]))
}

async function realTables(): Promise<Map<string, Columns>> {
  const { rows } = await sql<{ table: string; column: string; nullable: boolean; has_default: boolean }>`
    select table_name as "table", column_name as "column", is_nullable = 'YES' as nullable,
      column_default is not null or is_identity = 'YES' or is_generated = 'ALWAYS' as has_default
    from information_schema.columns where table_schema = 'public'`.execute(t.database.root)
  const tables = new Map<string, Columns>()
  for (const { table, column, nullable, has_default } of rows) {
    if (table.startsWith('kysely_') || table === 'durability_probe') continue
    tables.set(table, { ...tables.get(table), [column]: { nullable, hasDefault: has_default } })
  }
  return tables
}

test('tables and columns have the same names', async () => {
  const names = (tables: Map<string, Columns>) =>
    [...tables].flatMap(([table, columns]) => Object.keys(columns).map((column) => `${table}.${column}`)).sort()
  expect(names(declaredTables())).toEqual(names(await realTables()))
})

test('the same columns may be null', async () => {
  const nullable = (tables: Map<string, Columns>) =>
    [...tables]
      .flatMap(([table, columns]) =>
        Object.entries(columns)
          .filter(([, c]) => c.nullable)
          .map(([column]) => `${table}.${column}`),
      )
      .sort()
  expect(nullable(declaredTables())).toEqual(nullable(await realTables()))
})

test('what an insert may leave out has a default', async () => {
  const real = await realTables()
  const missing = [...declaredTables()].flatMap(([table, columns]) =>
    Object.entries(columns)
      .filter(([column, { hasDefault, nullable }]) => hasDefault && !nullable && !real.get(table)?.[column]?.hasDefault)
      .map(([column]) => `${table}.${column}`),
  )
  expect(missing).toEqual([])
})
