// Every public function by its name on the wire. Anything else cannot be called.
import { ZodMiniNever, ZodMiniObject, ZodMiniUnion } from 'zod/mini'
import type { FunctionDefinition } from './define.ts'

export interface Registry {
  /** Accepts the spellings of the realtime client: `agents:list`, `agents.js:list`, and `:default` left out. */
  find(path: string): FunctionDefinition | undefined
  /** All names with their definitions, in alphabetical order. */
  all(): [string, FunctionDefinition][]
}

/**
 * Collects the functions that modules export, under `module:export`.
 * @throws Error when a function would accept arguments that it does not declare
 */
export function createRegistry(modules: Record<string, object>): Registry {
  const functions = new Map<string, FunctionDefinition>()
  for (const [module, exports] of Object.entries(modules)) {
    for (const [name, value] of Object.entries(exports)) {
      if (!isFunctionDefinition(value)) continue
      if (!refusesUnknownKeys(value.args))
        throw new Error(`${module}:${name} must declare its arguments with z.strictObject`)
      functions.set(`${module}:${name}`, value)
    }
  }
  return {
    find: (path) => functions.get(canonicalName(path)),
    all: () => [...functions].sort(([a], [b]) => (a < b ? -1 : 1)),
  }
}

function canonicalName(path: string): string {
  const colon = path.lastIndexOf(':')
  const [module, name] = colon < 0 ? [path, 'default'] : [path.slice(0, colon), path.slice(colon + 1)]
  return `${module.replace(/\.js$/, '')}:${name}`
}

function isFunctionDefinition(value: unknown): value is FunctionDefinition {
  return typeof value === 'object' && value !== null && 'kind' in value && 'guard' in value && 'handler' in value
}

function refusesUnknownKeys(schema: unknown): boolean {
  if (schema instanceof ZodMiniUnion) return schema.def.options.every(refusesUnknownKeys)
  return schema instanceof ZodMiniObject && schema.def.catchall instanceof ZodMiniNever
}
