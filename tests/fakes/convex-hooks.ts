// Replaces web/lib/server/convex.ts in component tests: each test defines the functions that its components call. One module for all files,
// so that they can share a process: its importers are loaded once.
import { afterAll } from 'vitest'
import * as real from '#web/lib/server/convex.ts'

type Name = keyof typeof real
type Fake = { [Function in Name]?: unknown }

let fake: (() => Fake) | null = null

/** Defines the functions for this file; evaluated at each call, so it may use later variables. Without it they are the real ones. */
export function fakeConvex(functions: () => Fake): void {
  fake = functions
  afterAll(() => {
    fake = null
  })
}

function standIn<Function extends Name>(name: Function): (typeof real)[Function] {
  const call = (...args: unknown[]): unknown => {
    const called = fake ? fake()[name] : real[name]
    if (typeof called !== 'function') throw new Error(`fakeConvex does not say what ${name} does`)
    return called(...args)
  }
  return call as unknown as (typeof real)[Function]
}

export const convexClient = real.convexClient
export const accessToken = standIn('accessToken')
export const startAuth = standIn('startAuth')
export const stopAuth = standIn('stopAuth')
export const muteAuth = standIn('muteAuth')
export const refreshAuth = standIn('refreshAuth')
export const useQuery = standIn('useQuery')
export const usePaginatedQuery = standIn('usePaginatedQuery')
export const fetchOnce = standIn('fetchOnce')
export const useMutation = standIn('useMutation')
export const useAction = standIn('useAction')
export const retryAfterRefresh = standIn('retryAfterRefresh')
export const reconnectNow = standIn('reconnectNow')
export const useConnection = standIn('useConnection')
