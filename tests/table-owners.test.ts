// Each table is written by one folder: the law, what does not keep it yet, and the reading of SQL that it rests on.
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { OWNERS } from '#server/platform/db/tables/owners.ts'
import { COMPUTED, tablesWritten } from './table-writes.ts'

const ROOT = path.resolve(import.meta.dirname, '..')

/** What is written outside its owner's folder, with the reason. Exact: what is not needed any more has to go. `*`: the name is computed. */
const EXCEPTIONS: Record<string, { tables: string[]; because: string }> = {
  'server/domain/knowledge/documents/source-metadata.store.ts': {
    tables: [COMPUTED],
    because:
      'documents, notes and tables have the same columns for tags, validity and language, changed by one statement',
  },
  'server/domain/knowledge/search/segments.store.ts': {
    tables: ['knowledge_spaces'],
    because: 'search knows no noun, and raises the version of a space that stands for its index',
  },
  'server/domain/knowledge/search/vectors/space-models.store.ts': {
    tables: ['knowledge_spaces'],
    because: 'search knows no noun, and owns the columns of the embedding models of a space',
  },
  'server/domain/knowledge/search/vectors/vectors.store.ts': {
    tables: ['knowledge_spaces'],
    because: 'search knows no noun, and forgets how far it trusts a model when its vectors go',
  },
  'server/platform/auth/sealed.store.ts': {
    tables: [COMPUTED],
    because: 'a new application secret encrypts every sealed column again, in every folder',
  },
}

describe('the owners of tables', () => {
  it('are the only ones that write them', () => {
    const known = Object.entries(EXCEPTIONS).map(([file, { tables }]) => [file, tables])
    expect(foreignWrites()).toEqual(Object.fromEntries(known))
  })

  it('are folders', () => {
    const missing = Object.values(OWNERS).filter((folder) => !fs.existsSync(path.join(ROOT, folder)))
    expect(missing).toEqual([])
  })
})

describe('what is foreign', () => {
  it('is a table of another folder, one without an owner, and one whose name is computed', () => {
    const text = `db.updateTable('turns'); sql\`insert into strange (id) values (1)\`; db.deleteFrom(table)`
    expect(foreignIn('server/domain/messaging/turns/x.store.ts', text)).toEqual([COMPUTED, 'strange'])
    expect(foreignIn('server/domain/messaging/turns/reply/x.store.ts', text)).toEqual([COMPUTED, 'strange'])
    expect(foreignIn('server/domain/messaging/turnstile/x.store.ts', text)).toEqual([COMPUTED, 'strange', 'turns'])
  })
})

describe('reading', () => {
  it.each([
    ['an insert', `await ctx.db\n  .insertInto(\n    'outbox',\n  ).values(row)`, ['outbox']],
    ['an update under another name', `db.updateTable('conversations as c').set(x)`, ['conversations']],
    ['a removal in a CTE', `db.with('gone', (with_) => with_.deleteFrom('messages'))`, ['messages']],
    ['a merge', `db.mergeInto("turns")`, ['turns']],
    ['a computed table', 'db.deleteFrom(table)', [COMPUTED]],
  ])('finds %s through Kysely', (_, text, tables) => {
    expect(tablesWritten(text)).toEqual(tables)
  })

  it.each([
    ['an insert', 'sql`insert into outbox (id) values (1)`', ['outbox']],
    ['an insert of a query', 'sql`INSERT INTO "outbox"\n select 1`', ['outbox']],
    ['an update', 'sql`update conversations set x = 1`', ['conversations']],
    ['an update under another name', 'sql`update only public.conversations as c\n set x = 1`', ['conversations']],
    ['an update in a CTE', `sql\`with a as (\n update turns t set x = \${1} returning id) select 1\``, ['turns']],
    [
      'a second write',
      'sql`with a as (insert into turns default values) delete from messages m using a`',
      ['messages', 'turns'],
    ],
    ['a merge', 'sql`merge into quotas q using x on true`', ['quotas']],
    ['a truncation', 'sql`truncate write_log`', ['write_log']],
    ['a computed table', `sql\`update \${sql.table(name)} set x = 1\``, [COMPUTED]],
    ['a computed table of an insert', `sql\`insert into \${table} (x) values (1)\``, [COMPUTED]],
  ])('finds %s in raw SQL', (_, text, tables) => {
    expect(tablesWritten(text)).toEqual(tables)
  })

  it.each([
    ['a conflict', 'sql`on conflict (id) do update set name = excluded.name`'],
    ['a lock', 'sql`select 1 from conversations c for update of c skip locked`'],
    ['a reading', `db.selectFrom('messages')`],
    ['a comment', '// update conversations set\n/** insert into turns */'],
  ])('takes %s for no write', (_, text) => {
    expect(tablesWritten(text)).toEqual([])
  })
})

function foreignWrites(): Record<string, string[]> {
  const files = fs
    .readdirSync(path.join(ROOT, 'server'), { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join('server', name.split(path.sep).join('/')))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('/db/migrations/'))
    .sort()
  const foreign = files.map((file) => [file, foreignIn(file, fs.readFileSync(path.join(ROOT, file), 'utf8'))] as const)
  return Object.fromEntries(foreign.filter(([, tables]) => tables.length > 0))
}

/** Tables that a file writes and that are not its folder's. */
function foreignIn(file: string, text: string): string[] {
  const owners: Record<string, string> = {
    ...OWNERS,
    kysely_migration: 'server/platform/db',
    'jobs.job': 'server/platform/jobs',
  }
  return tablesWritten(text).filter((table) => {
    const owner = owners[table]
    return owner === undefined || !file.startsWith(`${owner}/`)
  })
}
