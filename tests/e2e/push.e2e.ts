// Push in a real browser: switched on in the settings, shown by the service worker also while no page is in sight, led from to what it is
// about, and off again. What a browser without a screen lacks is played: the subscription at a push service, and the notifications. What
// a push service would hand over is given to the service worker as the browser gives it.
import type { BrowserContext, CDPSession, Page } from '@playwright/test'
import type { PushedAlert } from '#shared/organizations/alerts.ts'
import { signUp } from '#tests/seeds/installation.ts'
import { expect, expectAccessible, test, wordsOf } from './fixtures.ts'
import { looksOf, openContext } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'

const PERSON = { name: 'Anna', email: 'anna@example.com', password: 'correct horse 42' }
let say: ReturnType<typeof wordsOf>

let installation: Installation
let context: BrowserContext
let page: Page

for (const look of looksOf('en 375 light')) {
  test.describe(look.name, () => {
    test.beforeAll(async ({ browser }) => {
      say = wordsOf(look.language)
      installation = await startInstallation()
      await signUp(installation.url, PERSON, 'Anna & Co')
      const permissions = ['notifications']
      context = await openContext(browser, look, { baseURL: installation.url, person: PERSON, permissions })
      await context.addInitScript(playSubscription)
      page = await context.newPage()
    })
    test.afterAll(async () => {
      await context.close()
      await installation.close()
    })

    test('push is switched on, shows alerts and leads to them, and is switched off', async () => {
      await page.goto('/settings/notifications')
      await page.getByRole('button', { name: say('settings', 'alerts.pushTurnOn') }).click()
      await expect(page.getByText(say('settings', 'alerts.pushHere'), { exact: true })).toBeVisible()
      await expect(page.getByRole('switch', { name: say('settings', 'alerts.ways.push') }).first()).toBeChecked()
      await expectAccessible(page, 'push is on')

      const script = await page.request.get('/push-worker.js')
      expect(script.headers()['content-security-policy']).toBe("default-src 'none'; img-src 'self'")

      const { shown, click } = await playNotifications()
      const push = await pusher()
      await push({ title: 'Vera wrote to you', tag: 'a1' })
      await expect.poll(shown).toEqual(['Vera wrote to you'])
      await push({ title: 'Vera is waiting for a person', tag: 'a1' })
      await expect.poll(shown).toEqual(['Vera is waiting for a person'])

      await click(`${installation.url}/chats`)
      await expect(page).toHaveURL(/\/chats$/)
      await page.goto('/settings/notifications')
      await expect(page.getByText(say('settings', 'alerts.pushHere'), { exact: true })).toBeVisible()
      await page.getByRole('button', { name: new RegExp(`^${say('settings', 'alerts.pushTurnOff')}`) }).click()
      await expect(page.getByText(say('settings', 'alerts.pushNone'))).toBeVisible()
      await expect(page.getByRole('button', { name: say('settings', 'alerts.pushTurnOn') })).toBeVisible()
    })
  })
}

/** In the service worker: takes what is shown, by tag, in the place of the system, and is clicked. */
async function playNotifications(): Promise<{ shown(): Promise<string[]>; click(url: string): Promise<void> }> {
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  await worker.evaluate(() => {
    const shown = new Map<string, string>()
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration }
    registration.showNotification = async (title, options) => void shown.set(options?.tag ?? '', title)
    Object.assign(globalThis, { shown })
  })
  return {
    shown: () => worker.evaluate(() => [...(globalThis as unknown as { shown: Map<string, string> }).shown.values()]),
    click: (url) =>
      worker.evaluate((data) => {
        const notification = { data, close: () => undefined }
        dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil: () => undefined }))
      }, url),
  }
}

/** Hands messages to the service worker as the browser's push service does. */
async function pusher() {
  const cdp: CDPSession = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId)
    })
  })
  await cdp.send('ServiceWorker.enable')
  const registrationId = await registered
  return (alert: Omit<PushedAlert, 'body' | 'url'>) =>
    cdp.send('ServiceWorker.deliverPushMessage', {
      origin: installation.url,
      registrationId,
      data: JSON.stringify({ body: '', url: `${installation.url}/chats`, ...alert }),
    })
}

/** In the page: a subscription as a push service gives it. It lasts as long as the service worker, also over a reload. */
function playSubscription(): void {
  const subscriptionOf = (applicationServerKey: string) => {
    const keys = { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) }
    const endpoint = 'https://push.example/send/1'
    const bytes = Uint8Array.from(atob(applicationServerKey.replaceAll('-', '+').replaceAll('_', '/')), (each) =>
      each.charCodeAt(0),
    )
    const unsubscribe = async () => {
      localStorage.removeItem('subscribed-with')
      return true
    }
    const options = { applicationServerKey: bytes.buffer }
    return { endpoint, options, toJSON: () => ({ endpoint, keys }), unsubscribe } as unknown as PushSubscription
  }
  PushManager.prototype.subscribe = async (options) => {
    const key = String(options?.applicationServerKey)
    localStorage.setItem('subscribed-with', key)
    return subscriptionOf(key)
  }
  PushManager.prototype.getSubscription = async () => {
    const key = localStorage.getItem('subscribed-with')
    return key === null ? null : subscriptionOf(key)
  }
}
