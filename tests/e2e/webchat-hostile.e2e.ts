// Malicious pages: of an origin that may not embed the web chat, and of one that may but runs a third-party script. They try to read
// the chat, to act as its visitor, and to keep access to it.
import type { BrowserContext, Frame, Page } from '@playwright/test'
import { call } from '#tests/seeds/installation.ts'
import { expect, test } from './fixtures.ts'
import { looksOf, screenOf } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'
import {
  changeChat,
  frameOf,
  type MadeChat,
  makeChat,
  newestConversation,
  OWNER,
  openSite,
  pageWith,
  type Site,
  shownChat,
} from './webchat.site.ts'

const SECRET = 'My door code is 4711'
/** Long enough for a message between windows to arrive, if anything listened. */
const HEARD_MS = 400

let installation: Installation
let chat: MadeChat
/** May embed the chat. */
let shop: Site
/** May not, and is same-site with the server: browsers send it more than cross-site pages. */
let neighbour: Site
/** May not, and is cross-site. */
let stranger: Site

test.beforeAll(async () => {
  installation = await startInstallation({ hasModel: true })
  chat = await makeChat(installation.url)
  shop = await openSite('127.0.0.1')
  neighbour = await openSite('localhost')
  stranger = await openSite('127.0.0.1')
  await changeChat(chat, { domains: [shop.host] })
})
test.afterAll(async () => {
  for (const site of [shop, neighbour, stranger]) await site?.close()
  await installation.close()
})

for (const look of looksOf('en 1280 light')) {
  test.describe(look.name, () => {
    test('a page that may not embed the chat cannot read it or act through it, even with a stolen token and all cookies', async ({
      browser,
    }) => {
      const context = await browser.newContext({ ...screenOf(look), locale: 'en' })
      const token = await writeAsVisitor(context)
      await signInAsOwner(context)
      for (const site of [neighbour, stranger]) {
        site.pages['/'] = pageWith(chat.snippet)
        const page = await context.newPage()
        const logged: string[] = []
        page.on('console', (message) => logged.push(message.text()))
        await page.goto(site.url)
        await expect.poll(() => logged.join()).toMatch(/frame-ancestors/)
        await expect(shownChat(page).getByRole('button')).toHaveCount(0)
        await expectUnframed(page)
        expect(await askEverything(page, token)).toEqual({})
        expect(await postForm(page, token)).toBe(403)
        await expectOutOfReach(page)
      }
      expect(await textsOf(chat)).toEqual([SECRET])
      await context.close()
    })

    test('a third-party script on a page that may embed the chat receives and controls nothing', async ({
      browser,
    }) => {
      const context = await browser.newContext({ ...screenOf(look), locale: 'en' })
      const listening =
        '<script>window.heard = []; addEventListener("message", (event) => heard.push([event.origin, event.data]))</script>'
      neighbour.pages['/ad'] = pageWith(listening)
      shop.pages['/'] = pageWith(`${listening}${chat.snippet}<iframe name="ad" src="${neighbour.url}/ad"></iframe>`)
      const referrers = watchReferrers(context)
      const page = await context.newPage()
      await page.goto(shop.url)
      const visitor = shownChat(page)
      const open = visitor.getByRole('button', { name: 'Open the chat' })
      await expect(open).toBeVisible()

      // Only the embedding page may open the chat; only the chat may resize its frame.
      await page.frame('ad')?.evaluate(forge)
      await page.frame('ad')?.evaluate(() => {
        window.parent.postMessage({ parley: 'frame', isOpen: true, isShown: true, position: 'left' }, '*')
      })
      const opened = await openFrom(context, `${neighbour.url}/ad`, shop.url)
      await expect(shownChat(opened).getByRole('button', { name: 'Open the chat' })).toBeVisible()
      await opened.opener().then((opener) => opener?.evaluate(forgeInto))
      await page.waitForTimeout(HEARD_MS)
      await expect(open).toBeVisible()
      await expect(shownChat(opened).getByRole('button', { name: 'Open the chat' })).toBeVisible()
      expect((await page.locator('iframe[src*="/widget/"]').boundingBox())?.width).toBe(88)

      // The page itself may open it and identify its visitor; forged messages have no effect.
      await page.evaluate(misspeak)
      await page.waitForTimeout(HEARD_MS)
      await expect(open).toBeVisible()
      await page.evaluate(() => window.parley?.('open'))
      await visitor.getByRole('textbox').fill(SECRET)
      await page.keyboard.press('Enter')
      await expect(visitor.locator('.bubble.agent:not(.typing)')).toHaveCount(2)
      const token = await tokenOf(page)

      expect(await page.evaluate(reach)).toEqual([])
      const room = { parley: 'frame', isOpen: false, isShown: true, position: 'right' }
      const heard = await heardBy(page.mainFrame())
      expect(heard).toEqual([...heard.slice(1).map(() => room), { ...room, isOpen: true }])
      expect(await heardBy(page.frame('ad'))).toEqual([])
      // Only the embedding page's address leaves the frame, in URL or referrer.
      expect(new URL((await frameOf(page)).url()).search).toBe(
        `?${new URLSearchParams({ lang: 'en', host: shop.url })}`,
      )
      expect([...referrers].filter(([url]) => url.includes(token))).toEqual([])
      expect(new Set([...referrers].filter(([url]) => url.includes('/widget/')).map(([, from]) => from))).toEqual(
        new Set([`${shop.url}/`]),
      )
      await context.close()
    })

    test('a site that is removed from the list no longer shows the chat, also where it was shown before', async ({
      browser,
    }) => {
      const context = await browser.newContext({ ...screenOf(look), locale: 'en' })
      shop.pages['/'] = pageWith(chat.snippet)
      const page = await context.newPage()
      await changeChat(chat, { domains: [] })
      const launcher = shownChat(page).getByRole('button', { name: 'Open the chat' })
      const refused = async () => {
        const refusal = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
        await page.goto(shop.url)
        await refusal
        await expect(launcher).toHaveCount(0)
      }
      await refused()
      await changeChat(chat, { domains: [shop.host] })
      await page.goto(shop.url)
      await expect(launcher).toBeVisible()
      await changeChat(chat, { domains: [] })
      await refused()
      await changeChat(chat, { domains: [shop.host] })
      await context.close()
    })
  })
}

/** A visitor of the shop writes, and is answered. @returns their token, as if stolen */
async function writeAsVisitor(context: BrowserContext): Promise<string> {
  shop.pages['/'] = pageWith(chat.snippet)
  const page = await context.newPage()
  await page.goto(shop.url)
  const visitor = shownChat(page)
  await visitor.getByRole('button', { name: 'Open the chat' }).click()
  await visitor.getByRole('textbox').fill(SECRET)
  await page.keyboard.press('Enter')
  await expect(visitor.locator('.bubble.agent:not(.typing)')).toHaveCount(2)
  const token = await tokenOf(page)
  await page.close()
  return token
}

async function tokenOf(page: Page): Promise<string> {
  const token = await (await frameOf(page)).evaluate((key) => localStorage.getItem(`parley-webchat-${key}`), chat.key)
  expect(token).toMatch(/.{40}/)
  return token ?? ''
}

/** Gives the browser the session cookie of a member. */
async function signInAsOwner(context: BrowserContext): Promise<void> {
  const answer = await context.request.post(`${installation.url}/api/auth/sign-in/email`, {
    data: { email: OWNER.email, password: OWNER.password },
    headers: { origin: installation.url },
  })
  expect(answer.status()).toBe(200)
  expect(await context.cookies(installation.url)).not.toEqual([])
}

/** No page of the chat can be framed here: an overlay could hijack clicks. */
async function expectUnframed(page: Page): Promise<void> {
  const paths = [`/widget/${chat.key}`, `/talk/${chat.key}`, '/widget-files/index.html']
  await page.evaluate(
    ([server, framed]) => {
      for (const path of framed) {
        for (const kind of ['iframe', 'object', 'embed'] as const) {
          const element = document.createElement(kind)
          element.setAttribute(kind === 'object' ? 'data' : 'src', `${server}${path}?host=${location.origin}`)
          document.body.append(element)
        }
      }
    },
    [installation.url, paths] as const,
  )
  await page.waitForLoadState('networkidle')
  await expect(async () => {
    for (const frame of page.frames().slice(1)) {
      expect(frame.url()).not.toContain(installation.url)
      expect(await frame.locator('#root').count()).toBe(0)
    }
  }).toPass() // the browser may still be replacing a frame that it refused
}

/** Every way to read and to write, with a visitor's token. @returns the responses that were not refusals */
function askEverything(page: Page, token: string): Promise<Record<string, unknown>> {
  return page.evaluate(
    async ([server, key, stolen]) => {
      const door = `${server}/api/webchat/${key}`
      const message = { id: 'forged-message', text: 'Forged', language: 'en', files: [] }
      const asked = (path: string, init: RequestInit = {}) =>
        fetch(`${door}/${path}`, init).then(
          (answer) => answer.text(),
          () => null,
        )
      const bearer = { authorization: `Bearer ${stolen}` }
      const json = { 'content-type': 'application/json' }
      const connected = (kind: 'socket' | 'events', url: string) =>
        new Promise((resolve) => {
          const connection = kind === 'socket' ? new WebSocket(url) : new EventSource(url, { withCredentials: true })
          connection.onopen = () => resolve('opened')
          connection.onerror = () => resolve(null)
        })
      const socket = server.replace(/^http/, 'ws')
      const tried = {
        session: await asked('session', { method: 'POST', body: JSON.stringify({ token: stolen }) }),
        cookies: await asked('session', { method: 'POST', body: '{}', credentials: 'include' }),
        json: await asked('session', { method: 'POST', body: '{}', headers: json }),
        chat: await asked('chat', { headers: bearer }),
        chatByCookie: await asked('chat', { credentials: 'include' }),
        message: await asked('messages', {
          method: 'POST',
          headers: { ...bearer, ...json },
          body: JSON.stringify(message),
        }),
        person: await asked('person', { method: 'POST', body: JSON.stringify(message), credentials: 'include' }),
        rating: await asked('rating', { method: 'POST', body: JSON.stringify({ score: 1, comment: '' }) }),
        file: await asked('files?name=a.txt', { method: 'POST', body: 'Hello', headers: bearer }),
        events: await connected('events', `${door}/chat?token=${encodeURIComponent(stolen)}`),
        realtime: await connected('socket', `${socket}/api/1.0.0/sync`),
        socket: await connected('socket', `${socket}/api/webchat/${key}/chat`),
        page: await fetch(`${server}/talk/${key}`).then(
          (answer) => answer.text(),
          () => null,
        ),
      }
      return Object.fromEntries(Object.entries(tried).filter(([, answer]) => answer !== null))
    },
    [installation.url, chat.key, token] as const,
  )
}

/** A form can be submitted from any page, and carries cookies. @returns the server's response */
async function postForm(page: Page, token: string): Promise<number> {
  const address = `${installation.url}/api/webchat/${chat.key}/messages`
  const answered = page.waitForResponse((answer) => answer.url().startsWith(address) && answer.status() !== 0)
  await page.evaluate(
    ([action, stolen]) => {
      const form = document.createElement('form')
      Object.assign(form, { method: 'POST', action: `${action}?token=${stolen}`, enctype: 'text/plain', target: 'out' })
      const field = document.createElement('input')
      field.name = '{"id":"forged-by-form","text":"Forged","language":"en","files":[],"x":"'
      field.value = '"}'
      const frame = document.createElement('iframe')
      frame.name = 'out'
      form.append(field)
      document.body.append(frame, form)
      form.submit()
    },
    [address, encodeURIComponent(token)] as const,
  )
  return (await answered).status()
}

/** As a popup, a page of the chat is severed from its opener, which could otherwise navigate it while it is used. */
async function expectOutOfReach(page: Page): Promise<void> {
  for (const path of [
    `/widget/${chat.key}?host=${encodeURIComponent(new URL(page.url()).origin)}`,
    `/talk/${chat.key}`,
  ]) {
    const popup = page.waitForEvent('popup')
    await page.evaluate((url) => {
      Object.assign(window, { held: window.open(url) })
    }, installation.url + path)
    const opened = await popup
    await expect(opened.locator('#root button').first()).toBeVisible()
    const isLost = await page.evaluate(() => {
      const { held } = globalThis as unknown as { held: Window }
      held.postMessage({ parley: 'host', isOpen: true }, '*')
      return held.closed
    })
    expect(isLost, path).toBe(true)
    await opened.close()
  }
}

/** Posts every message that a page could send the chat to each sibling frame. */
function forge(): void {
  const { parent } = window
  for (let at = 0; at < parent.length; at++) {
    for (const data of [
      { parley: 'host', isOpen: true },
      { parley: 'identity', identity: { userId: 'somebody', hash: 'x' } },
    ]) {
      parent[at]?.postMessage(data, '*')
    }
  }
}

/** The same, posted by the window that has opened the shop. */
function forgeInto(): void {
  const { held } = globalThis as unknown as { held: Window }
  for (let at = 0; at < held.length; at++) held[at]?.postMessage({ parley: 'host', isOpen: true }, '*')
}

/** Messages that a page of the shop might send and the chat does not know. */
function misspeak(): void {
  const frame = document.querySelector<HTMLIFrameElement>('iframe[src*="/widget/"]')?.contentWindow
  const huge = 'x'.repeat(5_000_000)
  for (const data of [
    null,
    1,
    'open',
    huge,
    [],
    { parley: 'host' },
    { parley: 'host', isOpen: 'true' },
    { parley: 'host', isOpen: { valueOf: true } },
    { parley: 'frame', isOpen: true, position: 'right' },
    { parley: 'close', isOpen: true },
    { parley: 'identity' },
    { parley: 'identity', identity: null },
    { parley: 'identity', identity: { userId: 1, hash: [] } },
    { parley: 'identity', identity: { userId: 'somebody', hash: 'no signature' } },
    { parley: 'identity', identity: { userId: '', hash: '' } },
    { parley: 'identity', identity: { userId: 'two\nlines', hash: 'x' } },
    { parley: 'identity', identity: { userId: 'somebody', hash: huge } },
  ]) {
    frame?.postMessage(data, '*')
  }
}

/** Messages that the chat has posted to a page. */
async function heardBy(frame: Frame | null): Promise<unknown[]> {
  const heard = await frame?.evaluate(() => (window as unknown as { heard: [origin: string, data: unknown][] }).heard)
  expect(heard).toBeDefined()
  return (heard ?? []).filter(([origin]) => origin === installation.url).map(([, data]) => data)
}

/** Everything of the chat's window that another origin must not access. @returns what was accessible */
function reach(): string[] {
  const frame = document.querySelector<HTMLIFrameElement>('iframe[src*="/widget/"]')
  const inside = frame?.contentWindow as unknown as Record<string, unknown>
  const reached = ['document', 'localStorage', 'sessionStorage', 'parley', 'name', 'fetch', 'indexedDB'].filter(
    (name) => {
      try {
        return inside[name] !== undefined
      } catch {
        return false
      }
    },
  )
  return frame?.contentDocument ? [...reached, 'contentDocument'] : reached
}

async function openFrom(context: BrowserContext, from: string, url: string): Promise<Page> {
  const opener = await context.newPage()
  await opener.goto(from)
  const popup = opener.waitForEvent('popup')
  await opener.evaluate((target) => {
    Object.assign(window, { held: window.open(target) })
  }, url)
  return popup
}

/** Address and referrer of each request to the server. */
function watchReferrers(context: BrowserContext): [url: string, referrer: string | undefined][] {
  const seen: [string, string | undefined][] = []
  context.on('request', (request) => {
    if (request.url().startsWith(installation.url)) seen.push([request.url(), request.headers().referer])
  })
  return seen
}

/** Customers' messages, as the team reads them. */
async function textsOf(of: MadeChat): Promise<string[]> {
  const conversationId = await newestConversation(of)
  const paginationOpts = { numItems: 50, cursor: null }
  const shown = await call(of.session, 'query', 'conversations:messages', { conversationId, paginationOpts })
  const { page } = shown as { page: { author: string; text: string }[] }
  return page.filter(({ author }) => author === 'customer').map(({ text }) => text)
}
