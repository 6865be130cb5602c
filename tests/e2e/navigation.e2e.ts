// Finding one's way: redirects, the keyboard with a Russian layout, a lost connection, unsaved changes.
import type { Page } from '@playwright/test'
import { call, idOf, signUp } from '#tests/seeds/installation.ts'
import { expect, test, wordsOf } from './fixtures.ts'
import { isWide, looksOf, openContext } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'

const PERSON = { name: 'Anna', email: 'anna@example.com', password: 'correct horse 42' }
let say: ReturnType<typeof wordsOf>

let installation: Installation
let page: Page

for (const look of looksOf('ru 1280 light')) {
  test.describe(look.name, () => {
    test.beforeAll(async ({ browser }) => {
      say = wordsOf(look.language)
      installation = await startInstallation()
      const session = await signUp(installation.url, PERSON, 'Anna & Co')
      idOf(await call(session, 'mutation', 'agents:create', { name: 'Helper' }))
      const context = await openContext(browser, look, { baseURL: installation.url, reducedMotion: 'no-preference' })
      page = await context.newPage()
    })
    test.afterAll(async () => {
      await page.context().close()
      await installation.close()
    })

    test('leads guests to sign-in and back to where they wanted to go, with its query', async () => {
      await page.goto('/auth')
      await expect(page).toHaveURL(/\/signin$/)
      await page.goto('/chats?status=paused')
      await expect(page).toHaveURL(/\/signin\?from=/)
      await page.locator('input[type=email]').fill(PERSON.email)
      await page.locator('input[type=password]').fill(PERSON.password)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/chats\?status=paused$/)
      await page.goto('/')
      await expect(page).toHaveURL(/\/agents$/)
    })

    test('understands shortcuts by the place of the key when the layout is Russian', async () => {
      await openAgents()
      await pressRussian('KeyK', 'л', { ctrlKey: true })
      await expect(page.getByRole('dialog')).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
      await pressRussian('KeyG', 'п')
      await pressRussian('KeyC', 'с')
      await expect(page).toHaveURL(/\/chats/)
    })

    test('keeps the collapsed sidebar over a reload', async () => {
      test.skip(!isWide(look), 'a phone has a menu in place of the sidebar')
      await openAgents()
      const sidebar = page.getByRole('navigation', { name: say('common', 'nav.label') })
      const widthOf = async () => (await sidebar.boundingBox())?.width ?? 0
      const expanded = await widthOf()
      await page.keyboard.press('Control+b')
      await expect.poll(widthOf).toBeLessThan(expanded / 2)
      await page.reload()
      await expect.poll(widthOf).toBeLessThan(expanded / 2)
      await page.keyboard.press('Control+b')
      await expect.poll(widthOf).toBe(expanded)
    })

    test('asks before unsaved changes are left', async () => {
      await openSettings()
      await page.getByRole('textbox').first().fill('Renamed')
      await page
        .getByRole('link', { name: say('common', 'nav.chats'), exact: true })
        .first()
        .click()
      const question = page.getByRole('alertdialog')
      await expect(question).toBeVisible()
      await question.getByRole('button', { name: say('common', 'leave.stay') }).click()
      await expect(page.getByRole('textbox').first()).toHaveValue('Renamed')
      await page
        .getByRole('link', { name: say('common', 'nav.chats'), exact: true })
        .first()
        .click()
      await question.getByRole('button', { name: say('common', 'leave.leave') }).click()
      await expect(page).toHaveURL(/\/chats/)
    })

    test('covers the page while the server is away and gives the draft back when it returns', async () => {
      let isAway = false
      const drops = new Set<() => void>()
      await page.routeWebSocket(/\/api\//, (client) => {
        if (isAway) return void client.close({ code: 1001 })
        const server = client.connectToServer()
        drops.add(() => {
          void client.close({ code: 1001 })
          void server.close({ code: 1001 })
        })
      })
      await page.route('**/readyz', (route) => (isAway ? route.abort() : route.continue()))
      await openSettings()
      const name = page.getByRole('textbox').first()
      await name.fill('Half a name')
      isAway = true
      for (const drop of drops) drop()
      const overlay = page.getByText(say('common', 'offline.title'))
      await expect(overlay).toBeVisible()
      isAway = false
      await expect(overlay).toBeHidden()
      await expect(name).toHaveValue('Half a name')
    })
  })
}

async function openAgents() {
  await page.goto('/agents')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('agents', 'list.title'))
}

async function openSettings() {
  await openAgents()
  await page.getByRole('link', { name: say('agents', 'list.openSettings', { name: 'Helper' }) }).click()
  await expect(page.getByRole('textbox').first()).toHaveValue(/.+/)
}

/** A key as a Russian layout reports it: the place of the Latin key, the Cyrillic letter. */
async function pressRussian(code: string, key: string, modifiers: { ctrlKey?: boolean } = {}) {
  await page.evaluate(
    ({ code, key, modifiers }) => {
      const event = { code, key, bubbles: true, cancelable: true, ...modifiers }
      const target = document.activeElement ?? document.body
      target.dispatchEvent(new KeyboardEvent('keydown', event))
      target.dispatchEvent(new KeyboardEvent('keyup', event))
    },
    { code, key, modifiers },
  )
}
