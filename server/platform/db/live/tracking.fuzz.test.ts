// Random queries against random writes on a real database: whenever a result changes, the write log must name a row that the
// query depends on. Faults are injected on purpose to show that the search would find them.
import { type CompiledQuery, type OperationNode, PostgresQueryCompiler, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { randomSelect, randomWrite } from '#tests/fuzz-queries.ts'
import { type Random, seededRandom } from '#tests/random.ts'
import type { Change } from '../database.ts'
import { mapChildren } from '../nodes.ts'
import { triggers } from '../triggers.ts'
import { type ReadSet, readSetOf } from './tracking.analysis.ts'

const KEYS = ['org', 'id', 'parent']
const TABLES = { fuzz_a: { keys: KEYS }, fuzz_b: { keys: KEYS }, fuzz_c: { keys: KEYS } }
const TRACKED = new Map(Object.entries(TABLES).map(([name, { keys }]) => [name, keys]))
const QUERIES = 300
const WRITES = 6
/** A fault must show within this many queries. */
const CONTROL_QUERIES = 1500

vi.setConfig({ testTimeout: 240_000 })

let t: TestDatabase
beforeAll(async () => {
  t = await openTestDatabase()
  for (const table of Object.keys(TABLES)) {
    await run(`create table ${table} (org text not null, id text not null, parent text, n integer not null)`)
  }
  for (const { statements } of triggers(TABLES)) for (const statement of statements) await run(statement)
})
afterAll(() => t.close())

type Rewrite = (node: OperationNode) => OperationNode
const asIs: Rewrite = (node) => node

test(`no change of a result goes unseen in ${QUERIES} queries`, async () => {
  const { missed, changed, narrow } = await search(QUERIES, asIs)
  expect(missed).toBeNull()
  expect(changed).toBeGreaterThan(QUERIES / 10) // the search looks at something
  expect(narrow).toBeGreaterThan(QUERIES / 10)
})

describe('an injected fault is found:', () => {
  test('a left join narrows the left side', async () => {
    const fault = rewriting((node) => (isJoin(node, 'LeftJoin') ? { ...node, joinType: 'InnerJoin' } : node))
    expect((await search(CONTROL_QUERIES, fault)).missed).not.toBeNull()
  })
  test('OR narrows as AND does', async () => {
    const fault = rewriting((node) => (node.kind === 'OrNode' ? { ...node, kind: 'AndNode' } : node))
    expect((await search(CONTROL_QUERIES, fault)).missed).not.toBeNull()
  })
  test('the old keys of an update are not recorded', async () => {
    const functions = triggers(TABLES).filter(({ name }) => name === 'write_log_update')
    for (const { statements } of functions)
      await run(String(statements[0]).replace(/select [\w, ]+ from old_rows union/, ''))
    const { missed } = await search(CONTROL_QUERIES, asIs)
    for (const { statements } of functions) await run(String(statements[0]))
    expect(missed).not.toBeNull()
  })
})

type Findings = { missed: string | null; changed: number; narrow: number }

/** Runs queries against writes until one change goes unseen. */
async function search(queries: number, fault: Rewrite): Promise<Findings> {
  const findings: Findings = { missed: null, changed: 0, narrow: 0 }
  for (let seed = 1; seed <= queries && !findings.missed; seed++) await tryQuery(seed, fault, findings)
  return findings
}

async function tryQuery(seed: number, fault: Rewrite, findings: Findings): Promise<void> {
  const random = seededRandom(seed)
  const node = randomSelect(random, Object.keys(TABLES))
  const query = compiler.compileQuery(node, { queryId: String(seed) })
  const reads = readSetOf(fault(node), TRACKED)
  if (reads.tables.some(({ equals }) => equals)) findings.narrow++
  if (seed % 20 === 1) await refill(random)
  let before = await resultOf(query)
  for (let write = 0; write < WRITES && before !== null; write++) {
    const statement = randomWrite(random, Object.keys(TABLES))
    const changes = await changesOf(statement)
    const after = await resultOf(query)
    if (after !== before) {
      findings.changed++
      if (!changes.some((change) => isSeen(change, reads)))
        findings.missed ??= `seed ${seed}: ${query.sql} — ${statement}`
    }
    before = after
  }
}

const compiler = new PostgresQueryCompiler()

/** Null: the database refuses the query, as it does some full joins. */
async function resultOf(query: CompiledQuery): Promise<string | null> {
  try {
    const { rows } = await t.database.root.executeQuery(query)
    return JSON.stringify(rows.map((row) => JSON.stringify(row)).sort())
  } catch {
    return null
  }
}

async function changesOf(statement: string): Promise<Change[]> {
  await run('delete from write_log')
  await run(statement)
  const rows = await t.database.root.selectFrom('write_log').select(['table_name as table', 'keys']).execute()
  return rows
}

function isSeen({ table, keys }: Change, { tables, everything }: ReadSet): boolean {
  if (everything) return true
  return tables.some(
    (read) =>
      read.table === table && (!keys || !read.equals || keys.some((tuple) => matches(tuple, read.equals ?? {}))),
  )
}

function matches(tuple: Record<string, string | number | null>, equals: Record<string, string[]>): boolean {
  return Object.entries(equals).every(([column, values]) => values.includes(String(tuple[column])))
}

async function refill(random: Random): Promise<void> {
  for (const table of Object.keys(TABLES)) {
    await run(`truncate ${table}`)
    for (let row = 0; row < 8; row++) await run(randomWrite(random, [table], 'insert'))
  }
}

async function run(statement: string): Promise<void> {
  await sql.raw(statement).execute(t.database.root)
}

function rewriting(change: (node: OperationNode) => object): Rewrite {
  const rewrite: Rewrite = (node) => mapChildren(change(node) as OperationNode, rewrite)
  return rewrite
}

function isJoin(node: OperationNode, type: string): boolean {
  return node.kind === 'JoinNode' && 'joinType' in node && node.joinType === type
}
