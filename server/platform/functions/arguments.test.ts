// Every rule of what is accepted as arguments and as a public function, and what is not.
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { orgQuery, publicQuery } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import { canonicalArguments, parseArguments } from './arguments.ts'
import { createRegistry } from './registry.ts'

function definitionOf(args: z.ZodMiniType) {
  const handler = async () => null
  const found = createRegistry({ m: { f: publicQuery({ args, handler }) } }).find('m:f')
  if (!found) throw new Error('not registered')
  return found
}

describe('arguments', () => {
  const definition = definitionOf(z.strictObject({ text: z.string(), count: z._default(z.number(), 3) }))
  const issues = (args: Parameters<typeof parseArguments>[1]) => {
    try {
      parseArguments(definition, args)
      return []
    } catch (error) {
      return error instanceof AppError && error.code === 'invalid_arguments' ? error.data.params.issues : error
    }
  }

  it('reach the handler decoded and with defaults', () => {
    expect(parseArguments(definition, { text: 'я' })).toEqual({ text: 'я', count: 3 })
  })

  it.each([
    ['an unknown key', { text: 'a', other: 1 }],
    ['a wrong type', { text: 1 }],
    ['a missing key', {}],
    ['no object', 'text'],
    ['a NUL', { text: 'a\0' }],
    ['half a character', { text: '\udc00' }],
    ['a reserved key', JSON.parse('{"text":"a","__proto__":{"count":1}}')],
    ['a malformed number', { text: 'a', count: { $float: 'x' } }],
    ['a list that is too long', { text: Array(8193).fill(0) }],
    ['deep nesting', { text: JSON.parse('['.repeat(17) + ']'.repeat(17)) }],
  ])('are refused with %s', (_, args) => {
    expect(issues(args)).not.toEqual([])
    expect(issues(args)).toBeInstanceOf(Array)
  })

  it('that are equal have one spelling', () => {
    expect(canonicalArguments({ b: 1, a: [{ d: null, c: 2 }] })).toBe(
      canonicalArguments({ a: [{ c: 2, d: null }], b: 1 }),
    )
    expect(canonicalArguments({ a: 1 })).not.toBe(canonicalArguments({ a: '1' }))
  })
})

describe('the registry', () => {
  const handler = async () => null

  it('finds functions under the spellings of the client', () => {
    const registry = createRegistry({ 'a/b': { list: publicQuery({ args: z.strictObject({}), handler }), helper: 5 } })
    expect(registry.find('a/b:list')).toBeDefined()
    expect(registry.find('a/b.js:list')).toBe(registry.find('a/b:list'))
    expect(registry.find('a/b')).toBeUndefined()
    expect(registry.find('a/b:helper')).toBeUndefined()
    expect(registry.find('__proto__:constructor')).toBeUndefined()
    expect(registry.all().map(([name]) => name)).toEqual(['a/b:list'])
  })

  it('refuses functions that would swallow unknown keys', () => {
    const loose = z.object({ a: z.string() })
    expect(() => createRegistry({ m: { f: publicQuery({ args: loose, handler }) } })).toThrow('m:f must declare')
    const union = z.union([z.strictObject({ a: z.string() }), loose])
    expect(() => createRegistry({ m: { f: publicQuery({ args: union, handler }) } })).toThrow('m:f must declare')
  })

  it('refuses a function of which the policy of roles says nothing', () => {
    const f = orgQuery({ args: z.strictObject({}), handler })
    expect(() => createRegistry({ m: { f } })).toThrow('m:f has no line')
    expect(
      createRegistry({ m: { f } }, () => ({ allows: () => true, concerns: 'organization' }))
        .find('m:f')
        ?.allows('analyst'),
    ).toBe(true)
  })
})
