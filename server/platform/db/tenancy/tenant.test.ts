// The first wall: the predicate stands in the query itself. The second wall is tested in row-security.test.ts.
import {
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Tables } from '../tables/database.ts'
import { bindToOrganization } from './tenant.ts'

const compiler = new PostgresQueryCompiler()
const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (on) => new PostgresIntrospector(on),
    createQueryCompiler: () => compiler,
  },
})
const id = (text: string) => text as never

/** The SQL of a query bound to the organization `o`, without quotes. */
function bound(query: Compilable): { text: string; values: readonly unknown[] } {
  const { sql: text, parameters } = compiler.compileQuery(bindToOrganization(query.compile().query, 'o'), {
    queryId: 'test',
  })
  return { text: text.replaceAll('"', ''), values: parameters }
}
const text = (query: Compilable) => bound(query).text

describe('a read is bound', () => {
  test('by the name of the table, after what was asked', () => {
    expect(bound(db.selectFrom('agents').select('name').where('slug', '=', 's'))).toEqual({
      text: 'select name from agents where (slug = $1) and agents.organization_id = $2',
      values: ['s', 'o'],
    })
  })
  test('by the alias', () => {
    expect(text(db.selectFrom('agents as a').select('a.name'))).toBe(
      'select a.name from agents as a where a.organization_id = $1',
    )
  })
  test('in the ON of a left join, so that its rows stay', () => {
    const query = db
      .selectFrom('conversations as c')
      .leftJoin('customers as k', 'k.id', 'c.customer_id')
      .select('k.name')
    expect(text(query)).toBe(
      'select k.name from conversations as c left join customers as k on (k.id = c.customer_id) and k.organization_id = $1 where c.organization_id = $2',
    )
  })
  test('in each table of an inner, cross and lateral join', () => {
    const query = db
      .selectFrom('agents as a')
      .innerJoin('conversations as c', 'c.agent_id', 'a.id')
      .crossJoin('documents as d')
      .innerJoinLateral(
        (eb) => eb.selectFrom('messages as m').select('m.text').whereRef('m.conversation_id', '=', 'c.id').as('last'),
        (join) => join.onTrue(),
      )
      .select('last.text')
    expect(text(query)).toMatch(/c\.organization_id = \$1/)
    expect(text(query)).toMatch(/m\.organization_id = /)
    expect(text(query)).toMatch(/where a\.organization_id = \$\d and d\.organization_id = \$\d$/)
  })
  test('in sub-queries, unions and common table expressions', () => {
    const query = db
      .with('recent', (on) => on.selectFrom('messages').select('conversation_id'))
      .selectFrom('conversations')
      .select('id')
      .where('id', 'in', (eb) => eb.selectFrom('recent').select('conversation_id'))
      .where((eb) => eb.exists(eb.selectFrom('turns').select('id')))
      .union(db.selectFrom('agents').select(sql<never>`id`.as('id')))
    for (const table of ['messages', 'conversations', 'turns', 'agents']) {
      expect(text(query)).toContain(`${table}.organization_id = `)
    }
  })
  test('although raw text next to it has an OR', () => {
    expect(text(db.selectFrom('agents').select('id').where(sql<boolean>`true or true`))).toBe(
      'select id from agents where (true or true) and agents.organization_id = $1',
    )
  })
  test('inside raw SQL that holds a query', () => {
    const inner = db.selectFrom('agents').select('id')
    expect(text(db.selectFrom('users').select(sql`array(${inner})`.as('ids')))).toContain('agents.organization_id = ')
  })
  test('and not where the table belongs to no organization', () => {
    expect(text(db.selectFrom('users').select('id'))).toBe('select id from users')
  })
})

describe('a write is bound', () => {
  test('when it updates, also from other tables', () => {
    const query = db
      .updateTable('agents as a')
      .from('knowledge_spaces as k')
      .set({ name: 'x' })
      .whereRef('k.name', '=', 'a.name')
    expect(text(query)).toMatch(
      /where \(k\.name = a\.name\) and a\.organization_id = \$2 and k\.organization_id = \$3$/,
    )
  })
  test('when it deletes, also using other tables', () => {
    const query = db.deleteFrom('agents').using('knowledge_spaces as k').whereRef('k.id', '=', sql.ref('agents.id'))
    expect(text(query)).toMatch(/agents\.organization_id = \$1 and k\.organization_id = \$2$/)
  })
  test('when it inserts: the column is added, or overwritten in every row', () => {
    const row = { agent_id: id('a'), knowledge_space_id: id('k') }
    expect(bound(db.insertInto('agent_knowledge_spaces').values(row as never)).values).toEqual(['a', 'k', 'o'])
    const rows = ['other', 'o'].map((organization) => ({ ...row, organization_id: id(organization) }))
    expect(bound(db.insertInto('agent_knowledge_spaces').values(rows)).values).toEqual(['a', 'k', 'o', 'a', 'k', 'o'])
    const mixed = { ...row, organization_id: sql<never>`'other'` }
    expect(text(db.insertInto('agent_knowledge_spaces').values(mixed))).not.toContain('other')
  })
  test('when it inserts over an existing row: the row of another organization stays', () => {
    const query = db
      .insertInto('usage_hours')
      .values({ organization_id: id('o'), hour: 'h', category: id('c'), channel: id('t'), shard: 1 })
      .onConflict((on) => on.column('hour').doUpdateSet({ messages: 1 }))
    expect(text(query)).toMatch(/do update set messages = \$\d+ where usage_hours\.organization_id = \$\d+$/)
  })
  test('when it inserts a plain query', () => {
    const query = db
      .insertInto('agent_knowledge_spaces')
      .columns(['agent_id', 'knowledge_space_id'])
      .expression(
        db
          .selectFrom('agents as a')
          .innerJoin('knowledge_spaces as k', 'k.name', 'a.name')
          .select(['a.id', 'k.id as space']),
      )
    expect(text(query)).toMatch(
      /^insert into agent_knowledge_spaces \(agent_id, knowledge_space_id, organization_id\) select a\.id, k\.id as space, \$1 as organization_id from/,
    )
  })
})

describe('refused is', () => {
  const star = db.selectFrom('agent_knowledge_spaces').selectAll()
  test.each([
    ['a right join', db.selectFrom('agents').rightJoin('messages', 'messages.id', 'agents.id').select('agents.id')],
    ['a full join', db.selectFrom('agents').fullJoin('messages', 'messages.id', 'agents.id').select('agents.id')],
    ['an update of the organization', db.updateTable('agents').set({ organization_id: id('x') })],
    [
      'one on conflict',
      db
        .insertInto('usage_hours')
        .values({ hour: 'h' } as never)
        .onConflict((on) => on.column('hour').doUpdateSet({ organization_id: id('x') })),
    ],
    [
      'an insert of all columns of a query',
      db
        .insertInto('agent_knowledge_spaces')
        .columns(['agent_id', 'knowledge_space_id', 'created_at', 'organization_id'])
        .expression(star),
    ],
    ['an insert without columns', db.insertInto('agents').defaultValues()],
    [
      'a common table expression named like a tenant table',
      db
        .with('agents', (on) => on.selectFrom('users').select('id'))
        .selectFrom('agents')
        .select('id'),
    ],
    [
      'a merge',
      db
        .mergeInto('agents')
        .using('users', (join) => join.onTrue())
        .whenMatched()
        .thenDelete(),
    ],
  ])('%s', (_, query) => {
    expect(() => bound(query)).toThrow(
      /cannot be bound to|does not move to another|selects a plain list|names its columns|may not be named|is not available inside/,
    )
  })
})
