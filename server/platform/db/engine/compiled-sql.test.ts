// Compares the caching compiler with Kysely's own.
import {
  type CompiledQuery,
  PostgresQueryCompiler,
  type QueryId,
  type RawBuilder,
  type RootOperationNode,
  sql,
} from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { rememberingCompiler } from './compiled-sql.ts'

const compiler = new PostgresQueryCompiler()
const queryId: QueryId = { queryId: 'test' }
let made = 0
let compile: (node: RootOperationNode, queryId: QueryId) => CompiledQuery

beforeEach(() => {
  made = 0
  compile = rememberingCompiler((node, id) => {
    made += 1
    return compiler.compileQuery(node, id)
  })
})

const nodeOf = (statement: RawBuilder<unknown>) => statement.toOperationNode() as RootOperationNode

/** The statement compiled by Kysely and by the caching compiler. */
function both(statement: RawBuilder<unknown>) {
  const node = nodeOf(statement)
  const [own, theirs] = [compile(node, queryId), compiler.compileQuery(node, queryId)]
  return [own, theirs].map(({ sql: text, parameters }) => ({ text, parameters }))
}

const isOpen = (since: number) => sql`t.since > ${since}`
const find = (id: string, since: number, condition = isOpen(since)) =>
  sql`select * from turns t where t.id = ${id} and ${condition} and t.status = ${sql.lit('open')}`

describe('a statement written as a template', () => {
  it.each<[string, () => RawBuilder<unknown>]>([
    ['without parameters', () => sql`select 1`],
    [
      'with parameters of all kinds',
      () => sql`select ${1}, ${'a'}, ${null}, ${[1, 2]}::int[], ${new Date(0)}, ${true}`,
    ],
    ['with parts that have parameters', () => find('turn', 5)],
    ['with a choice of parts', () => sql`select ${made % 2 === 0 ? sql`now()` : sql`null`}`],
    ['with literals', () => sql`select ${sql.lit(1)}, ${sql.lit('1')}, ${sql.lit(true)}, ${sql.lit(null)}`],
    ['with plain text', () => sql`select ${sql.raw('now()')}, ${2}`],
    ['with a list', () => sql`select ${sql.join([1, sql`now()`, 'three'])}`],
    [
      'with names',
      () => sql`select ${sql.ref('turns.id')} from ${sql.table('turns')} where ${sql.id('a', 'b')} = ${3}`,
    ],
  ])('is what Kysely makes of it, the first time and again: %s', (_, statement) => {
    for (let time = 0; time < 3; time += 1) {
      const [own, theirs] = both(statement())
      expect(own).toEqual(theirs)
    }
  })

  it('is put together once, whatever its parameters are', () => {
    const texts = ['one', 'two', 'three'].map((id, since) => compile(nodeOf(find(id, since)), queryId))
    expect(made).toBe(1)
    expect(texts.map(({ parameters }) => parameters)).toEqual([
      ['one', 0],
      ['two', 1],
      ['three', 2],
    ])
  })
})

it('tells statements apart that differ in a part, a literal, or the place of a parameter', () => {
  const statements = [
    () => find('a', 1),
    () => find('a', 1, sql`true`),
    () => find('a', 1, sql`${1} > t.since`),
    () => sql`select ${sql.lit('1')}`,
    () => sql`select ${sql.lit(1)}`,
    () => sql`select ${sql.raw('1')}`,
    () => sql`select ${sql.lit(new Date(1))}`,
    () => sql`select ${sql.lit(new Date(2))}`,
    () => sql`select ${'1'}`,
    () => sql`select ${sql.join([1, 2])}`,
    () => sql`select ${sql.join([1, 2, 3])}`,
    () => sql`select ${sql`${1}, ${2}`}`,
  ]
  for (let round = 0; round < 2; round += 1) {
    for (const statement of statements) {
      const [own, theirs] = both(statement())
      expect(own).toEqual(theirs)
    }
  }
})

it('goes on when more shapes come than are kept', () => {
  for (let length = 1; length <= 10_100; length += 1) {
    compile(nodeOf(sql`select ${sql.raw(`${length}`)}`), queryId)
  }
  const [own, theirs] = both(sql`select ${sql.raw('10100')}`)
  expect(own).toEqual(theirs)
})
