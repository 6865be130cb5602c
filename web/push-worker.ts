// The service worker of push alerts: shows them, also while Parley is closed, and opens their page. Built into its own file at the root of
// the site, and registered only in browsers where push was switched on.
import type { PushedAlert } from '#shared/organizations/alerts.ts'

/** The part of the service worker API that is used here, which the DOM types of pages lack. */
type Page = {
  url: string
  frameType: 'top-level' | 'auxiliary' | 'nested' | 'none'
  focus(): Promise<Page>
  navigate(url: string): Promise<unknown>
}
type Moment = { waitUntil(done: Promise<unknown>): void }
type Surroundings = {
  registration: ServiceWorkerRegistration
  clients: {
    matchAll(which: { type: 'window' }): Promise<Page[]>
    openWindow(url: string): Promise<unknown>
    claim(): Promise<void>
  }
  skipWaiting(): Promise<void>
  addEventListener(name: 'install' | 'activate', listen: (event: Moment) => void): void
  addEventListener(name: 'push', listen: (event: Moment & { data: { json(): unknown } | null }) => void): void
  addEventListener(name: 'notificationclick', listen: (event: Moment & { notification: Notification }) => void): void
}
const worker = globalThis as unknown as Surroundings

// Takes effect at once, also for open pages: an unclaimed page cannot be navigated.
worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))

worker.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(show(event.data.json() as PushedAlert))
})

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(String(event.notification.data)))
})

/** Always shows a notification: browsers revoke push from sites that show none. */
async function show({ title, body, url, tag }: PushedAlert): Promise<void> {
  await worker.registration.showNotification(title, { body, tag, data: url, icon: '/icon-192.png' })
}

/** In an open page of the team, or in a new one. Only pages controlled by this worker are found. */
async function open(url: string): Promise<void> {
  const pages = await worker.clients.matchAll({ type: 'window' })
  const page = pages.find(isOfTheTeam)
  if (!page) return void (await worker.clients.openWindow(url))
  const focused = await page.focus().catch(() => page) // the system may refuse to raise a window
  await focused.navigate(url)
}

/** False for a customer chat, by itself or embedded in a page. */
function isOfTheTeam({ url, frameType }: Page): boolean {
  return frameType !== 'nested' && !/^\/(talk|widget)\//.test(new URL(url).pathname)
}
