// The address that the person has asked for last. The router draws its screen in a transition, a tenth of a second later or after loading code:
// until then what is on the screen belongs to the former address.
import { useCallback, useSyncExternalStore } from 'react'
import type { DataRouter } from 'react-router'

export type Address = { pathname: string; search: string }

let router: Pick<DataRouter, 'state' | 'subscribe'> | null = null

/** Takes what is asked for from this router. @returns the function that forgets it again */
export function followRouter(next: Pick<DataRouter, 'state' | 'subscribe'>): () => void {
  router = next
  return () => {
    if (router === next) router = null
  }
}

/** Null where no router is followed. */
export function askedAddress(): Address | null {
  return router && (router.state.navigation.location ?? router.state.location)
}

/** Whether something else is asked for than what `isHere` recognizes as its own address; live, and ahead of the router's own hooks. */
export function useIsLeaving(isHere: (address: Address) => boolean): boolean {
  const read = useCallback(() => !isAsked(isHere), [isHere])
  return useSyncExternalStore(subscribe, read)
}

/** Whether the address that is asked for is the one that `isHere` recognizes. */
export function isAsked(isHere: (address: Address) => boolean): boolean {
  const address = askedAddress()
  return address === null || isHere(address)
}

function subscribe(listener: () => void): () => void {
  return router?.subscribe(listener) ?? (() => undefined)
}
