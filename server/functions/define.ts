// The twelve kinds of public function. One says in its first word who may call it and what it may do:
//   export const list = orgQuery({ args, handler })
import { action, mutation, query } from '#server/platform/functions/define.ts'
import type * as context from './context.ts'

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
