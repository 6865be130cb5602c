// Organizations and members in the administration, in a browser: found, given a plan and a limit, suspended and resumed, what members of a
// suspended organization see, roles, sessions and locks, and that each of it is on record.
import type { Page } from '@playwright/test'
import { headersFor } from '#tests/fakes/http/http-channel.ts'
import { type Credentials, call, idOf, type Session, signUp } from '#tests/seeds/installation.ts'
import { startFilled } from './filled.ts'
import { expect, test, wordsOf } from './fixtures.ts'
import { judgeFrom, looksOf, openContext } from './looks.ts'

const ROOT = { name: 'Root', email: 'root@example.com', password: 'correct horse 42' }
const ANNA = { name: 'Анна Ахметова', email: 'anna@example.com', password: 'correct horse 42' }
const BORIS = { name: 'Boris', email: 'boris.with.a.rather.long.address@example.com', password: 'correct horse 42' }
const SHOP = 'Лавка Анны'
const HOTEL = 'Hotel with a name that is longer than most names of hotels'

for (const look of looksOf('en 1280 light')) {
  test.describe(`admin: ${look.name}`, () => {
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

    test('organizations are found, and given another plan and limit in place', async ({ browser }) => {
      const page = await openAs(browser, ROOT)
      await page.goto('/admin')
      await expect(page).toHaveURL(/\/admin\/overview$/)
      await expect(page.getByRole('heading', { name: word('overview.topModels.title') })).toBeVisible()
      await judge(page, 'overview')
      await page.goto('/admin/models')
      await page
        .getByRole('button', { name: word('models.changePriceOf', { name: 'GPT-5 mini' }) })
        .first()
        .click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await judge(page, 'price of a model')
      await page.keyboard.press('Escape')
      await judge(page, 'models')
      await page.goto('/admin/organizations')
      await expect(page.getByRole('link', { name: HOTEL })).toBeVisible()
      await judge(page, 'organizations')
      await page.getByRole('searchbox', { name: word('organizations.search') }).fill('лавка')
      await expect(page.getByRole('link', { name: HOTEL })).toHaveCount(0)
      await expect(page).toHaveURL(/search=/)
      await page.getByRole('combobox', { name: word('organizations.planOf', { name: SHOP }) }).click()
      await page.getByRole('option', { name: 'Pro', exact: true }).click()
      await expect(page.getByText(word('organizations.planSaved', { name: SHOP }))).toBeVisible()
      const limit = page.getByRole('textbox', { name: word('organizations.limitOf', { name: SHOP }) })
      await limit.fill('12x')
      await limit.press('Enter')
      await expect(page.getByRole('alert')).toContainText(say('errors', 'invalid_limit'))
      await judge(page, 'limit refused')
      await limit.fill('12000')
      await limit.press('Enter')
      await expect(page.getByText(word('organizations.limitSaved', { name: SHOP }))).toBeVisible()
      await page.reload()
      await expect(limit).toHaveValue(/^12\D?000$/)
      await expect(page.getByRole('combobox', { name: word('organizations.planOf', { name: SHOP }) })).toHaveText('Pro')
      await page.getByRole('searchbox', { name: word('organizations.search') }).fill('%%%')
      await expect(page.getByRole('heading', { name: word('organizations.notFound') })).toBeVisible()
      await judge(page, 'nothing found')
      await page.context().close()
    })

    test('an organization is suspended with a reason that its members see, and resumed', async ({ browser }) => {
      const anna = await openAs(browser, ANNA)
      await anna.goto('/agents')
      await expect(anna.getByRole('heading', { level: 1 })).toBeVisible()
      const page = await openAs(browser, ROOT)
      await page.goto(`/admin/organizations/${world.anna.organizationId}`)
      await expect(page.getByRole('heading', { name: SHOP })).toBeVisible()
      await expect(page.getByText(word('organizations.failed.delivery'))).toBeVisible()
      await judge(page, 'organization')
      await page.getByRole('button', { name: word('organizations.suspend') }).click()
      const window = page.getByRole('dialog')
      await window.getByRole('button', { name: word('organizations.suspend') }).click()
      await expect(window.getByText(word('reason.error', { max: 500 }))).toBeVisible()
      await judge(page, 'suspend', '[role=dialog]')
      await window.getByRole('textbox').fill('Счёт не оплачен с мая')
      await window.getByRole('button', { name: word('organizations.suspend') }).click()
      await expect(page.getByText(word('reason.given', { reason: 'Счёт не оплачен с мая' }))).toBeVisible()
      await judge(page, 'organization suspended')
      const title = say('common', 'suspended.title', { organization: SHOP })
      await expect(anna.getByRole('heading', { name: title })).toBeVisible()
      await expect(anna.getByText('Счёт не оплачен с мая')).toBeVisible()
      await judge(anna, 'kept out')
      await page.getByRole('button', { name: word('organizations.resume') }).click()
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: word('organizations.resume') })
        .click()
      await expect(anna.getByRole('heading', { name: title })).toHaveCount(0)
      await page.getByRole('link', { name: word('organizations.audit') }).click()
      const entries = page.getByRole('main').getByRole('listitem')
      await expect(entries.first()).toContainText(say('audit', 'actions.admin_organizations_resume'))
      await expect(entries.nth(1)).toContainText('Счёт не оплачен с мая')
      await page.context().close()
      await anna.context().close()
    })

    test('an administrator acts on behalf of an organization, and its members see that', async ({ browser }) => {
      const reason = 'Анна позвонила: агент молчит со вчерашнего вечера'
      const anna = await openAs(browser, ANNA)
      await anna.goto('/agents')
      await expect(anna.getByRole('heading', { level: 1 })).toBeVisible()
      const page = await openAs(browser, ROOT)
      const own = `/admin/organizations/${world.anna.organizationId}`
      await page.goto(own)
      await page.getByRole('button', { name: word('support.begin') }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox').fill(reason)
      await judge(page, 'on behalf asked', '[role=dialog]')
      await dialog.getByRole('button', { name: word('support.enter') }).click()
      const notice = page.getByRole('region', { name: say('support', 'label') })
      await expect(notice).toContainText(say('support', 'own', { name: SHOP }))
      await expect(page.getByText('Helper').first()).toBeVisible()
      await judge(page, 'on behalf')
      await page.goto('/chats')
      await expect(page.getByText('Болат').first()).toBeVisible()
      await judge(page, 'on behalf inbox')
      const theirs = anna.getByRole('region', { name: say('support', 'label') })
      await expect(theirs).toContainText(reason)
      await judge(anna, 'on behalf seen')
      await notice.getByRole('button', { name: say('support', 'end') }).click()
      await expect(page).toHaveURL(new RegExp(`${own}$`))
      await expect(page.getByText(word('support.reads'))).toBeVisible()
      await expect(page.getByText(say('common', 'organization.accessEnded', { name: SHOP }))).toBeVisible()
      await judge(page, 'on behalf ended')
      await expect(theirs).toHaveCount(0)
      await anna.goto('/settings/audit')
      await expect(anna.getByText(say('audit', 'actions.admin_support_end')).first()).toBeVisible()
      await page.context().close()
      await anna.context().close()
    })

    test('a member becomes administrator and stops being one, on their open screen', async ({ browser }) => {
      const page = await openAs(browser, ROOT)
      await page.goto('/admin/members')
      await expect(page.getByText(BORIS.email)).toBeVisible()
      await judge(page, 'members')
      await choose(page, BORIS, 'giveAdmin')
      await judge(page, 'question', '[role=alertdialog]')
      await confirm(page, 'giveAdmin')
      await page.goto('/admin/members?role=admin')
      await expect(page.getByRole('main').getByText(BORIS.email)).toBeVisible()
      const boris = await openAs(browser, BORIS)
      await boris.goto('/admin/members')
      await expect(boris.getByText(ANNA.email)).toBeVisible()
      await choose(page, BORIS, 'takeAdmin')
      await confirm(page, 'takeAdmin')
      await expect(boris).toHaveURL(/\/agents\?reason=admin_required$/)
      await page.context().close()
      await boris.context().close()
    })

    test('a locked person is signed out at once, and shown why', async ({ browser }) => {
      const boris = await openAs(browser, BORIS)
      await boris.goto('/agents')
      await expect(boris.getByRole('heading', { level: 1 })).toBeVisible()
      const page = await openAs(browser, ROOT)
      await page.goto('/admin/members?search=boris')
      await choose(page, BORIS, 'lock')
      await page.getByRole('dialog').getByRole('textbox').fill('Spam')
      await judge(page, 'lock', '[role=dialog]')
      await page
        .getByRole('dialog')
        .getByRole('button', { name: word('members.lock') })
        .click()
      await expect(page.getByText(word('members.locked'), { exact: true })).toBeVisible()
      await judge(page, 'member locked')
      await expect(boris.getByText(say('auth', 'ended.locked'))).toBeVisible()
      await boris.getByLabel(say('auth', 'field.email')).fill(BORIS.email)
      await boris.getByLabel(say('auth', 'field.password'), { exact: true }).fill(BORIS.password)
      await boris.keyboard.press('Enter')
      await expect(boris.getByRole('alert')).toContainText('Spam')
      await judge(boris, 'sign-in refused')
      await choose(page, BORIS, 'unlock')
      await confirm(page, 'unlock')
      await expect(page.getByText(word('members.locked'), { exact: true })).toHaveCount(0)
      await page.context().close()
      await boris.context().close()
    })

    test('an administrator whose own organization is suspended reaches the administration', async ({ browser }) => {
      await world.suspendRoot()
      const page = await openAs(browser, ROOT)
      await page.goto('/agents')
      await page.getByRole('link', { name: say('common', 'suspended.administration') }).click()
      await expect(page.getByRole('link', { name: SHOP })).toBeVisible()
      await judge(page, 'in a suspended organization')
      await page.context().close()
    })

    async function choose(page: Page, { name }: Credentials, what: string): Promise<void> {
      await page.getByRole('button', { name: word('actsOf', { name }) }).click()
      await page.getByRole('menuitem', { name: word(`members.${what}`) }).click()
    }

    async function confirm(page: Page, what: string): Promise<void> {
      const question = page.getByRole('alertdialog')
      await question.getByRole('button', { name: word(`members.${what}`) }).click()
      await expect(question).toHaveCount(0)
    }

    async function openAs(browser: Parameters<typeof openContext>[0], person: Credentials): Promise<Page> {
      const context = await openContext(browser, look, { baseURL: world.url, person })
      return context.newPage()
    }
  })
}

type Provisioned = { connection: { _id: string }; secrets: { inbound: string } }

/** Three organizations; of one a channel whose program takes no messages, so that an answer could not be delivered. */
async function startWorld() {
  return startFilled(async ({ url }, client) => {
    const root = await signUp(url, ROOT, 'Root')
    const anna = await signUp(url, ANNA, SHOP)
    await signUp(url, BORIS, HOTEL)
    await failDelivery(url, anna)
    await client.query(
      `insert into usage_months (organization_id, month, agent_id, shard, messages, tokens, cost_micro_usd, unpriced_calls)
       select $1, to_char(now() - make_interval(months => back), 'YYYY-MM'), 'gone', 0, 1234 + back * 100, 567890, 1234567, back
       from generate_series(1, 4) as back`,
      [anna.organizationId],
    )
    const suspendRoot = () =>
      client.query("update organizations set suspended_at = now(), suspended_reason = 'Unpaid' where id = $1", [
        root.organizationId,
      ])
    return { url, anna, suspendRoot }
  })
}

async function failDelivery(url: string, anna: Session): Promise<void> {
  const agentId = idOf(await call(anna, 'mutation', 'agents:create', { name: 'Helper' }))
  const program = { agentId, name: 'Приложение', url: 'http://127.0.0.1:9/parley' }
  const made = (await call(anna, 'action', 'channels/http:provision', program)) as Provisioned
  const body = JSON.stringify({ type: 'message', chatId: '1', sender: { name: 'Болат' }, text: 'Здравствуйте' })
  const headers = headersFor(made.secrets.inbound, body)
  const address = `${url}/api/channels/http/${made.connection._id}/messages`
  expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(202)
}
