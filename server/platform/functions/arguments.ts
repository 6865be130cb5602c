// Arguments from the wire: decoded, bounded, and checked against what the function declares.
import { convexToJson, type JSONValue, jsonToConvex } from 'convex/values'
import * as z from 'zod/mini'
import { isStorable } from '#server/platform/lib/text/sanitize-payload.ts'
import { AppError } from '#shared/errors.ts'
import type { FunctionDefinition } from './define.ts'

/** Nesting and list length that are accepted. @source docs.convex.dev/production/state/limits */
const DEPTH_MAX = 16
const ARRAY_MAX = 8192
/** Issues reported to the caller, and characters of each: they repeat what was sent, and results are stored. */
const ISSUES_MAX = 20
const ISSUE_MAX = 300

/** One text for all spellings of equal arguments: sorted keys, one encoding of special numbers and bytes. */
export function canonicalArguments(args: JSONValue): string {
  return JSON.stringify(convexToJson(decode(args)))
}

/**
 * The arguments as the handler gets them, defaults filled in.
 * @throws AppError invalid_arguments
 */
export function parseArguments(definition: Pick<FunctionDefinition, 'args'>, args: JSONValue): unknown {
  return check(definition.args, decode(args))
}

/**
 * Parses plain JSON arguments, whose names may be in any script and begin with any sign.
 * @throws AppError invalid_arguments
 */
export function parseJsonArguments<Schema extends z.ZodMiniType>(schema: Schema, args: JSONValue): z.output<Schema> {
  refuseUnstorable(args)
  return check(schema, args)
}

function check<Schema extends z.ZodMiniType>(schema: Schema, args: unknown): z.output<Schema> {
  const parsed = z.safeParse(schema, args)
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  throw invalid(issues.slice(0, ISSUES_MAX).map(({ path, message }) => ({ path: path.map(String).join('.'), message })))
}

function refuseUnstorable(args: JSONValue): void {
  const problem = problemOf(args)
  if (problem) throw invalid([{ path: '', message: problem }])
}

function decode(args: JSONValue) {
  refuseUnstorable(args)
  try {
    return jsonToConvex(args)
  } catch (error) {
    throw invalid([{ path: '', message: error instanceof Error ? error.message : 'Not a value' }])
  }
}

function invalid(issues: { path: string; message: string }[]): AppError {
  const short = (text: string) => text.slice(0, ISSUE_MAX).toWellFormed()
  return new AppError('invalid_arguments', {
    issues: issues.map(({ path, message }) => ({ path: short(path), message: short(message) })),
  })
}

/** Finds values that neither a handler nor the database could take, without recursion deeper than DEPTH_MAX. */
function problemOf(value: JSONValue, depth = 0): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : 'Text with a NUL or half a character'
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= DEPTH_MAX) return `Nested deeper than ${DEPTH_MAX}`
  if (Array.isArray(value) && value.length > ARRAY_MAX) return `A list longer than ${ARRAY_MAX}`
  for (const [key, child] of Object.entries(value)) {
    if (key === '__proto__') return 'A reserved name'
    const problem = problemOf(child ?? null, depth + 1)
    if (problem) return problem
  }
  return undefined
}
