// Analytics of a shop with sixty days of conversations: numbers lead to exactly the conversations behind them, charts are walked through by
// keyboard and read as tables, days and filters stand in the address, files and paper hold what the screen shows, and operators are kept out.
import fs from 'node:fs'
import type { Page } from '@playwright/test'
import type pg from 'pg'
import { type Credentials, call, idOf, type Session, signUp } from '#tests/seeds/installation.ts'
import { startFilled } from './filled.ts'
import { expect, test, wordsOf } from './fixtures.ts'
import { judgeFrom, looksOf, openContext } from './looks.ts'

const ANNA = { name: 'Anna', email: 'anna@example.com', password: 'correct horse 42' }
const BORIS = { name: 'Boris', email: 'boris@example.com', password: 'correct horse 42' }
const VERA = { name: 'Vera', email: 'vera@example.com', password: 'correct horse 42' }

for (const look of looksOf('en 1280 dark')) {
  test.describe(`analytics: ${look.name}`, () => {
    const say = wordsOf(look.language)
    const word = (key: string, values: Record<string, string | number> = {}) => say('analytics', key, values)
    const nameOf = (what: string) => word(`figures.name.${what}`)
    /** The link of a card, whatever its number. */
    const cardOf = (page: Page, what: string) =>
      page.getByRole('link', { name: new RegExp(`^${nameOf(what)}: .*\\. `) }).first()
    const judge = (page: Page, name: string, within?: string) => judgeFrom(page, `analytics ${name}`, { look, within })
    let world: Awaited<ReturnType<typeof startWorld>>

    test.beforeAll(async () => {
      world = await startWorld()
    })
    test.afterAll(async () => {
      await world?.close()
    })

    test('numbers lead to exactly the conversations behind them', async ({ browser }) => {
      const page = await openAs(browser, ANNA)
      await page.goto('/analytics')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(word('title'))
      for (const what of ['resolved', 'handedOff', 'unanswered']) {
        const card = cardOf(page, what)
        const shown = Number(await card.innerText())
        expect(shown).toBeGreaterThan(0)
        const address = (await card.getAttribute('href')) ?? ''
        expect(await countAt(address)).toBe(shown)
      }
      await judge(page, 'thirty days')
      await cardOf(page, 'handedOff').click()
      await expect(page).toHaveURL(/\/chats\?.*outcome=handed_off/)
      await expect(page.getByRole('button', { name: new RegExp(nameOf('handedOff')) })).toBeVisible()
      await page.goBack()
      await expect(cardOf(page, 'handedOff')).toBeVisible()
      await page.context().close()
    })

    test('charts are walked through by keyboard, and read as tables by a link', async ({ browser }) => {
      const page = await openAs(browser, ANNA)
      await page.goto('/analytics?range=7d')
      const bars = page.getByRole('group', { name: new RegExp(`^${word('charts.timeline')}`) }).getByRole('link')
      await expect(bars).toHaveCount(7)
      await bars.last().focus()
      await page.keyboard.press('ArrowLeft')
      await expect(bars.nth(5)).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/chats\?.*begunSince=/)
      await page.goto('/analytics?range=7d')
      const title = word('charts.timeline')
      await page.getByRole('button', { name: word('chart.asTableNamed', { title }) }).click()
      await expect(page).toHaveURL(/table=timeline/)
      await page.reload()
      await expect(page.getByRole('table', { name: title }).getByRole('row')).toHaveCount(8)
      await page.goto(
        '/analytics?range=7d&table=timeline,messages,hour,reason,rating,agent,operator,channel,tag,question',
      )
      await expect(page.getByRole('table')).toHaveCount(11)
      await judge(page, 'tables')
      await page.context().close()
    })

    test('days of one’s own and filters stand in the address, and narrow every number', async ({ browser }) => {
      const page = await openAs(browser, ANNA)
      await page.goto('/analytics')
      await page.getByRole('button', { name: word('toolbar.custom') }).click()
      await judge(page, 'own days', '[role=dialog]')
      await page.getByLabel(word('toolbar.from'), { exact: true }).fill(world.day(50))
      await page.getByLabel(word('toolbar.to'), { exact: true }).fill(world.day(60))
      await page
        .getByRole('dialog')
        .getByRole('button', { name: word('toolbar.show') })
        .click()
      await expect(page.getByRole('alert').or(page.locator('[aria-invalid=true]')).first()).toBeVisible()
      await page.getByLabel(word('toolbar.to'), { exact: true }).fill(world.day(0))
      await page
        .getByRole('dialog')
        .getByRole('button', { name: word('toolbar.show') })
        .click()
      await expect(page).toHaveURL(new RegExp(`from=${world.day(50)}&to=${world.day(0)}`))
      const all = Number(await cardOf(page, 'conversations').innerText())
      await page.getByRole('combobox', { name: word('toolbar.tag') }).click()
      await page.getByRole('option', { name: 'wholesale' }).click()
      await expect(page).toHaveURL(/tag=wholesale/)
      await expect(async () => {
        expect(Number(await cardOf(page, 'conversations').innerText())).toBeLessThan(all)
      }).toPass()
      const address = (await cardOf(page, 'conversations').getAttribute('href')) ?? ''
      expect(await countAt(address)).toBe(Number(await cardOf(page, 'conversations').innerText()))
      await page.context().close()
    })

    test('a chart is saved for a spreadsheet, and a printed page holds nothing but the numbers', async ({
      browser,
    }) => {
      const page = await openAs(browser, ANNA)
      await page.goto('/analytics')
      const saving = page.waitForEvent('download')
      await page.getByRole('button', { name: word('chart.csvNamed', { title: word('charts.agent') }) }).click()
      const file = await (await saving).path()
      const csv = fs.readFileSync(file, 'utf8')
      expect(csv.startsWith('\uFEFF')).toBe(true)
      expect(csv).toContain('Helper')
      await page.emulateMedia({ media: 'print' })
      await expect(page.getByRole('banner')).toBeHidden()
      await expect(page.getByRole('button', { name: word('print') })).toBeHidden()
      await expect(page.getByRole('heading', { name: word('charts.timeline') })).toBeVisible()
      await page.context().close()
    })

    test('says when there is nothing, and what cannot be asked for', async ({ browser }) => {
      const page = await openAs(browser, VERA)
      await page.goto('/analytics')
      await expect(page.getByText(word('chart.empty')).first()).toBeVisible()
      await judge(page, 'nothing')
      await page.goto('/analytics?from=2026-03-02&to=2026-03-01')
      await expect(page.getByRole('alert')).toContainText(say('errors', 'invalid_range'))
      await judge(page, 'impossible days')
      await page.context().close()
    })

    test('operators are kept out, and see no way there', async ({ browser }) => {
      const page = await openAs(browser, BORIS)
      await page.goto('/chats')
      await expect(page.getByRole('link', { name: say('common', 'nav.analytics'), exact: true })).toHaveCount(0)
      await page.goto('/analytics')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('common', 'boundary.authorization.title'))
      await page.context().close()
    })

    /** How many conversations the inbox shows at an address. */
    async function countAt(address: string): Promise<number> {
      const query = Object.fromEntries(new URL(address, world.url).searchParams)
      const { folder, tag, outcome, begunSince, begunUntil } = query
      const facts = { begunSince: Number(begunSince), begunUntil: Number(begunUntil), ...(outcome && { outcome }) }
      const filter = { folder, facts, ...(tag && { tag }) }
      const { count } = (await call(world.anna, 'query', 'conversations:count', filter)) as { count: number }
      return count
    }

    async function openAs(browser: Parameters<typeof openContext>[0], person: Credentials): Promise<Page> {
      const context = await openContext(browser, look, { baseURL: world.url, person })
      return context.newPage()
    }
  })
}

/** A shop with conversations of sixty days, its operator, and a shop without any. */
async function startWorld() {
  return startFilled(async ({ url, telegram }, client) => {
    const anna = await signUp(url, ANNA, 'Anna & Co')
    const boris = await signUp(url, BORIS, 'Boris alone')
    await signUp(url, VERA, 'Vera alone')
    await client.query("update members set organization_id = $1, role = 'operator' where organization_id = $2", [
      anna.organizationId,
      boris.organizationId,
    ])
    const agentId = idOf(await call(anna, 'mutation', 'agents:create', { name: 'Helper' }))
    const { token } = telegram.addBot()
    const bot = idOf(await call(anna, 'action', 'channels/telegram:provision', { agentId, botToken: token }))
    await insertConversations(client, anna, agentId, bot)
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
    return { url, anna, day }
  })
}

/** Several a day: most resolved by the agent, some handed over, rated, tagged, left without an answer, or of unknown price. */
async function insertConversations(client: pg.Client, { organizationId }: Session, agentId: string, bot: string) {
  const rows = 240
  const numbered = async (text: string, ...more: string[]) => client.query(text, [organizationId, ...more])
  await numbered(
    `insert into customers (id, organization_id, connection_id, external_id, name)
     select 'customer-' || n, $1, $2, 'person-' || n, 'Customer ' || n from generate_series(1, ${rows}) n`,
    bot,
  )
  await numbered(
    `insert into conversations (id, organization_id, agent_id, channel, connection_id, customer_id, external_chat_id, created_at, last_message_at)
     select 'conversation-' || n, $1, $3, 'telegram', $2, 'customer-' || n, 'chat-' || n, begun, begun
     from generate_series(1, ${rows}) n, lateral (select now() - n * interval '6 hours' - (n * n % 180) * interval '1 minute' as begun) at`,
    bot,
    agentId,
  )
  for (const [author, model, later, every] of [
    ['customer', 'null', 0, 1],
    ['agent', "'gpt'", 20, 5],
    ['customer', 'null', 90, 3],
    ['agent', "'gpt'", 130, 5],
  ] as const) {
    await numbered(
      `insert into messages (id, organization_id, conversation_id, author, text, model, created_at)
       select gen_random_uuid()::text, $1, id, '${author}', 'words', ${model}, created_at + ${later} * interval '1 second'
       from conversations where organization_id = $1 and substr(id, 14)::int % ${every} ${author === 'agent' ? '<>' : '='} 0`,
    )
  }
  await numbered(
    `update conversations set status = 'paused', needs_person = true,
       pause_reason = (array['customer_request', 'missing_knowledge', 'availability'])[1 + substr(id, 14)::int % 3]
     where organization_id = $1 and substr(id, 14)::int % 7 = 0`,
  )
  await numbered(
    `insert into conversation_ratings (organization_id, conversation_id, score, rated_at)
     select organization_id, id, 1 + substr(id, 14)::int % 5, now() from conversations
     where organization_id = $1 and substr(id, 14)::int % 4 = 0`,
  )
  await numbered(
    `insert into conversation_tags (organization_id, conversation_id, tag) select organization_id, id, 'wholesale' from conversations
     where organization_id = $1 and substr(id, 14)::int % 9 = 0`,
  )
  await numbered(
    `insert into knowledge_queries (organization_id, turn_id, position, conversation_id, channel, space_ids, query, gist, is_weak, found,
       has_found_little)
     select $1, 'turn-' || id, 0, id, 'telegram', '[]', q.words, q.gist, false, '[]', substr(id, 14)::int % 12 = 0
     from conversations, lateral (select (array['When do you open?', 'Is there parking?', 'What does delivery cost?'])[1 + substr(id, 14)::int % 3] as words,
       (array['open', 'park', 'cost deliveri'])[1 + substr(id, 14)::int % 3] as gist) q
     where organization_id = $1 and substr(id, 14)::int % 2 = 0`,
  )
  await numbered(
    `insert into usage_events (source_id, organization_id, agent_id, category, channel, messages, provider, model, input_tokens, output_tokens,
       cost_micro_usd, conversation_id, purpose, occurred_at)
     select 'source-' || id, $1, agent_id, 'agent_response', 'telegram', 1, 'openai', 'gpt', 900, 100,
       case when substr(id, 14)::int % 20 = 0 then null else 1500 + substr(id, 14)::int * 7 end, id, 'reply', created_at
     from conversations where organization_id = $1`,
  )
  await numbered(
    `update conversation_facts f set cost_micro_usd = coalesce(e.cost_micro_usd, 0), unpriced_calls = (e.cost_micro_usd is null)::int
     from usage_events e where f.organization_id = $1 and e.organization_id = $1 and e.conversation_id = f.conversation_id`,
  )
}
