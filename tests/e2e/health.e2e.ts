// The health of an installation in a browser: all well, then much that is not, what to do about it, and that it is done.
import type { Page } from '@playwright/test'
import type pg from 'pg'
import { type Credentials, call, idOf, type Session, signUp } from '#tests/seeds/installation.ts'
import { startFilled } from './filled.ts'
import { expect, test, wordsOf } from './fixtures.ts'
import { judgeFrom, looksOf, openContext } from './looks.ts'
import type { Installation } from './server.ts'

const ADMIN = { name: 'Root', email: 'root@example.com', password: 'correct horse 42' }
const ANNA = { name: 'Anna', email: 'anna@example.com', password: 'correct horse 42' }
const PATIENT = { timeout: 30_000 }
const [REFUSED, STRANGE] = [4711, 4712]

for (const look of looksOf('ru 375 dark')) {
  test.describe(`health: ${look.name}`, () => {
    const say = wordsOf(look.language)
    const word = (key: string, values: Record<string, string | number> = {}) => say('admin', `health.${key}`, values)
    const judge = (page: Page, name: string, within?: string) => judgeFrom(page, `health ${name}`, { look, within })
    let world: Awaited<ReturnType<typeof startWorld>>

    test.beforeAll(async () => {
      world = await startWorld()
    })
    test.afterAll(async () => {
      await world?.close()
    })

    test('everything works, then what does not says what to do, and is done', async ({ browser }) => {
      const page = await openAs(browser, ADMIN)
      await page.goto('/admin/health')
      await expect(page.getByText(word('summary.well'), { exact: true })).toBeVisible()
      await expect(page.getByText(word('state.well'), { exact: true })).toHaveCount(6)
      await judge(page, 'well')

      await world.breakMuch()
      await page.getByRole('button', { name: word('refresh') }).click()
      const problems = page.getByRole('main').getByRole('status').first().getByRole('link')
      await expect(problems).toHaveText(
        [
          'serverGone',
          'versionsDiffer',
          'queueLate',
          'jobsFailed',
          'deliveriesFailed',
          'quarantined',
          'lettersFailed',
        ].map((problem) => word(`problems.${problem}.title`)),
        PATIENT,
      )
      await judge(page, 'broken')
      await problems.nth(5).click()
      await expect(page).toHaveURL(/#quarantine$/)
      await expect(page.getByRole('heading', { name: word('quarantine.title') })).toBeInViewport()

      await page.getByRole('button', { name: word('queues.retry'), exact: true }).click()
      await expect(page.getByRole('heading', { name: word('queues.failing') })).toBeHidden(PATIENT)
      await page.getByRole('button', { name: word('quarantine.replayAll'), exact: true }).click()
      await judge(page, 'question', '[role=alertdialog]')
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: word('quarantine.replay'), exact: true })
        .click()
      await expect.poll(() => world.telegram.sentTo(STRANGE).length, PATIENT).toBe(1)
      await page.getByRole('button', { name: word('refresh') }).click()
      await expect(page.getByText(word('quarantine.none'))).toBeVisible(PATIENT)
      await expect(problems).toHaveCount(5)

      await page.goto('/admin/audit')
      const entries = page.getByRole('main').getByRole('listitem')
      await expect(entries.first()).toContainText(say('audit', 'actions.admin_health_replayConnection'))
      await expect(entries.nth(1)).toContainText(say('audit', 'actions.admin_health_retryJob'))
      await page.context().close()
    })

    async function openAs(browser: Parameters<typeof openContext>[0], person: Credentials): Promise<Page> {
      const context = await openContext(browser, look, { baseURL: world.url, person })
      return context.newPage()
    }
  })
}

/** A bot that answers, and everything else in order. */
async function startWorld() {
  return startFilled(async (installation, client) => {
    const { url, telegram } = installation
    await signUp(url, ADMIN, 'Root')
    const anna = await signUp(url, ANNA, 'Anna & Co')
    await client.query('delete from letters')
    installation.openai?.reply(() => ({ text: 'Within fourteen days.' }))
    const agentId = idOf(
      await call(anna, 'mutation', 'agents:create', { name: 'Helper', model: 'openai/gpt-4.1-mini' }),
    )
    const { token } = telegram.addBot()
    const connectionId = idOf(await call(anna, 'action', 'channels/telegram:provision', { agentId, botToken: token }))
    return { url, telegram, breakMuch: () => breakMuch(installation, client, anna, { token, connectionId }) }
  })
}

type Bot = { token: string; connectionId: string }

/** One of each kind, as after a night without anybody. */
async function breakMuch({ telegram }: Installation, client: pg.Client, anna: Session, bot: Bot): Promise<void> {
  await client.query(
    `insert into servers (id, host, version, started_at, seen_at) values
       ('gone', 'parley-2.example.internal', '0.0.1', now() - interval '3 days', now() - interval '5 hours'),
       ('old', 'parley-3.example.internal', '0.0.1', now() - interval '3 days', now() + interval '1 hour')`,
  )
  const dead = 'knowledge.ingest.00000000-0000-4000-8000-000000000000'
  await client.query('select jobs.create_queue($1, $2::jsonb)', [dead, '{"policy":"standard"}'])
  await client.query("insert into jobs.job (name, data, start_after) values ($1, '{}', now() - interval '5 hours')", [
    dead,
  ])
  await client.query(
    `insert into jobs.job (name, data, state, completed_on, retry_count, output) values
       ('letters.send', '{"letterId":"none"}', 'failed', now() - interval '4 hours', 5, '{"name":"Error","code":"ECONNREFUSED"}')`,
  )
  await client.query(
    `insert into letters (id, recipient, kind, language, state, attempts, next_attempt_at, created_at, last_error)
     values ('failed', 'boris@example.com', 'invitation', 'ru', 'failed', 7, now(), now(), 'cut_off')`,
  )
  telegram.faults.refusals = { count: 1, status: 400 }
  telegram.customerSays(bot.token, { chatId: REFUSED, firstName: 'Bolat' }, 'May I return goods?')
  await expect
    .poll(async () => (await client.query("select from outbox where status = 'failed'")).rowCount, PATIENT)
    .toBe(1)
  const strange = telegram.textUpdate(bot.token, { chatId: STRANGE, firstName: 'Dina' }, 'And when do you open?')
  await client.query(
    `insert into inbound_events (id, organization_id, connection_id, external_key, status, payload)
     values (replace(gen_random_uuid()::text, '-', ''), $1, $2, 'strange', 'quarantined', $3)`,
    [anna.organizationId, bot.connectionId, JSON.stringify(strange)],
  )
}
