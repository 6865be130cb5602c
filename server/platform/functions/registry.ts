// Every public function by its name on the wire. Anything else cannot be called.
import { ZodMiniNever, ZodMiniObject, ZodMiniUnion } from 'zod/mini'
import type { OrganizationRole } from '#shared/organizations/policy.ts'
import type { FunctionDefinition } from './define.ts'

/** Whether a member in a role may call a function. */
export type RoleCheck = (role: OrganizationRole) => boolean

/** What the policy says of a function. `concerns`: whose it is: the caller's account, what a member keeps for themselves, or the organization. */
export type FunctionPolicy = { allows: RoleCheck; concerns: 'account' | 'member' | 'organization' }

/** A function with what the policy says of it. */
export interface PublicFunction extends FunctionDefinition, FunctionPolicy {
  /** On the wire, in its canonical spelling. */
  name: string
}

export interface Registry {
  /** Accepts the spellings of the realtime client: `agents:list`, `agents.js:list`, and `:default` left out. */
  find(path: string): PublicFunction | undefined
  /** All names with their definitions, in alphabetical order. */
  all(): [string, PublicFunction][]
}

/** Guards that know no organization: the policy says nothing of such functions. */
const WITHOUT_ROLE = new Set(['public', 'admin'])
const OPEN: FunctionPolicy = { allows: () => true, concerns: 'account' }

/**
 * Collects the functions that modules export, under `module:export`. `policyOf`: the policy of roles.
 * @throws Error when a function would accept arguments that it does not declare, or when the policy does not know it
 */
export function createRegistry(
  modules: Record<string, object>,
  policyOf: (name: string) => FunctionPolicy | undefined = () => undefined,
): Registry {
  const functions = new Map<string, PublicFunction>()
  for (const [module, exports] of Object.entries(modules)) {
    for (const [name, value] of Object.entries(exports)) {
      if (!isFunctionDefinition(value)) continue
      if (!refusesUnknownKeys(value.args))
        throw new Error(`${module}:${name} must declare its arguments with z.strictObject`)
      const policy = WITHOUT_ROLE.has(value.guard) ? OPEN : policyOf(`${module}:${name}`)
      if (!policy) throw new Error(`${module}:${name} has no line in the policy of roles`)
      functions.set(`${module}:${name}`, Object.freeze({ ...value, name: `${module}:${name}`, ...policy }))
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
