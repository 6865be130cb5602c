// Values come out of both engines alike.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'

let t: TestDatabase
beforeAll(async () => {
  t = await openTestDatabase()
})
afterAll(() => t.close())

async function read(expression: string, ...values: unknown[]): Promise<unknown> {
  const text = expression.split('?')
  const { rows } = await sql<{
    value: unknown
  }>`select ${sql.raw(String(text[0]))}${values.length ? sql.val(values[0]) : sql``}${sql.raw(text[1] ?? '')} as value`.execute(
    t.database.root,
  )
  return rows[0]?.value
}

test.each([
  ['9007199254740991::bigint', 9_007_199_254_740_991],
  ['(select count(*) from plans)', 4],
  ["'{1,null,3}'::bigint[]", [1, null, 3]],
  ["'{}'::bigint[]", []],
  ["date '2026-03-29'", '2026-03-29'],
  ["timestamp '2026-03-29 01:30'", '2026-03-29 01:30:00'],
  ["interval '90 minutes'", '01:30:00'],
  ["timestamptz '2026-03-29 01:30Z'", new Date('2026-03-29T01:30:00Z')],
  ['\'{"a": [1, null]}\'::jsonb', { a: [1, null] }],
  ['1.50::numeric', '1.50'],
  ['1.5::real', 1.5],
  ["array['a', 'b,c']", ['a', 'b,c']],
  ['true', true],
  ['null::text', null],
  ["'12345'::xid8", '12345'],
])('%s', async (expression, expected) => {
  expect(await read(expression)).toEqual(expected)
})

test('bytes survive both ways', async () => {
  const bytes = Uint8Array.from({ length: 300 }, (_, index) => index % 256)
  const value = await read('?::bytea', Buffer.from(bytes))
  expect(value).toBeInstanceOf(Uint8Array)
  expect(Uint8Array.from(value as Uint8Array)).toEqual(bytes)
})

test('instants, texts, lists and JSON text go in as they come out', async () => {
  const at = new Date('2026-11-21T03:04:05.678Z')
  expect(await read('?::timestamptz', at)).toEqual(at)
  expect(await read('?::text', 'Қазақша “тест” 🙂')).toBe('Қазақша “тест” 🙂')
  expect(await read('?::text[]', ['a', 'b"c'])).toEqual(['a', 'b"c'])
  expect(await read('?::jsonb', JSON.stringify(['x']))).toEqual(['x'])
})

test('an integer beyond 2^53 is an error and not another number', async () => {
  await expect(read('9007199254740993::bigint')).rejects.toThrow('beyond 2^53')
})
