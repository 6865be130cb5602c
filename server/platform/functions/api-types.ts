// Types of the public functions for the web, made from the modules themselves: nothing is generated.
//
//   server/api.ts   export const modules = { 'knowledge/spaces': spaces, agents } as const     (import * as spaces from '…')
//                   export type Api = ApiOf<typeof modules>
//   web/api.ts      export const api = anyApi as unknown as Api                                (import type { Api })
//
// Then `api.knowledge.spaces.getBySlug` carries arguments and result, and is called `knowledge/spaces:getBySlug` on the wire.
import type { ApiFromModules, FilterApi, FunctionReference, FunctionType } from 'convex/server'

/** The typed `api` object of a set of modules, keyed by their names on the wire. */
export type ApiOf<Modules extends Record<string, object>> = FilterApi<
  ApiFromModules<Modules>,
  FunctionReference<FunctionType, 'public'>
>
