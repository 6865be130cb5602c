// Tools of an organization in a browser: hosts and secrets, one made after what was wrong with it was shown, tried, given to an agent, and how its
// calls went.
import type { Page } from '@playwright/test'
import { type Credentials, call, idOf, signUp } from '#tests/seeds/installation.ts'
import { startFilled } from './filled.ts'
import { expect, test, wordsOf } from './fixtures.ts'
import { judgeFrom, looksOf, openContext } from './looks.ts'

const ANNA = { name: 'Anna', email: 'anna@example.com', password: 'correct horse 42' }
const BORIS = { name: 'Boris', email: 'boris@example.com', password: 'correct horse 42' }
/** A name that no machine has: calls end unreached. */
const HOST = 'api.shop.example'
const CHAT = 4711
const TOOL = 'order_status'
const PARAMETERS = {
  type: 'object',
  properties: { number: { type: 'string', description: 'The number of the order, as the customer wrote it.' } },
  required: ['number'],
}

for (const look of looksOf('ru 375 light')) {
  test.describe(`tools: ${look.name}`, () => {
    const say = wordsOf(look.language)
    const judge = (page: Page, name: string, within?: string) => judgeFrom(page, `tools ${name}`, { look, within })
    let world: Awaited<ReturnType<typeof startWorld>>

    test.beforeAll(async () => {
      world = await startWorld()
    })
    test.afterAll(async () => {
      await world?.close()
    })

    test('a host is allowed, a secret kept, and a tool made and tried', async ({ browser }) => {
      const page = await openAs(browser, BORIS)
      await page.goto('/settings/tools')
      await expect(page.getByText(say('tools', 'list.none'))).toBeVisible()
      await judge(page, 'none')
      const host = page.getByRole('textbox', { name: say('tools', 'hosts.host'), exact: true })
      await host.fill('localhost')
      await host.press('Enter')
      await expect(page.getByText(say('errors', 'tool_host_invalid'))).toBeVisible()
      await judge(page, 'host refused')
      await host.fill(HOST)
      await host.press('Enter')
      await expect(page.getByText(HOST, { exact: true })).toBeVisible()
      await page.getByRole('textbox', { name: say('tools', 'secrets.name') }).fill('Shop')
      await page.getByRole('textbox', { name: say('tools', 'secrets.host') }).fill(HOST)
      await page.getByLabel(say('tools', 'secrets.value')).fill('shop-key-0123456789')
      await page.getByRole('button', { name: say('tools', 'secrets.save') }).press('Enter')
      await expect(page.getByText('Shop', { exact: true })).toBeVisible()
      await expect(page.getByText('shop-key-0123456789')).toHaveCount(0)

      await page.getByRole('link', { name: say('tools', 'list.create') }).press('Enter')
      const field = (key: string) => page.getByRole('textbox', { name: new RegExp(`^${escaped(say('tools', key))}`) })
      await field('form.name').fill('Заказ')
      await field('form.description').fill('The state of an order.')
      await field('form.url').fill(`https://${HOST}/orders/{number}?customer={customer}&shop={shop}`)
      await page.getByRole('button', { name: say('tools', 'form.create') }).press('Enter')
      await expect(page.getByText(say('tools', 'problem.invalid')).first()).toBeVisible()
      await judge(page, 'form refused')
      await field('form.name').fill(TOOL)
      await field('form.url').fill(`https://${HOST}/orders/{number}?customer={customer}`)
      await field('form.parameters').fill(JSON.stringify(PARAMETERS, null, 2))
      await field('source.channel_id').fill('customer')
      await page.getByRole('button', { name: say('tools', 'header.add') }).press('Enter')
      await page.getByRole('textbox', { name: say('tools', 'header.name'), exact: true }).fill('Authorization')
      await page.getByRole('textbox', { name: say('tools', 'header.value'), exact: true }).fill('Bearer ')
      await page.getByRole('combobox', { name: say('tools', 'header.secret') }).press('Enter')
      await page.getByRole('option', { name: 'Shop' }).press('Enter')
      await page.getByRole('button', { name: say('tools', 'form.create') }).press('Enter')
      await expect(page).not.toHaveURL(/\/new$/)
      await page.getByRole('textbox', { name: 'number', exact: true }).fill('A-1')
      await page.getByRole('textbox', { name: 'customer', exact: true }).fill('42')
      await page.getByRole('button', { name: say('tools', 'trial.run') }).press('Enter')
      await expect(page.getByText(say('why', 'tools.failure.unreachable'))).toBeVisible()
      await judge(page, 'tried')
      await page.context().close()
    })

    test('a tool is given to an agent, and its calls are seen where they happened', async ({ browser }) => {
      const page = await openAs(browser, ANNA)
      await page.goto('/settings/tools')
      await expect(page.getByRole('link', { name: TOOL })).toBeVisible()
      await judge(page, 'list')
      await page.goto('/agents/helper/functions')
      const toggle = page.getByRole('switch', { name: TOOL })
      await expect(toggle).not.toBeChecked()
      await toggle.focus()
      await page.keyboard.press('Space')
      await expect(toggle).toBeChecked()
      await world.ask()
      const row = page.getByRole('listitem').filter({ has: toggle })
      await expect(row).toContainText(say('tools', 'functions.failures_one', { count: 1 }))
      await row.getByRole('button', { name: say('tools', 'functions.show') }).press('Enter')
      await expect(page).toHaveURL(/function=order_status/)
      const conversation = row.getByRole('link', { name: say('tools', 'functions.conversation') })
      await expect(conversation).toBeVisible()
      await judge(page, 'functions')
      await conversation.press('Enter')
      await expect(page).toHaveURL(/\/conversations\//)
      await page
        .getByRole('button', { name: say('why', 'open') })
        .first()
        .click()
      await expect(page.getByText(say('why', 'tools.failure.unreachable'))).toBeVisible()
      await judge(page, 'why')
      await page.context().close()
    })

    async function openAs(browser: Parameters<typeof openContext>[0], person: Credentials): Promise<Page> {
      const context = await openContext(browser, look, { baseURL: world.url, person })
      return context.newPage()
    }
  })
}

const escaped = (text: string) => text.replaceAll(/[()[\].*+?^$|\\]/g, String.raw`\$&`)

/** Boris has nothing; Anna has a bot and a tool that its agent has not been given. */
async function startWorld() {
  return startFilled(async ({ url, telegram, openai }) => {
    await signUp(url, BORIS, 'Boris & Co')
    const anna = await signUp(url, ANNA, 'Anna & Co')
    openai?.reply(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? { text: 'I could not look your order up. A colleague will write to you.' }
        : { toolCalls: [{ name: TOOL, arguments: '{"number":"A-1"}' }] },
    )
    const agentId = idOf(
      await call(anna, 'mutation', 'agents:create', { name: 'Helper', model: 'openai/gpt-4.1-mini' }),
    )
    const { token } = telegram.addBot()
    await call(anna, 'action', 'channels/telegram:provision', { agentId, botToken: token })
    await call(anna, 'mutation', 'tools/vault:addHost', { host: HOST })
    await call(anna, 'mutation', 'tools:create', { tool: TOOL_OF_ANNA })
    const ask = async () => {
      telegram.customerSays(token, { chatId: CHAT, firstName: 'Bolat' }, 'Where is my order A-1?')
      await expect.poll(() => telegram.sentTo(CHAT).length, { timeout: 30_000 }).toBeGreaterThan(0)
    }
    return { url, ask }
  })
}

const TOOL_OF_ANNA = {
  ...{ name: TOOL, description: 'The state of an order, with the day of its delivery.', method: 'GET' },
  ...{ approval: 'none', title: '' },
  url: `https://${HOST}/orders/{number}?customer={customer}`,
  headers: [],
  parameters: PARAMETERS,
  bound: [{ argument: 'customer', from: 'channel_id' }],
  body: '',
  fields: [{ name: 'state', pointer: '/order/state' }],
  ...{ timeoutSeconds: 5, maxKilobytes: 64, perTurn: 3, perDay: 1000 },
}
