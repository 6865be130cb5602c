// What a query, a mutation and an action are. A public function says in its first word who may call it and what it may do:
//   export const list = orgQuery({ args, handler })
// How it is run is in run.ts.
import type { RegisteredAction, RegisteredMutation, RegisteredQuery } from 'convex/server'
import type * as z from 'zod/mini'
import type { ErrorCode } from '#shared/errors.ts'
import type * as context from './context.ts'

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
  /** Queries that search knowledge: few of one organization run at once. */
  isSearch: boolean
}

type Spec<Context, Args extends z.ZodMiniType, Result> = {
  args: Args
  handler: (ctx: Context, args: z.output<Args>) => Promise<Result>
  foreignCode?: ErrorCode
}
type MutationSpec<Context, Args extends z.ZodMiniType, Result> = Spec<Context, Args, Result> & {
  lockKey?: (ctx: { organizationId: string | null; userId: string | null }, args: z.output<Args>) => string
}
/** Convex's types ask for a record; our schemas are objects or unions of objects. */
type Input<Args extends z.ZodMiniType> = z.input<Args> extends Record<string, unknown> ? z.input<Args> : never

function query<Context>(guard: Guard) {
  return <Args extends z.ZodMiniType, Result>(spec: Spec<Context, Args, Result> & { isSearch?: boolean }) =>
    define('query', guard, spec) as unknown as RegisteredQuery<'public', Input<Args>, Promise<Result>>
}
function mutation<Context>(guard: Guard) {
  return <Args extends z.ZodMiniType, Result>(spec: MutationSpec<Context, Args, Result>) =>
    define('mutation', guard, spec) as unknown as RegisteredMutation<'public', Input<Args>, Promise<Result>>
}
function action<Context>(guard: Guard) {
  return <Args extends z.ZodMiniType, Result>(spec: Spec<Context, Args, Result>) =>
    define('action', guard, spec) as unknown as RegisteredAction<'public', Input<Args>, Promise<Result>>
}
function define(
  kind: Kind,
  guard: Guard,
  spec: Pick<FunctionDefinition, 'args' | 'handler'> &
    Partial<Pick<FunctionDefinition, 'lockKey' | 'foreignCode' | 'isSearch'>>,
): FunctionDefinition {
  const { args, handler, lockKey = null, foreignCode = 'not_found', isSearch = false } = spec
  return Object.freeze({ kind, guard, args, handler, lockKey, foreignCode, isSearch })
}

/** Live, read-only, callable by anyone. One result is shared by all callers. */
export const publicQuery = query<context.PublicQueryContext>('public')
export const publicMutation = mutation<context.PublicMutationContext>('public')
export const publicAction = action<context.PublicActionContext>('public')

/** Callable by anyone signed in; results are each user's own. */
export const userQuery = query<context.UserQueryContext>('user')
export const userMutation = mutation<context.UserMutationContext>('user')
/** @public One of the twelve: four guards, three kinds. */
export const userAction = action<context.UserActionContext>('user')

/** Callable by members of an organization; a query's result is shared by all members. */
export const orgQuery = query<context.OrgQueryContext>('org')
export const orgMutation = mutation<context.OrgMutationContext>('org')
export const orgAction = action<context.OrgActionContext>('org')

/** Callable by platform admins, over all organizations. */
export const adminQuery = query<context.AdminQueryContext>('admin')
/** @public One of the twelve: four guards, three kinds. */
export const adminMutation = mutation<context.AdminMutationContext>('admin')
/** @public One of the twelve: four guards, three kinds. */
export const adminAction = action<context.AdminActionContext>('admin')
