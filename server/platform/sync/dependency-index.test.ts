// Checks the index against the definition of a dependency, on random readers and writes.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Change, Dependency } from '#server/platform/db/database.ts'
import { DependencyIndex } from './dependency-index.ts'

const value = fc.integer({ min: 0, max: 3 })
const columns = ['organization_id', 'id', 'parent_id'] as const
const table = fc.constantFrom('agents', 'messages')
const dependency: fc.Arbitrary<Dependency> = fc.record({
  table,
  equals: fc.option(
    fc.dictionary(fc.constantFrom(...columns), fc.uniqueArray(value, { maxLength: 3 }), { noNullPrototype: true }),
  ),
})
const row = fc.record({
  organization_id: value,
  id: fc.oneof(value, value.map(String)),
  parent_id: fc.option(value),
})
const change: fc.Arbitrary<Change> = fc.record({ table, keys: fc.option(fc.array(row, { maxLength: 3 })) })

/** The definition of a dependency, without an index. */
function concerns(reader: Dependency, write: Change): boolean {
  if (reader.table !== write.table) return false
  if (reader.equals === null) return true
  const conditions = Object.entries(reader.equals)
  if (write.keys === null) return conditions.every(([, values]) => values.length > 0)
  return write.keys.some((keys) =>
    conditions.every(([column, values]) => values.some((wanted) => String(wanted) === String(keys[column]))),
  )
}

describe('the dependency index', () => {
  it('finds exactly the readers whose conditions a changed row meets', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(dependency, { maxLength: 3 }), { maxLength: 12 }),
        fc.array(change, { maxLength: 4 }),
        (readers, changes) => {
          const index = new DependencyIndex<number>()
          for (const [reader, dependencies] of readers.entries()) index.set(reader, dependencies)
          const expected = readers.flatMap((dependencies, reader) =>
            dependencies.some((one) => changes.some((write) => concerns(one, write))) ? [reader] : [],
          )
          // A change of the whole table without keys matches no reader by key, but every reader of the whole table.
          const whole = readers.flatMap((dependencies, reader) =>
            dependencies.some((one) => isWhole(one) && changes.some((write) => write.table === one.table))
              ? [reader]
              : [],
          )
          expect([...index.lookup(changes)].sort()).toEqual([...new Set([...expected, ...whole])].sort())
          expect(index.touches(changes)).toBe(index.lookup(changes).size > 0)
        },
      ),
      { numRuns: 500, seed: 7 },
    )
  })

  it('finds no reader that was replaced or removed', () => {
    const index = new DependencyIndex<string>()
    index.set('reader', [{ table: 'agents', equals: { id: ['a'] } }])
    index.set('reader', [{ table: 'agents', equals: { id: ['b'] } }])
    expect(index.lookup([{ table: 'agents', keys: [{ id: 'a' }] }]).size).toBe(0)
    expect(index.lookup([{ table: 'agents', keys: [{ id: 'b' }] }]).size).toBe(1)
    index.delete('reader')
    expect(index.lookup([{ table: 'agents', keys: null }]).size).toBe(0)
  })

  it('treats a change without a column as one of any value', () => {
    const index = new DependencyIndex<string>()
    index.set('reader', [{ table: 'agents', equals: { id: ['a'] } }])
    expect(index.lookup([{ table: 'agents', keys: [{ organization_id: 'o' }] }]).size).toBe(1)
  })
})

function isWhole({ equals }: Dependency): boolean {
  return equals === null || Object.keys(equals).length === 0
}
