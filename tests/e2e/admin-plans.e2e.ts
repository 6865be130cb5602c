// Plans, invitations and flags in the administration, in a browser: a plan is made, moved by keyboard and archived, a request is settled while its
// organization looks on, a person is invited and the link copied, a flag is switched with an exception.
import type { Page } from '@playwright/test'
import { type Credentials, call, signUp } from '#tests/seeds/installation.ts'
import { startFilled } from './filled.ts'
import { expect, test, wordsOf } from './fixtures.ts'
import { judgeFrom, looksOf, openContext } from './looks.ts'

const ROOT = { name: 'Root', email: 'root@example.com', password: 'correct horse 42' }
const ANNA = { name: 'Анна Ахметова', email: 'anna@lavka.example', password: 'correct horse 42' }
const SHOP = 'Лавка Анны с названием, которое длиннее большинства названий лавок'

for (const look of looksOf('ru 375 light')) {
  test.describe(`admin plans: ${look.name}`, () => {
    const say = wordsOf(look.language)
    const word = (key: string, values: Record<string, string | number> = {}) => say('admin', key, values)
    const judge = (page: Page, name: string, within?: string) => judgeFrom(page, `admin ${name}`, { look, within })
    let world: Awaited<ReturnType<typeof startWorld>>

    test.beforeAll(async () => {
      world = await startWorld()
    })
    test.afterAll(async () => {
      await world?.close()
    })

    test('a plan is created, moved by keyboard, made the default and archived', async ({ browser }) => {
      const page = await openAs(browser, ROOT)
      await page.goto('/admin/plans')
      await expect(page.getByText('Enterprise', { exact: true })).toBeVisible()
      await judge(page, 'plans')
      await page.getByRole('button', { name: word('plans.create') }).click()
      const form = page.getByRole('dialog')
      await form.getByRole('button', { name: word('plans.create') }).click()
      await expect(form.getByText(say('errors', 'missing_plan_name'))).toBeVisible()
      await judge(page, 'plan form', '[role=dialog]')
      await field(form, 'plans.fields.name').fill('Team')
      await field(form, 'plans.fields.slug').fill('pro')
      await field(form, 'plans.fields.price').fill('70000')
      await field(form, 'plans.fields.featuresRu').fill('Всё из Starter\nДесять участников')
      await form.getByRole('button', { name: word('plans.create') }).click()
      await expect(form.getByRole('alert')).toContainText(say('errors', 'plan_exists'))
      await field(form, 'plans.fields.slug').fill('team')
      await form.getByRole('button', { name: word('plans.create') }).click()
      await expect(form).toHaveCount(0)
      const up = page.getByRole('button', { name: word('plans.moveUp', { name: 'Team' }) })
      await up.focus()
      await page.keyboard.press('Enter')
      await expect(page.getByText(word('plans.moved', { name: 'Team', place: 4, count: 5 }))).toBeAttached()
      await expect(
        page
          .getByRole('list', { name: word('plans.title') })
          .getByRole('listitem')
          .filter({ hasText: 'Team' }),
      ).toBeVisible()
      await expect(up).toBeFocused()
      await choose(page, 'Team', 'setDefault')
      await confirm(page, 'plans.setDefault')
      await choose(page, 'Team', 'archive')
      await confirm(page, 'plans.archive', false)
      await expect(page.getByText(say('errors', 'cannot_archive_default_plan'))).toBeVisible()
      await judge(page, 'archive refused')
      await page.keyboard.press('Escape')
      await choose(page, 'Parking', 'setDefault')
      await confirm(page, 'plans.setDefault')
      await choose(page, 'Team', 'archive')
      await confirm(page, 'plans.archive')
      await expect(page.getByText(word('plans.isArchived'), { exact: true })).toBeVisible()
      await judge(page, 'plan archived')
      await page.context().close()
    })

    test('the request of an organization is settled while it looks on', async ({ browser }) => {
      const anna = await openAs(browser, ANNA)
      await anna.goto('/settings/plan')
      const asked = anna.getByText(say('plan', 'request.change', { plan: 'Pro' }))
      await expect(asked).toBeVisible()
      const page = await openAs(browser, ROOT)
      await page.goto('/admin/plans')
      await judge(page, 'plan request')
      await page.getByRole('button', { name: word('plans.requests.giveTo', { plan: 'Pro', name: SHOP }) }).click()
      await judge(page, 'settle', '[role=alertdialog]')
      await confirm(page, 'plans.requests.give', true, { plan: 'Pro' })
      await expect(page.getByText(word('plans.requests.none'))).toBeVisible()
      await expect(asked).toHaveCount(0)
      await page.context().close()
      await anna.context().close()
    })

    test('a person is invited by the domain of their address, and the invitation is revoked', async ({ browser }) => {
      const page = await openAs(browser, ROOT)
      await page.goto('/admin/invitations')
      await expect(page.getByRole('heading', { name: word('invites.none') })).toBeVisible()
      await judge(page, 'no invitations')
      await page
        .getByRole('button', { name: word('invites.invite') })
        .first()
        .click()
      const form = page.getByRole('dialog')
      const email = field(form, 'invites.email')
      const send = form.getByRole('button', { name: word('invites.send') })
      await email.fill(ANNA.email)
      await send.click()
      await expect(form.getByRole('alert')).toContainText(say('errors', 'email_of_member'))
      await judge(page, 'invitation refused', '[role=dialog]')
      await email.fill('new@nowhere.example')
      await send.click()
      await expect(form.getByRole('alert')).toContainText('nowhere.example')
      await email.fill('boris@lavka.example')
      await send.click()
      await expect(form.getByText(/\/invite\?token=/)).toBeVisible()
      await judge(page, 'invitation made', '[role=dialog]')
      await form.getByRole('button', { name: word('invites.done') }).click()
      const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'boris@lavka.example' })
      await expect(row).toContainText(SHOP)
      await judge(page, 'invitations')
      await row.getByRole('button', { name: word('invites.revokeOf', { email: 'boris@lavka.example' }) }).click()
      await confirm(page, 'invites.revoke')
      await page.goto('/admin/invitations?status=revoked')
      await expect(row).toBeVisible()
      await page.goto('/admin/invitations?search=%25%25')
      await expect(page.getByRole('heading', { name: word('invites.notFound') })).toBeVisible()
      await judge(page, 'no invitation found')
      await page.context().close()
    })

    test('a flag is switched off, with an exception for one organization', async ({ browser }) => {
      const page = await openAs(browser, ROOT)
      await page.goto('/admin/flags')
      const voice = page.getByRole('main').getByRole('listitem').filter({ hasText: 'voice' }).first()
      const toggle = voice.getByRole('switch')
      await expect(toggle).toBeChecked()
      await toggle.focus()
      await page.keyboard.press('Space')
      await expect(page.getByText(word('flags.turnedOff', { key: 'voice' }))).toBeVisible()
      await voice.getByRole('button', { name: word('flags.exceptOf', { key: 'voice' }) }).click()
      const form = page.getByRole('dialog')
      await form.getByRole('searchbox').fill('лавка')
      await form.getByRole('combobox').click()
      await page.getByRole('option', { name: SHOP }).click()
      await expect(page.getByRole('listbox')).toBeHidden()
      await judge(page, 'exception', '[role=dialog]')
      await form.getByRole('button', { name: word('flags.save') }).click()
      await expect(voice.getByRole('button', { name: word('flags.endException', { name: SHOP }) })).toBeVisible()
      await page.getByRole('button', { name: word('flags.add') }).click()
      await field(form, 'flags.key').fill('dark_launch')
      await form.getByRole('button', { name: word('flags.save') }).click()
      await expect(page.getByText(word('flags.unused'), { exact: true })).toBeVisible()
      await judge(page, 'flags')
      await page.reload()
      await expect(toggle).not.toBeChecked()
      await page.context().close()
    })

    function field(form: ReturnType<Page['getByRole']>, key: string) {
      return form.getByRole('textbox', { name: new RegExp(`^${word(key)}`) })
    }

    async function choose(page: Page, name: string, what: string): Promise<void> {
      await page.getByRole('button', { name: word('actsOf', { name }) }).click()
      await page.getByRole('menuitem', { name: word(`plans.${what}`) }).click()
    }

    async function confirm(page: Page, key: string, isDone = true, values: Record<string, string> = {}): Promise<void> {
      const question = page.getByRole('alertdialog')
      await question.getByRole('button', { name: word(key, values) }).click()
      if (isDone) await expect(question).toHaveCount(0)
    }

    async function openAs(browser: Parameters<typeof openContext>[0], person: Credentials): Promise<Page> {
      const context = await openContext(browser, look, { baseURL: world.url, person })
      return context.newPage()
    }
  })
}

/** The platform's admin, and an organization that asks for another plan. */
async function startWorld() {
  return startFilled(async ({ url }) => {
    await signUp(url, ROOT, 'Root')
    const anna = await signUp(url, ANNA, SHOP)
    await call(anna, 'mutation', 'billing:requestChange', {
      planSlug: 'pro',
      note: 'Нас уже шестеро, и каналов не хватает',
    })
    return { url }
  })
}
