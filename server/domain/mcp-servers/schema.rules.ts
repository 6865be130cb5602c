// The input schema of a tool, which a stranger has written: whether it can be used, what models are given of it, and the check of arguments.
import { createHash } from 'node:crypto'
import { type ZodType, z } from 'zod'
import type { McpToolProblem } from '#shared/tools/mcp-servers.ts'

type Schema = Record<string, unknown>

/** Characters of the schema as JSON. */
const SCHEMA_MAX = 16_000
const DESCRIPTION_MAX = 4000
/** Parts of a schema with its references put in place: a few of them can stand for more than a server can hold. */
const PARTS_MAX = 2000
const DEPTH_MAX = 20
/** What providers take as the name of an argument. */
const ARGUMENT_NAME = /^[a-zA-Z0-9_.-]{1,64}$/
/** What providers refuse next to `type: object`. */
const REFUSED_AT_TOP = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const']
/** What cannot be checked here, or only by patterns of others, which can be made to run forever. */
const UNSUPPORTED = [
  ...['patternProperties', 'propertyNames', 'if', 'then', 'else', 'not', 'dependentSchemas', 'dependentRequired'],
  ...['dependencies', 'unevaluatedProperties', 'unevaluatedItems', '$dynamicRef', '$recursiveRef'],
]
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const SINGLE = new Set(['items', 'additionalProperties', 'additionalItems', 'contains'])
const DROPPED = new Set(['$schema', '$id', '$anchor', '$comment', '$defs', 'definitions'])
/** Left to the server to check: patterns, and formats, which are notes by the standard. */
const UNCHECKED = new Set(['pattern', 'format', 'title', 'description', 'examples', 'default', 'deprecated'])

/** Signs that people do not see, and models read. */
const UNSEEN = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu

class Unsupported extends Error {}

/** Why a tool cannot be used; null: it can. */
export function problemOf(description: string, schema: unknown): McpToolProblem | null {
  if (description.length > DESCRIPTION_MAX) return 'description_too_long'
  if (!isObject(schema) || schema.type !== 'object') return 'schema_not_object'
  if (JSON.stringify(schema).length > SCHEMA_MAX) return 'schema_too_large'
  return checkOf(schema) ? null : 'schema_unsupported'
}

/** Characters of a description that are kept. */
export function cutDescription(description: string): string {
  return clean(description).replace(UNSEEN, '').slice(0, DESCRIPTION_MAX).toWellFormed()
}

/** Text that the database and providers take. */
export function clean(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** The schema as models are given it: whole in itself. Null: it cannot be used. */
export function offeredSchema(schema: Schema): Schema | null {
  return resolved(schema, new Set())
}

/** The check of arguments. Null: the schema cannot be checked. */
export function checkOf(schema: Schema): ZodType | null {
  const checked = resolved(schema, UNCHECKED)
  if (!checked) return null
  try {
    return z.fromJSONSchema(checked as Parameters<typeof z.fromJSONSchema>[0])
  } catch {
    return null
  }
}

/** The same for the same description and schema, however the keys are ordered. */
export function hashOfTool(description: string, schema: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([description, sorted(schema)]))
    .digest('hex')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value ?? null
  const pairs = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(pairs.map(([key, item]) => [key, sorted(item)]))
}

/**
 * By the standard, arguments that a schema does not name are allowed. A person has allowed those that they have read: others are refused,
 * unless the schema says itself that there may be more.
 */
function closed(schema: Schema): Schema {
  return Object.hasOwn(schema, 'additionalProperties') ? schema : { ...schema, additionalProperties: false }
}

type Walk = { root: Schema; without: ReadonlySet<string>; parts: number }

function resolved(schema: Schema, without: ReadonlySet<string>): Schema | null {
  try {
    // Text that databases refuse, or people do not see, could stand anywhere.
    const text = JSON.stringify(schema)
    if (text.search(UNSEEN) >= 0) return null
    if (/\\u(0000|d[89a-f])/i.test(text.replaceAll('\\\\', ''))) return null
    if (REFUSED_AT_TOP.some((key) => Object.hasOwn(schema, key))) return null
    const whole = walked(schema, { root: schema, without, parts: 0 }, 0)
    return isObject(whole) && whole.type === 'object' ? closed(whole) : null
  } catch (error) {
    if (error instanceof Unsupported) return null
    throw error
  }
}

function walked(given: unknown, walk: Walk, depth: number): unknown {
  if (typeof given === 'boolean') return given
  walk.parts += 1
  if (!isObject(given) || depth > DEPTH_MAX || walk.parts > PARTS_MAX) throw new Unsupported()
  if (UNSUPPORTED.some((key) => Object.hasOwn(given, key))) throw new Unsupported()
  if (given.$ref !== undefined) {
    const { $ref, ...others } = given
    const target = targetOf(walk.root, $ref)
    return walked({ ...target, ...others }, walk, depth + 1)
  }
  const kept = Object.entries(given).filter(([key]) => !DROPPED.has(key) && !walk.without.has(key))
  return Object.fromEntries(kept.map(([key, value]) => [key, partOf(key, value, walk, depth + 1)]))
}

function partOf(key: string, value: unknown, walk: Walk, depth: number): unknown {
  if (key === 'properties') return propertiesOf(value, walk, depth)
  const isList = LISTS.has(key) || (key === 'items' && Array.isArray(value))
  if (isList) {
    if (!Array.isArray(value)) throw new Unsupported()
    return value.map((each) => walked(each, walk, depth))
  }
  return SINGLE.has(key) ? walked(value, walk, depth) : value
}

function propertiesOf(value: unknown, walk: Walk, depth: number): Schema {
  if (!isObject(value)) throw new Unsupported()
  const pairs = Object.entries(value)
  if (pairs.some(([name]) => !ARGUMENT_NAME.test(name) || name === '__proto__')) throw new Unsupported()
  return Object.fromEntries(pairs.map(([name, each]) => [name, walked(each, walk, depth)]))
}

/** What a reference within the same schema stands for. */
function targetOf(root: Schema, ref: unknown): Schema {
  const [, place = '', name = ''] = /^#\/(\$defs|definitions)\/([^/~%]+)$/.exec(String(ref)) ?? []
  const all = root[place]
  const target = isObject(all) && Object.hasOwn(all, name) ? all[name] : undefined
  if (!isObject(target)) throw new Unsupported()
  return target
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
