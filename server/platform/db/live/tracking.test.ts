// Which rows a query depends on: when it is narrowed, and when it must not be.
import {
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import { describe, expect, test } from 'vitest'
import { readSetOf } from './tracking.analysis.ts'

type Row = { org: string; id: string; parent: string; text: string; n: number }
type Schema = { a: Row; b: Row; c: Row; secret: Row }

const db = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (on) => new PostgresIntrospector(on),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
const keys = ['org', 'id', 'parent']
const tracked = new Map(['a', 'b', 'c'].map((table) => [table, keys]))

function reads(query: Compilable) {
  const { tables, everything } = readSetOf(query.compile().query, tracked)
  return everything ? 'everything' : tables.map(({ table, equals }) => [table, equals]).sort()
}

describe('a query is narrowed by', () => {
  test('equality and short lists of text in the top-level AND', () => {
    const query = db
      .selectFrom('a')
      .selectAll()
      .where('org', '=', 'o')
      .where('a.id', 'in', ['1', '2'])
      .where('n', '>', 3)
    expect(reads(query)).toEqual([['a', { org: ['o'], id: ['1', '2'] }]])
  })
  test('a condition in parentheses and one next to BETWEEN', () => {
    const query = db
      .selectFrom('a')
      .selectAll()
      .where((eb) => eb.parens(eb.and([eb('id', '=', '1'), eb.between('n', 1, 5)])))
    expect(reads(query)).toEqual([['a', { id: ['1'] }]])
  })
  test('columns that an inner join makes equal, in both directions', () => {
    const query = db.selectFrom('a').innerJoin('b', 'b.parent', 'a.id').selectAll('b').where('b.parent', '=', '7')
    expect(reads(query)).toEqual([
      ['a', { id: ['7'] }],
      ['b', { parent: ['7'] }],
    ])
  })
  test('what is bound on the left of a left join, on the joined side', () => {
    const query = db
      .selectFrom('a')
      .leftJoin('b', (join) => join.onRef('b.parent', '=', 'a.id').on('b.org', '=', 'o'))
      .selectAll('a')
      .where('a.id', '=', '1')
    expect(reads(query)).toEqual([
      ['a', { id: ['1'] }],
      ['b', { org: ['o'], parent: ['1'] }],
    ])
  })
  test('the bound columns of the SELECT around a correlated sub-query', () => {
    const query = db
      .selectFrom('a')
      .where('a.id', '=', '1')
      .select((eb) => [
        jsonArrayFrom(eb.selectFrom('b').select('b.text').whereRef('b.parent', '=', 'a.id')).as('many'),
        jsonObjectFrom(eb.selectFrom('c').select('c.text').whereRef('c.id', '=', 'a.id')).as('one'),
      ])
    expect(reads(query)).toEqual([
      ['a', { id: ['1'] }],
      ['b', { parent: ['1'] }],
      ['c', { id: ['1'] }],
    ])
  })
  test('each part of a union by its own conditions', () => {
    const query = db
      .selectFrom('a')
      .select('id')
      .where('id', '=', '1')
      .union(db.selectFrom('b').select('id').where('id', '=', '2'))
    expect(reads(query)).toEqual([
      ['a', { id: ['1'] }],
      ['b', { id: ['2'] }],
    ])
  })
})

describe('a query is not narrowed by', () => {
  const whole = [['a', null]]
  test.each([
    ['OR', db.selectFrom('a').where((eb) => eb.or([eb('id', '=', '1'), eb('n', '=', 2)]))],
    ['NOT', db.selectFrom('a').where((eb) => eb.not(eb('id', '=', '1')))],
    ['inequality', db.selectFrom('a').where('id', '>', '1')],
    [
      'a number, which the database would compare as other text',
      db.selectFrom('a').where('id', '=', sql.val(1) as never),
    ],
    ['text that changes on its way to UTF-8', db.selectFrom('a').where('id', '=', '\ud800')],
    ['null', db.selectFrom('a').where('id', '=', null as never)],
    ['a long list', db.selectFrom('a').where('id', 'in', Array.from({ length: 65 }, String))],
    ['a column that is no key', db.selectFrom('a').where('text', '=', 'x')],
    [
      'raw text whose OR takes the AND apart',
      db.selectFrom('a').where(sql<boolean>`n = 1 or true`).where('id', '=', '1'),
    ],
    ['raw text that begins a range', db.selectFrom('a').where(sql<boolean>`n between 1`).where('id', '=', '1')],
    [
      'a comparison with raw text that has an OR',
      db.selectFrom('a').where('n', '=', sql<number>`1 or true`).where('id', '=', '1'),
    ],
  ])('%s', (_, query) => {
    expect(reads(query.selectAll())).toEqual(whole)
  })
  test('the ON of a left join, on the left side', () => {
    const query = db
      .selectFrom('a')
      .leftJoin('b', (join) => join.onRef('b.id', '=', 'a.id').on('a.id', '=', '1'))
      .selectAll()
    expect(reads(query)).toEqual([
      ['a', null],
      ['b', null],
    ])
  })
  test.each([
    [
      'right join',
      db
        .selectFrom('a')
        .rightJoin('b', (on) => on.onRef('b.id', '=', 'a.id').on('b.org', '=', 'o').on('a.org', '=', 'o')),
    ],
    [
      'full join',
      db
        .selectFrom('a')
        .fullJoin('b', (on) => on.onRef('b.id', '=', 'a.id').on('b.org', '=', 'o').on('a.org', '=', 'o')),
    ],
  ])('the ON of a %s', (_, query) => {
    expect(reads(query.selectAll('a'))).toEqual([
      ['a', null],
      ['b', null],
    ])
  })
  test('the columns around a common table expression or a lateral sub-query', () => {
    const query = db
      .with('recent', (on) => on.selectFrom('b').selectAll().whereRef('b.parent', '=', sql.ref('a.id')))
      .selectFrom('a')
      .innerJoinLateral(
        (eb) => eb.selectFrom('c').selectAll().whereRef('c.parent', '=', 'a.id').as('x'),
        (join) => join.onTrue(),
      )
      .selectAll('a')
      .where('a.id', '=', '1')
    expect(reads(query)).toEqual([
      ['a', { id: ['1'] }],
      ['b', null],
      ['c', null],
    ])
  })
})

describe('names', () => {
  test('an alias hides the table and outer alias of the same name', () => {
    const query = db
      .selectFrom('a as x')
      .where('x.id', '=', '1')
      .select((eb) => eb.selectFrom('b as x').select('x.text').whereRef('x.parent', '=', 'x.id').limit(1).as('inner'))
    expect(reads(query)).toEqual([
      ['a', { id: ['1'] }],
      ['b', null],
    ])
  })
  test('an inner sub-query hides the outer table whose name it takes', () => {
    const query = db
      .selectFrom('a')
      .where('a.id', '=', '1')
      .select((eb) =>
        eb
          .selectFrom((on) => on.selectFrom('b').selectAll().as('a'))
          .innerJoin('c', 'c.id', 'a.id')
          .select('c.text')
          .limit(1)
          .as('inner'),
      )
    expect(reads(query)).toEqual([
      ['a', { id: ['1'] }],
      ['b', null],
      ['c', null],
    ])
  })
  test('an alias that is the name of another table is not that table', () => {
    expect(reads(db.selectFrom('a as b').selectAll().where('b.id', '=', '1'))).toEqual([['a', { id: ['1'] }]])
  })
  test('a common table expression hides the table of its name, but not from itself', () => {
    const query = db
      .with('a', (on) => on.selectFrom('a').selectAll().where('id', '=', '1'))
      .selectFrom('a')
      .selectAll()
      .where('a.id', '=', '2')
    expect(reads(query)).toEqual([['a', { id: ['1'] }]])
  })
  test('two sources of one name prove nothing', () => {
    const query = db.selectFrom(['a as x', 'b as x']).selectAll().where('x.id', '=', '1')
    expect(reads(query)).toEqual([])
  })
})

describe('raw SQL', () => {
  test.each([
    ['in a condition', db.selectFrom('a').selectAll().where(sql<boolean>`exists (select from secret)`)],
    ['as a source', db.selectFrom(sql<Row>`secret`.as('s')).selectAll()],
    [
      'that reads what its argument names',
      db.selectFrom('a').select(sql`query_to_xml('select 1', true, true, '')`.as('x')),
    ],
    ['as a function that does', db.selectFrom('a').select((eb) => eb.fn('table_to_xml', [sql.lit('secret')]).as('x'))],
    ['with a comment', db.selectFrom('a').select(sql`1 -- `.as('x'))],
    ['that closes a parenthesis it did not open', db.selectFrom('a').select(sql`1) x`.as('x'))],
  ])('%s may read everything', (_, query) => {
    expect(reads(query)).toBe('everything')
  })
  test('without words of relation keeps the query narrow', () => {
    const query = db
      .selectFrom('a')
      .select(sql`coalesce(text, 'from nowhere') is distinct from ${'x'}`.as('x'))
      .where('id', '=', '1')
      .where(sql<boolean>`lower(text) = ${'y'}`)
    expect(reads(query)).toEqual([['a', { id: ['1'] }]])
  })
})

describe('refused', () => {
  test.each([
    ['a table that is not declared', db.selectFrom('secret').selectAll()],
    ['one in a sub-query', db.selectFrom('a').selectAll().where('id', 'in', db.selectFrom('secret').select('id'))],
    ['a table of another schema', db.withSchema('other').selectFrom('a').selectAll()],
    ['an insert', db.insertInto('a').values({ org: '', id: '', parent: '', text: '', n: 1 })],
    ['an update', db.updateTable('a').set({ n: 1 })],
    ['a delete', db.deleteFrom('a')],
    [
      'a common table expression that writes',
      db
        .with('gone', (on) => on.deleteFrom('a').returningAll())
        .selectFrom('gone')
        .selectAll(),
    ],
  ])('%s', (_, query) => {
    expect(() => reads(query)).toThrow(/A live query/)
  })
})
