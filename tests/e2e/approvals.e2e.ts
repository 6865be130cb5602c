// Actions that need a person in a browser: the queue over the inbox, deciding in it and in the conversation, and what the customer hears; and a
// check of an agent that is talked into them.
import type { Page } from '@playwright/test'
import { type Credentials, call, idOf, signUp } from '#tests/seeds/installation.ts'
import { startFilled } from './filled.ts'
import { expect, test, wordsOf } from './fixtures.ts'
import { judgeFrom, looksOf, openContext } from './looks.ts'

const ANNA = { name: 'Anna', email: 'anna@example.com', password: 'correct horse 42' }
const TOOL = 'cancel_order'
const TITLE = 'Отмена заказа'
/** A name that no machine has: calls end unreached. */
const HOST = 'api.shop.example'

for (const look of looksOf('ru 375 light')) {
  test.describe(`approvals: ${look.name}`, () => {
    const say = wordsOf(look.language)
    const judge = (page: Page, name: string, within?: string) => judgeFrom(page, `approvals ${name}`, { look, within })
    let world: Awaited<ReturnType<typeof startWorld>>

    test.beforeAll(async () => {
      world = await startWorld()
    })
    test.afterAll(async () => {
      await world?.close()
    })

    test('what an agent asks for waits in the inbox, is decided, and the customer hears of it', async ({ browser }) => {
      const page = await openAs(browser, ANNA)
      await page.goto('/chats/approvals')
      await expect(page.getByText(say('conversations', 'approvals.none'))).toBeVisible()
      await judge(page, 'none')
      await world.asks(4711, 'Отмените, пожалуйста, заказ А-1')
      await world.asks(4712, 'И мой заказ отмените')
      await page.goto('/chats')
      const bar = page.locator('a[href="/chats/approvals"]')
      await expect(bar).toContainText('2')
      await judge(page, 'inbox')
      await bar.press('Enter')
      const cards = page.getByRole('article', { name: TITLE })
      await expect(cards).toHaveCount(2)
      await judge(page, 'queue')
      await cards
        .first()
        .getByRole('button', { name: say('conversations', 'approvals.approve') })
        .press('Enter')
      await expect.poll(() => world.heard(4711)).toBe(`${TITLE}: не получилось.`)
      await expect(page.getByText(say('why', 'tools.failure.unreachable'))).toBeVisible()
      await judge(page, 'decided')

      await page
        .getByRole('link', { name: say('conversations', 'approvals.open'), exact: true })
        .first()
        .press('Enter')
      await expect(page).toHaveURL(/\/conversations\//)
      const note = page.getByRole('article', { name: TITLE })
      await expect(note).toHaveCount(1) // those of the list are gone
      await judge(page, 'conversation')
      await note.getByRole('button', { name: say('conversations', 'approvals.decline') }).press('Enter')
      await expect(note).toHaveCount(0)
      await page.context().close()
    })

    test('a tool is set to ask, and a server of tools has its page', async ({ browser }) => {
      const page = await openAs(browser, ANNA)
      await page.goto('/settings/tools')
      await page.getByRole('link', { name: TOOL }).press('Enter')
      await expect(page.getByRole('combobox', { name: say('tools', 'form.approval') })).toContainText(
        say('tools', 'approval.operator'),
      )
      await judge(page, 'tool')
      await page.goto('/settings/mcp-servers/new')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await judge(page, 'new server')
      await page.context().close()
    })

    test('an agent is checked with attacks', async ({ browser }) => {
      const page = await openAs(browser, ANNA)
      await page.goto('/agents/helper/functions')
      await page.getByRole('link', { name: say('tools', 'functions.toAttacks') }).press('Enter')
      await expect(page.getByText(say('attacks', 'empty.title'))).toBeVisible()
      await judge(page, 'unchecked')
      await page.getByRole('button', { name: say('attacks', 'start.go') }).press('Enter')
      await expect(page.getByRole('heading', { name: say('attacks', 'result.title') })).toBeVisible({ timeout: 60_000 })
      const held = page.getByRole('button', { name: say('attacks', 'outcome.held') })
      await expect(held).toHaveAttribute('aria-pressed', 'true')
      await page.locator('summary').first().press('Enter')
      await expect(page.getByText(say('attacks', 'fate.asked')).first()).toBeVisible()
      await judge(page, 'checked')
      await page.context().close()
    })

    async function openAs(browser: Parameters<typeof openContext>[0], person: Credentials): Promise<Page> {
      const context = await openContext(browser, look, { baseURL: world.url, person })
      return context.newPage()
    }
  })
}

/** Anna's agent may cancel orders, and asks her team each time. */
async function startWorld() {
  return startFilled(async ({ url, telegram, openai }) => {
    const anna = await signUp(url, ANNA, 'Anna & Co')
    openai?.reply(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? { text: 'Передала коллегам: они посмотрят и решат.' }
        : { toolCalls: [{ name: TOOL, arguments: '{"number":"А-1","reason":"Передумали"}' }] },
    )
    const agentId = idOf(
      await call(anna, 'mutation', 'agents:create', { name: 'Helper', model: 'openai/gpt-4.1-mini' }),
    )
    const { token } = telegram.addBot()
    await call(anna, 'action', 'channels/telegram:provision', { agentId, botToken: token })
    await call(anna, 'mutation', 'tools/vault:addHost', { host: HOST })
    const { toolId } = (await call(anna, 'mutation', 'tools:create', { tool: CANCELLING })) as { toolId: string }
    const functions = { off: [], tools: [toolId], mcpTools: [] }
    await call(anna, 'mutation', 'agents:update', { id: agentId, patch: { functions } })
    const asks = async (chatId: number, text: string) => {
      telegram.customerSays(token, { chatId, firstName: chatId === 4711 ? 'Болат' : 'Айгуль' }, text)
      await expect.poll(() => telegram.sentTo(chatId).length, { timeout: 30_000 }).toBeGreaterThan(0)
    }
    return { url, asks, heard: (chatId: number) => telegram.sentTo(chatId).at(-1)?.text }
  })
}

const CANCELLING = {
  ...{ name: TOOL, description: 'Cancels an order.', method: 'DELETE', approval: 'operator', title: TITLE },
  url: `https://${HOST}/orders/{number}?reason={reason}`,
  headers: [],
  parameters: {
    type: 'object',
    properties: { number: { type: 'string' }, reason: { type: 'string' } },
    required: ['number'],
  },
  ...{ bound: [], body: '', fields: [], timeoutSeconds: 5, maxKilobytes: 64, perTurn: 3, perDay: 1000 },
}
