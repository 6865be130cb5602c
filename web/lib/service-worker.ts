// Parley has no service worker; one left behind by another product on this origin would serve stale files.

/** Unregisters every service worker of this origin. Failures are of no consequence. */
export function unregisterServiceWorkers(): void {
  navigator.serviceWorker?.getRegistrations().then(
    (registrations) => {
      for (const registration of registrations) void registration.unregister()
    },
    () => undefined,
  )
}
