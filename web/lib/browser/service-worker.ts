// The service workers of this origin: the one that shows alerts, where push was switched on, and no other. One that another product has left
// behind would serve stale files.
import { PUSH_WORKER_URL } from './trusted-types.ts'

/** Unregisters every other service worker of this origin. Failures are of no consequence. */
export function unregisterOtherWorkers(): void {
  navigator.serviceWorker?.getRegistrations().then(
    (registrations) => {
      for (const registration of registrations) if (!isOurs(registration)) void registration.unregister()
    },
    () => undefined,
  )
}

function isOurs({ installing, waiting, active }: ServiceWorkerRegistration): boolean {
  return [installing, waiting, active].some(
    (worker) => worker && new URL(worker.scriptURL).pathname === PUSH_WORKER_URL,
  )
}
