// What a query, a mutation and an action are: a guard, arguments and a handler. The context that a handler is given is the product's own
// (server/functions/define.ts); how a function is run is in run.ts.
import type { RegisteredAction, RegisteredMutation, RegisteredQuery } from 'convex/server'
import type * as z from 'zod/mini'
import type { ErrorCode } from '#shared/errors.ts'

export type Guard = 'public' | 'user' | 'org' | 'admin'
export type Kind = 'query' | 'mutation' | 'action'

/** The run-time form of a public function. */
export interface FunctionDefinition {
  kind: Kind
  guard: Guard
  args: z.ZodMiniType
  handler: (ctx: never, args: never) => Promise<unknown>
  /** Mutations on hot rows: calls with the same key run one after another instead of failing and repeating. */
  lockKey: ((ctx: { organizationId: string | null; userId: string | null }, args: never) => string) | null
  /** How it is refused that `organizationId` is another organization than the caller's. */
  foreignCode: ErrorCode
  /** Its `organizationId` may be another organization's: the handler checks it. */
  namesOthers: boolean
  /** Queries that search knowledge: few of one organization run at once. */
  isSearch: boolean
  /** Queries over much: a live one is not run again sooner than this after it was run, or than ten times what that took, whatever is written meanwhile. */
  restMs: number
  /** Called by screens on their own: no sign that a person is there. */
  isAutomatic: boolean
  /** Leaves exactly one entry in the audit trail, in its own transaction. */
  isAudited: boolean
}

type Spec<Context, Args extends z.ZodMiniType, Result> = {
  args: Args
  handler: (ctx: Context, args: z.output<Args>) => Promise<Result>
  foreignCode?: ErrorCode
  namesOthers?: boolean
  isAutomatic?: boolean
  isAudited?: boolean
}
type MutationSpec<Context, Args extends z.ZodMiniType, Result> = Spec<Context, Args, Result> & {
  lockKey?: (ctx: { organizationId: string | null; userId: string | null }, args: z.output<Args>) => string
}
/** Convex's types ask for a record; our schemas are objects or unions of objects. */
type Input<Args extends z.ZodMiniType> = z.input<Args> extends Record<string, unknown> ? z.input<Args> : never

/** Defines queries of one guard: live, read-only. `Context`: what their handlers receive. */
export function query<Context>(guard: Guard) {
  return <Args extends z.ZodMiniType, Result>(
    spec: Spec<Context, Args, Result> & { isSearch?: boolean; restMs?: number },
  ) => define('query', guard, spec) as unknown as RegisteredQuery<'public', Input<Args>, Promise<Result>>
}
/** Makes mutations of one guard: one transaction, repeated as a whole. */
export function mutation<Context>(guard: Guard) {
  return <Args extends z.ZodMiniType, Result>(spec: MutationSpec<Context, Args, Result>) =>
    define('mutation', guard, spec) as unknown as RegisteredMutation<'public', Input<Args>, Promise<Result>>
}
/** Makes actions of one guard: they may wait for the world, and are never repeated. */
export function action<Context>(guard: Guard) {
  return <Args extends z.ZodMiniType, Result>(spec: Spec<Context, Args, Result>) =>
    define('action', guard, spec) as unknown as RegisteredAction<'public', Input<Args>, Promise<Result>>
}
function define(
  kind: Kind,
  guard: Guard,
  spec: Pick<FunctionDefinition, 'args' | 'handler'> &
    Partial<
      Pick<
        FunctionDefinition,
        'lockKey' | 'foreignCode' | 'namesOthers' | 'isSearch' | 'restMs' | 'isAutomatic' | 'isAudited'
      >
    >,
): FunctionDefinition {
  const { args, handler, lockKey = null, foreignCode = 'not_found' } = spec
  const { namesOthers = false, isSearch = false, restMs = 0, isAutomatic = false, isAudited = false } = spec
  const declared = { foreignCode, namesOthers, isSearch, restMs, isAutomatic, isAudited }
  return Object.freeze({ kind, guard, args, handler, lockKey, ...declared })
}
