// Webhooks in a browser: made with a secret that is shown once, how each stands, the log by a link to any view, and what is sent again.
import type { Page } from '@playwright/test'
import type pg from 'pg'
import { type Credentials, call, signUp } from '#tests/seeds/installation.ts'
import { startFilled } from './filled.ts'
import { expect, test, wordsOf } from './fixtures.ts'
import { judgeFrom, looksOf, openContext } from './looks.ts'

const ANNA = { name: 'Anna', email: 'anna@example.com', password: 'correct horse 42' }
const BORIS = { name: 'Boris', email: 'boris@example.com', password: 'correct horse 42' }
/** Public, and never reached: nothing that it hears of happens here. */
const ADDRESS = 'http://93.184.215.14/hook'
/** What the receiver of the story never takes. */
const REFUSED = '{"error":"No such field: customerId"}'

for (const look of looksOf('ru 1280 light')) {
  test.describe(`webhooks: ${look.name}`, () => {
    const say = wordsOf(look.language)
    const judge = (page: Page, name: string, within?: string) => judgeFrom(page, `webhooks ${name}`, { look, within })
    let world: Awaited<ReturnType<typeof startWorld>>

    test.beforeAll(async () => {
      world = await startWorld()
    })
    test.afterAll(async () => {
      await world?.close()
    })

    test('one is made, and its secret is shown once', async ({ browser }) => {
      const page = await openAs(browser, BORIS)
      await page.goto('/settings/webhooks')
      await expect(page.getByRole('heading', { name: say('webhooks', 'none') })).toBeVisible()
      await judge(page, 'none')
      await page.getByRole('button', { name: say('webhooks', 'create') }).press('Enter')
      const dialog = page.getByRole('dialog')
      const address = dialog.getByRole('textbox', { name: say('webhooks', 'url') })
      await address.fill('http://10.0.0.1/hook')
      await address.press('Enter')
      await expect(dialog.getByText(say('errors', 'webhook_url_internal'))).toBeVisible()
      await judge(page, 'refused', '[role=dialog]')
      await address.fill(ADDRESS)
      await dialog.getByRole('checkbox', { name: say('webhooks', 'typeNames.messageIncoming') }).press('Space')
      await dialog.getByRole('button', { name: say('webhooks', 'create') }).press('Enter')
      await expect(dialog.getByText(/^whsec_/)).toBeVisible()
      await judge(page, 'secret', '[role=dialog]')
      await dialog.getByRole('button', { name: say('webhooks', 'done') }).press('Enter')
      await expect(page.getByText(/^whsec_/)).toHaveCount(0)
      const row = page.getByRole('main').getByRole('listitem')
      await expect(row).toContainText(ADDRESS)
      await expect(row).toContainText(say('webhooks', 'standing.untried'))
      await page.context().close()
    })

    test('how each stands, and what was sent to one that fails', async ({ browser }) => {
      const page = await openAs(browser, ANNA)
      await page.goto('/settings/webhooks')
      const rows = page.getByRole('main').getByRole('listitem')
      await expect(rows).toHaveCount(4)
      for (const state of ['working', 'failing', 'disabled', 'off'])
        await expect(rows.getByText(say('webhooks', `standing.${state}`), { exact: true })).toHaveCount(1)
      await judge(page, 'list')
      await rows.filter({ hasText: 'CRM' }).getByRole('link').press('Enter')
      await expect(page.getByText(say('webhooks', 'failingNote'))).toBeVisible()
      await judge(page, 'failing')
      await page.goto(`/settings/webhooks?endpoint=${world.failing}&state=dead`)
      const log = page.getByRole('list', { name: say('webhooks', 'log') }).getByRole('listitem')
      await expect(log.first()).toContainText(say('webhooks', 'stateNames.dead'))
      await log.first().getByRole('button').press('Enter')
      await expect(page.getByText(REFUSED)).toBeVisible()
      await expect(page).toHaveURL(/delivery=/)
      await judge(page, 'delivery')
      await page.getByRole('button', { name: say('webhooks', 'replayDead') }).press('Enter')
      await judge(page, 'replay', '[role=alertdialog]')
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: say('webhooks', 'replayDead') })
        .press('Enter')
      await expect(page.getByRole('heading', { name: say('webhooks', 'noneOfState') })).toBeVisible()
      await page.context().close()
    })

    test('a test event is sent, and its failure is explained', async ({ browser }) => {
      const page = await openAs(browser, ANNA)
      await page.goto(`/settings/webhooks?endpoint=${world.working}`)
      await page.getByRole('button', { name: say('webhooks', 'sendTest') }).press('Enter')
      const log = page.getByRole('list', { name: say('webhooks', 'log') }).getByRole('listitem')
      await expect(log.first()).toContainText(say('webhooks', 'typeNames.test'))
      await log.first().getByRole('button').press('Enter')
      await expect(page.getByText(say('webhooks', 'errors.addressRefused')).first()).toBeVisible()
      await judge(page, 'test')
      await page.context().close()
    })

    test('one that was disabled is switched on, and one that is gone has a way back', async ({ browser }) => {
      const page = await openAs(browser, ANNA)
      await page.goto(`/settings/webhooks?endpoint=${world.disabled}`)
      await expect(page.getByRole('alert')).toBeVisible()
      await judge(page, 'disabled')
      await page.getByRole('button', { name: say('webhooks', 'switchOn') }).press('Enter')
      await expect(page.getByRole('button', { name: say('webhooks', 'sendTest') })).toBeVisible()
      await page.getByRole('button', { name: say('webhooks', 'more') }).press('Enter')
      await judge(page, 'menu')
      await page.getByRole('menuitem', { name: say('webhooks', 'delete') }).press('Enter')
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: say('webhooks', 'delete') })
        .press('Enter')
      await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(3)
      await page.goto(`/settings/webhooks?endpoint=${world.disabled}`)
      await expect(page.getByText(say('webhooks', 'gone'))).toBeVisible()
      await page.getByRole('link', { name: say('webhooks', 'back') }).press('Enter')
      await expect(page).toHaveURL(/\/settings\/webhooks$/)
      await page.context().close()
    })

    async function openAs(browser: Parameters<typeof openContext>[0], person: Credentials): Promise<Page> {
      const context = await openContext(browser, look, { baseURL: world.url, person })
      return context.newPage()
    }
  })
}

/** An organization with an endpoint in each state, and one without any. */
async function startWorld() {
  return startFilled(async ({ url }, client) => {
    await signUp(url, BORIS, 'Boris & Co')
    const anna = await signUp(url, ANNA, 'Anna & Co')
    const make = async (description: string) => {
      const settings = { url: ADDRESS, description, types: ['limit.near', 'document.failed'], perMinute: null }
      const made = await call(anna, 'action', 'webhooks:create', settings)
      return (made as { endpointId: string }).endpointId
    }
    const [working, failing] = [await make(''), await make('CRM')]
    const [disabled, off] = [await make('Склад'), await make('Old shop')]
    const set = (id: string, values: string) =>
      client.query(`update webhook_endpoints set ${values} where id = $1`, [id])
    // From here on its attempts end at the guard, and reach nothing.
    await set(working, `url = 'http://10.0.0.5/hook', last_delivered_at = now()`)
    await set(
      failing,
      `url = 'https://crm.example.com/parley/events?tenant=anna', failures = 7, failing_since = now() - interval '5 hours', retry_at = now() + interval '1 day'`,
    )
    await set(disabled, `state = 'disabled', disabled_reason = 'failing', failing_since = now() - interval '5 days'`)
    await set(off, `state = 'off'`)
    await addDeliveries(client, anna.organizationId, failing)
    return { url, working, failing, disabled }
  })
}

/** One of each state, the one that was given up with its attempts. */
async function addDeliveries(client: pg.Client, organizationId: string, endpointId: string): Promise<void> {
  for (const [state, type] of [
    ['delivered', 'document.failed'],
    ['dead', 'limit.near'],
    ['waiting', 'document.failed'],
  ]) {
    const data = JSON.stringify({ limit: 'messages', period: '2026-11', percent: 80, used: 800, allowed: 1000 })
    const { rows } = await client.query(
      `insert into webhook_events (organization_id, type, subject, endpoint_id, data) values ($1, $2, $3, $4, $5) returning id`,
      [organizationId, type, state, endpointId, data],
    )
    await client.query(
      `update webhook_deliveries set state = $2, attempts = 2, last_tried_at = now(), last_status = case when $2 = 'delivered' then 200 else 422 end
       where event_id = $1`,
      [rows[0].id, state],
    )
  }
  await client.query(
    `insert into webhook_attempts (organization_id, delivery_id, number, status, error, latency_ms, answer)
     select organization_id, id, number, case number when 2 then 422 end, case number when 1 then 'timeout' else 'status' end,
       case number when 1 then 15000 else 84 end, case number when 2 then $2 else '' end
     from webhook_deliveries, generate_series(1, 2) number where endpoint_id = $1 and state = 'dead'`,
    [endpointId, REFUSED],
  )
}
