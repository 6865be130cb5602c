// The administration's frame, the template and the audit trail, in a browser: who may open them, and what they show and do.
import type { Page } from '@playwright/test'
import { type Credentials, call, idOf, signUp } from '#tests/seeds/installation.ts'
import { startFilled } from './filled.ts'
import { expect, test, wordsOf } from './fixtures.ts'
import { isWide, judgeFrom, looksOf, openContext } from './looks.ts'

const ADMIN = { name: 'Root', email: 'root@example.com', password: 'correct horse 42' }
const ANNA = { name: 'Anna', email: 'anna@example.com', password: 'correct horse 42' }

for (const look of looksOf('ru 1280 dark')) {
  test.describe(`audit: ${look.name}`, () => {
    const say = wordsOf(look.language)
    const judge = (page: Page, name: string, within?: string) => judgeFrom(page, `audit ${name}`, { look, within })
    let world: Awaited<ReturnType<typeof startWorld>>

    test.beforeAll(async () => {
      world = await startWorld()
    })
    test.afterAll(async () => {
      await world?.close()
    })

    test('the administration is for administrators, also by its address and its keys', async ({ browser }) => {
      const page = await openAs(browser, ANNA)
      await page.goto('/admin/audit')
      await expect(page).toHaveURL(/\/agents\?reason=admin_required$/)
      await expect(page.getByRole('alert')).toContainText(say('common', 'accessDenied.title'))
      await judge(page, 'refused')
      await page
        .getByRole('alert')
        .getByRole('button', { name: say('common', 'accessDenied.dismiss') })
        .click()
      await expect(page).toHaveURL(/\/agents$/)
      await expect(page.getByRole('link', { name: say('common', 'nav.admin'), exact: true })).toHaveCount(0)
      await page.context().close()
    })

    test('an organization sees what was done in it, by a link to any view', async ({ browser }) => {
      const page = await openAs(browser, ANNA)
      await page.goto('/settings/audit')
      const entries = page.getByRole('main').getByRole('listitem')
      await expect(entries).toHaveCount(3)
      await expect(entries.first()).toContainText(say('audit', 'actions.agents_keys_set'))
      await judge(page, 'own')
      await page.goto('/settings/audit?action=organizations:update')
      await expect(entries).toHaveCount(1)
      await page.goto('/settings/audit?action=organizations:remove&range=24h')
      await expect(page.getByRole('heading', { name: say('audit', 'none') })).toBeVisible()
      await judge(page, 'nothing')
      await page.getByRole('button', { name: say('audit', 'showAll') }).click()
      await expect(entries).toHaveCount(3)
      await page.context().close()
    })

    test('the template is written, tried and taken back, and that is on record', async ({ browser }) => {
      const page = await openAs(browser, ADMIN)
      await page.goto('/agents')
      const bar = page.getByRole('navigation').getByRole('link', { name: linkTo(), exact: true })
      await bar.first().click()
      await expect(page).toHaveURL(/\/admin\//)
      await page.goto('/admin/template')
      await expect(page.getByText(say('admin', 'template.noVersions'))).toBeVisible()
      const text = page.getByRole('textbox', { name: say('admin', 'template.text') })
      await text.fill('You are {{agent}} of {{organisation}}.')
      await expect(page.getByText(say('admin', 'template.unknown', { name: 'organisation' }))).toBeVisible()
      await judge(page, 'template refused')
      for (const words of ['Always be polite.', 'You work for a shop. Be brief.']) {
        await text.fill(words)
        await page.getByRole('button', { name: say('admin', 'template.save') }).click()
        await expect(page.getByRole('button', { name: say('admin', 'template.save') })).toBeDisabled()
      }
      await page.getByRole('button', { name: say('admin', 'template.try') }).click()
      await expect(page.getByRole('dialog')).toContainText('You work for a shop. Be brief.')
      await judge(page, 'template tried', '[role=dialog]')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: say('admin', 'template.compare') }).click()
      await judge(page, 'template compared', '[role=dialog]')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: say('admin', 'template.restore'), exact: true }).click()
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: say('admin', 'template.restore') })
        .click()
      await expect(text).toHaveValue('Always be polite.')
      await judge(page, 'template versions')
      await page.goto('/admin/audit')
      const entries = page.getByRole('main').getByRole('listitem')
      await expect(entries.first()).toContainText(say('audit', 'actions.admin_template_restore'))
      await judge(page, 'all')
      await page.context().close()
    })

    function linkTo(): string {
      return say('common', isWide(look) ? 'nav.admin' : 'nav.short.admin')
    }

    async function openAs(browser: Parameters<typeof openContext>[0], person: Credentials): Promise<Page> {
      const context = await openContext(browser, look, { baseURL: world.url, person })
      return context.newPage()
    }
  })
}

/** An organization with three acts on record. */
async function startWorld() {
  return startFilled(async ({ url }) => {
    await signUp(url, ADMIN, 'Root')
    const anna = await signUp(url, ANNA, 'Anna & Co')
    await call(anna, 'mutation', 'organizations:update', {
      patch: { displayName: 'Лавка Анны', supportEmail: 'help@example.com' },
    })
    const agent = await call(anna, 'mutation', 'agents:create', { name: 'Helper' })
    await call(anna, 'action', 'agents/keys:set', {
      agentId: idOf(agent),
      provider: 'openai',
      key: 'sk-for-the-story-1234',
    })
    return { url }
  })
}
