// Schemas of strangers: what can be used, what the check lets through, and what counts as a change.
import { describe, expect, it } from 'vitest'
import { checkOf, cutDescription, hashOfTool, offeredSchema, problemOf } from './schema.rules.ts'

const order = { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] }
const withRefs = {
  type: 'object',
  properties: { to: { $ref: '#/$defs/place', description: 'Where to' } },
  $defs: { place: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
}
const doubling = Object.fromEntries(
  Array.from({ length: 30 }, (_, at) => [`d${at}`, { anyOf: [1, 2].map(() => ({ $ref: `#/$defs/d${at + 1}` })) }]),
)

describe('a schema', () => {
  it.each<[string | null, unknown]>([
    [null, order],
    [null, { type: 'object' }],
    [null, withRefs],
    [null, { type: 'object', properties: { not: { type: 'string', pattern: '^(a+)+$' } } }],
    [null, { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } }],
    ['schema_not_object', undefined],
    ['schema_not_object', []],
    ['schema_not_object', { type: 'string' }],
    ['schema_too_large', { ...order, description: 'x'.repeat(16_000) }],
    ['schema_unsupported', { ...order, anyOf: [{ required: ['number'] }] }],
    ['schema_unsupported', { type: 'object', patternProperties: { '^(a+)+$': {} } }],
    ['schema_unsupported', { type: 'object', properties: { a: { if: {} } } }],
    ['schema_unsupported', { type: 'object', properties: { 'два слова': { type: 'string' } } }],
    ['schema_unsupported', { type: 'object', properties: { a: { $ref: 'https://other.example/schema' } } }],
    ['schema_unsupported', { type: 'object', properties: { a: { type: 'weird' } } }],
    ['schema_unsupported', { type: 'object', properties: { a: { description: 'seen\u{e0041}\u{e0042}' } } }],
    ['schema_unsupported', { type: 'object', properties: { a: { description: 'nul \0' } } }],
    [
      'schema_unsupported',
      { type: 'object', $defs: { a: { $ref: '#/$defs/a' } }, properties: { a: { $ref: '#/$defs/a' } } },
    ],
    [
      'schema_unsupported',
      { type: 'object', $defs: { ...doubling, d30: {} }, properties: { a: { $ref: '#/$defs/d0' } } },
    ],
  ])('has the problem %s', (problem, schema) => {
    expect(problemOf('What it does.', schema)).toBe(problem)
  })

  it('is whole in itself for models', () => {
    expect(offeredSchema(withRefs)).toEqual({
      type: 'object',
      properties: { to: { ...withRefs.$defs.place, description: 'Where to' } },
      additionalProperties: false,
    })
  })

  it.each<[boolean, Record<string, unknown>, unknown]>([
    [true, order, { number: 'A-1' }],
    [false, order, {}],
    [false, order, { number: 7 }],
    [false, order, ['A-1']],
    [false, order, { number: 'A-1', phone: '77010000002' }],
    [false, { type: 'object' }, { phone: '77010000002' }],
    [true, { ...order, additionalProperties: true }, { number: 'A-1', note: 'soon' }],
    [true, { ...order, additionalProperties: { type: 'number' } }, { number: 'A-1', quantity: 2 }],
    [false, { ...order, additionalProperties: { type: 'number' } }, { number: 'A-1', quantity: 'two' }],
    [true, withRefs, { to: { city: 'Almaty' } }],
    [false, withRefs, { to: {} }],
    [
      true,
      { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } },
      { at: '2026-01-01T10:00:00+05:00' },
    ],
    [true, { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }, { a: `${'a'.repeat(50)}!` }],
  ])('lets through: %s', (isSound, schema, args) => {
    expect(checkOf(schema)?.safeParse(args).success).toBe(isSound)
  })
})

describe('a tool', () => {
  it('has changed when its words or its schema have, not when keys stand in another order', () => {
    const before = hashOfTool('Orders', order)
    expect(hashOfTool('Orders', { required: ['number'], properties: order.properties, type: 'object' })).toBe(before)
    expect(hashOfTool('Orders!', order)).not.toBe(before)
    expect(hashOfTool('Orders', { ...order, required: [] })).not.toBe(before)
  })

  it('shows what models read of its description', () => {
    expect(cutDescription('Or\u200bders\u{e0041}\u202e\0')).toBe('Orders')
    expect(problemOf('x'.repeat(4001), order)).toBe('description_too_long')
  })
})
