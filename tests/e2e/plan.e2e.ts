// The plan page of an organization that runs low: what is used and left, the days by keyboard and as a table, a request that is made, seen by a
// colleague and withdrawn, and what a plan that became smaller says.
import type { Page } from '@playwright/test'
import type pg from 'pg'
import { type Credentials, call, type Session, signUp } from '#tests/seeds/installation.ts'
import { startFilled } from './filled.ts'
import { expect, test, wordsOf } from './fixtures.ts'
import { judgeFrom, looksOf, openContext } from './looks.ts'

const ADMIN = { name: 'Root', email: 'root@example.com', password: 'correct horse 42' }
const ANNA = { name: 'Anna', email: 'anna@example.com', password: 'correct horse 42' }
const BORIS = { name: 'Boris', email: 'boris@example.com', password: 'correct horse 42' }

for (const look of looksOf('ru 375 light')) {
  test.describe(`plan: ${look.name}`, () => {
    const say = wordsOf(look.language)
    const word = (key: string, values: Record<string, string | number> = {}) => say('plan', key, values)
    const judge = (page: Page, name: string, within?: string) => judgeFrom(page, `plan ${name}`, { look, within })
    let world: Awaited<ReturnType<typeof startWorld>>

    test.beforeAll(async () => {
      world = await startWorld()
    })
    test.afterAll(async () => {
      await world?.close()
    })

    test('says what is used, what is left and what to do', async ({ browser }) => {
      const page = await openAs(browser, ANNA)
      await page.goto('/settings/plan')
      await expect(page.getByText(word('month.state.warning'), { exact: true })).toBeVisible()
      await expect(page.getByRole('progressbar', { name: word('month.bar') })).toHaveAttribute('aria-valuenow', '85')
      await judge(page, 'running low')
      await page.getByRole('link', { name: word('alert.choose') }).click()
      await expect(page).toHaveURL(/#plans$/)
      await expect(page.getByRole('heading', { name: word('offered.title') })).toBeInViewport()
      await page.context().close()
    })

    test('shows other days and their table by a link, and walks through them by keyboard', async ({ browser }) => {
      const page = await openAs(browser, ANNA)
      await page.goto('/settings/plan?period=7d')
      const bars = page.getByRole('img', { name: /\d/ })
      await expect(bars).toHaveCount(7)
      await bars.last().focus()
      await page.keyboard.press('ArrowLeft')
      await expect(bars.nth(5)).toBeFocused()
      await page.getByRole('button', { name: word('daily.asTable') }).click()
      await expect(page).toHaveURL(/view=table/)
      await expect(page.getByRole('row')).toHaveCount(8)
      await judge(page, 'table')
      await page.reload()
      await expect(page.getByRole('row')).toHaveCount(8)
      await page.getByRole('button', { name: word('daily.asChart') }).click()
      await page.getByRole('button', { name: /^90/ }).click()
      await expect(page).toHaveURL(/period=90d/)
      await expect(bars).toHaveCount(90)
      await judge(page, 'ninety days')
      await page.context().close()
    })

    test('a plan is asked for, a colleague sees it and may only look, and it is withdrawn', async ({ browser }) => {
      const page = await openAs(browser, ANNA)
      await page.goto('/settings/plan')
      await page.getByRole('button', { name: word('offered.request', { plan: 'Pro' }) }).click()
      await page.getByRole('dialog').getByRole('textbox').fill('Нас уже шестеро')
      await judge(page, 'request', '[role=dialog]')
      await page.getByRole('button', { name: word('dialog.sendChange') }).click()
      await expect(page.getByText(word('request.change', { plan: 'Pro' }))).toBeVisible()
      await judge(page, 'requested')

      const other = await openAs(browser, BORIS)
      await other.goto('/settings/plan')
      await expect(other.getByText(word('request.change', { plan: 'Pro' }))).toBeVisible()
      await expect(other.getByText(word('offered.readOnly'))).toBeVisible()
      await expect(other.getByRole('button', { name: word('request.withdraw') })).toHaveCount(0)
      await judge(other, 'only looking')
      await page.getByRole('button', { name: word('request.withdraw') }).click()
      await expect(other.getByText(word('request.change', { plan: 'Pro' }))).toBeHidden()
      await other.context().close()
      await page.context().close()
    })

    test('used up, and more members than the plan allows: shown in words, with the next step', async ({ browser }) => {
      await world.useUp()
      const page = await openAs(browser, ANNA)
      await page.goto('/settings/plan')
      await expect(page.getByRole('alert').getByText(word('alert.usedUp'))).toBeVisible()
      await expect(page.getByText(word('own.membersOver', { value: 1 }))).toBeVisible()
      await judge(page, 'used up')
      await page.context().close()
    })

    test('nothing used yet, and no plan at all', async ({ browser }) => {
      const page = await openAs(browser, ADMIN)
      await page.goto('/settings/plan')
      await expect(page.getByText(word('daily.empty'))).toBeVisible()
      await expect(page.getByText(word('own.none'))).toBeVisible()
      await judge(page, 'without a plan')
      await page.context().close()
    })

    async function openAs(browser: Parameters<typeof openContext>[0], person: Credentials): Promise<Page> {
      const context = await openContext(browser, look, { baseURL: world.url, person })
      return context.newPage()
    }
  })
}

/** The platform's admin without a plan, and an organization of two on a small one, with ninety days of use. */
async function startWorld() {
  return startFilled(async ({ url }, client) => {
    await signUp(url, ADMIN, 'Root')
    const anna = await signUp(url, ANNA, 'Anna & Co')
    const boris = await signUp(url, BORIS, 'Boris alone')
    await client.query("update members set organization_id = $1, role = 'analyst' where organization_id = $2", [
      anna.organizationId,
      boris.organizationId,
    ])
    await call(anna, 'mutation', 'organizations:update', { patch: { timeZone: 'Asia/Almaty' } })
    await insertDays(client, anna)
    await spendMonth(client, anna, 0.85)
    return { url, useUp: () => useUp(client, anna) }
  })
}

/** Every day another number, over seven channels; some days none. Hundreds: a share of the first day of a month is exact to the percent, too. */
async function insertDays(client: pg.Client, { organizationId }: Session): Promise<void> {
  await client.query(
    `insert into usage_hours (organization_id, hour, category, channel, shard, messages, tokens, cost_micro_usd, unpriced_calls)
     select $1, date_trunc('hour', now(), 'UTC') - make_interval(days => day),
       (array['agent_response','follow_up','test_message','helper_generation','system_message'])[1 + slot % 5],
       (array['telegram','whatsapp','webchat','vk','max','unknown','instagram'])[1 + slot % 7], 0,
       (day * 7 + slot * 3) % 11 * 100, 700 + day, 1234, (slot = 3)::int
     from generate_series(0, 89) as day, generate_series(0, 6) as slot where day % 6 <> 5`,
    [organizationId],
  )
}

/** Sets the allowance so that the month has used this share of it. */
async function spendMonth(client: pg.Client, { organizationId }: Session, share: number): Promise<void> {
  await client.query(
    `update organizations set monthly_limit = (
       select ceil(sum(messages) / $2::float8) from usage_hours h where h.organization_id = $1 and category <> 'system_message'
         and to_char(h.hour at time zone 'Asia/Almaty', 'YYYY-MM') = to_char(now() at time zone 'Asia/Almaty', 'YYYY-MM'))
     where id = $1`,
    [organizationId, share],
  )
}

async function useUp(client: pg.Client, session: Session): Promise<void> {
  await spendMonth(client, session, 1.2)
  await client.query("update plans set members = 1 where slug = 'parking'")
}
