// The service worker of alerts by push: shows what comes, also while Parley is closed, and leads to what it is about. It is built into a
// file of its own at the root of the site, and put to work only in browsers in which push was switched on.
import type { PushedAlert } from '#shared/organizations/alerts.ts'

/** What of a service worker's surroundings is used here; the types of pages know none of it. */
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

// At once, also over pages that are open: one that is not claimed cannot be led anywhere.
worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))

worker.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(show(event.data.json() as PushedAlert))
})

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(String(event.notification.data)))
})

/** Always: browsers take push away from whoever shows nothing. */
async function show({ title, body, url, tag }: PushedAlert): Promise<void> {
  await worker.registration.showNotification(title, { body, tag, data: url, icon: '/icon-192.png' })
}

/** In a page of the team that is there, or in a new one. Pages that are not ours to lead are not found. */
async function open(url: string): Promise<void> {
  const pages = await worker.clients.matchAll({ type: 'window' })
  const page = pages.find(isOfTheTeam)
  if (!page) return void (await worker.clients.openWindow(url))
  const focused = await page.focus().catch(() => page) // a system may keep a window where it is
  await focused.navigate(url)
}

/** Not a chat of a customer, by itself or inside a page. */
function isOfTheTeam({ url, frameType }: Page): boolean {
  return frameType !== 'nested' && !/^\/(talk|widget)\//.test(new URL(url).pathname)
}
