// The first hour of a stranger: sign up, an agent, a document, an answer with its source, a Telegram bot, a customer, taking over.
import type { Page } from '@playwright/test'
import { expect, expectAccessible, type Language, test, wordsOf } from './fixtures.ts'
import { looksOf, openContext } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'

const TEXTS = {
  ru: {
    agent: 'Консультант',
    space: 'Доставка',
    document:
      'Условия доставки.\n\nДоставка по Алматы занимает два рабочих дня. Доставка в Астану занимает пять рабочих дней.\n\nВозврат товара возможен в течение 14 дней.',
    question: 'Сколько занимает доставка по Алматы?',
    answer: /два рабочих дня/,
    greeting: /^Здравствуйте!/,
    customer: 'Здравствуйте, за сколько дней можно вернуть товар?',
    customerAnswer: /14 дней/,
    reply: 'Здравствуйте, это оператор. Помогу вам с возвратом.',
  },
  en: {
    agent: 'Shop assistant',
    space: 'Delivery',
    document:
      'Terms of delivery.\n\nDelivery within Almaty takes two working days. Delivery to Astana takes five working days.\n\nGoods may be returned within 14 days.',
    question: 'How long does delivery within Almaty take?',
    answer: /two working days/,
    greeting: /^Hello!/,
    customer: 'Hello, within how many days may goods be returned?',
    customerAnswer: /14 days/,
    reply: 'Hello, an operator here. I will help you with the return.',
  },
} as const

const CHAT_ID = 4711

for (const look of looksOf('ru 375 light')) {
  test.describe(`the first hour: ${look.name}`, () => {
    let installation: Installation
    test.beforeAll(async () => {
      installation = await startInstallation({ isFromNothing: true })
    })
    test.afterAll(async () => {
      await installation.close()
    })

    test('leads from sign-up to an answered Telegram message and a takeover', async ({ browser }) => {
      const context = await openContext(browser, look, { baseURL: installation.url, locale: look.language })
      const page = await context.newPage()
      const story = new Story(page, installation, look.language)
      await story.signUp()
      await story.createAgent()
      await story.addKnowledge()
      await story.linkKnowledge()
      await story.askInTestChat()
      const token = await story.connectTelegram()
      await story.greetCustomer(token)
      await story.answerCustomer(token)
      await story.takeOver(token)
      await story.countMessages()
      await story.addCommand(token)
      await context.close()
    })
  })
}

class Story {
  private readonly say
  private readonly texts
  private readonly page: Page
  private readonly installation: Installation
  private readonly language: Language
  constructor(page: Page, installation: Installation, language: Language) {
    this.language = language
    this.page = page
    this.installation = installation
    this.say = wordsOf(language)
    this.texts = TEXTS[language]
  }

  async signUp() {
    const { page, say } = this
    await page.goto(this.installation.url)
    await expect(page).toHaveURL(/\/signup/)
    await expect(page.getByText(say('auth', 'signUp.firstSubtitle'))).toBeVisible()
    await this.fill('auth', 'field.name', 'Anna')
    await this.fill('auth', 'field.email', 'anna@example.com')
    await this.fill('auth', 'field.password', 'correct horse 42')
    await this.fill('auth', 'field.confirmPassword', 'correct horse 42')
    await expectAccessible(page, 'sign-up, step 1')
    await this.press('auth', 'signUp.continue')
    await this.press('auth', 'signUp.back')
    await expect(page.getByLabel(say('auth', 'field.email'))).toHaveValue('anna@example.com')
    await this.press('auth', 'signUp.continue')
    await this.fill('auth', 'field.organizationName', 'Anna & Co')
    await expectAccessible(page, 'sign-up, step 2')
    await this.press('auth', 'signUp.submit')
    await expect(page).toHaveURL(/\/agents$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('agents', 'list.title'))
    await expectAccessible(page, 'agents, empty')
  }

  async createAgent() {
    const { page, say, texts } = this
    await page
      .getByRole('button', { name: say('agents', 'list.create') })
      .first()
      .click()
    await page.getByRole('dialog').getByLabel(say('agents', 'create.name')).fill(texts.agent)
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('agents', 'create.submit') })
      .click()
    await expect(page).toHaveURL(/\/agents\/[^/]+\/settings/)
    await expectAccessible(page, 'agent settings')
  }

  async addKnowledge() {
    const { page, say, texts } = this
    await page.goto(`${this.installation.url}/knowledge`)
    await page
      .getByRole('button', { name: say('knowledge', 'list.create') })
      .first()
      .click()
    await page.getByRole('dialog').getByLabel(say('knowledge', 'space.name')).fill(texts.space)
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('knowledge', 'space.create') })
      .click()
    await expect(page).toHaveURL(/\/knowledge\/space\//)
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'delivery.txt', mimeType: 'text/plain', buffer: Buffer.from(texts.document) })
    await expect(page.getByText(say('knowledge', 'status.ready')).first()).toBeVisible({ timeout: 60_000 })
    await expectAccessible(page, 'knowledge space')
  }

  async linkKnowledge() {
    const { page, texts } = this
    await page.goto(`${this.installation.url}/agents`)
    await page.getByRole('link', { name: this.say('agents', 'list.openSettings', { name: texts.agent }) }).click()
    const space = page.getByRole('switch', { name: new RegExp(texts.space) })
    await space.click()
    await expect(space).toBeChecked()
  }

  async askInTestChat() {
    const { page, say, texts } = this
    await page.goto(`${this.installation.url}/agents`)
    await page.getByRole('link', { name: say('agents', 'list.openTest', { name: texts.agent }) }).click()
    await page.getByLabel(say('test-chat', 'compose.label'), { exact: true }).fill(texts.question)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main').getByText(texts.answer).first()).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText('delivery.txt').first()).toBeVisible()
    await expectAccessible(page, 'test chat')
  }

  async connectTelegram(): Promise<string> {
    const { page, say, texts } = this
    const bot = this.installation.telegram.addBot()
    await page.goto(`${this.installation.url}/channels/telegram/setup`)
    const agent = page.getByRole('radio', { name: new RegExp(texts.agent) })
    if (await agent.isVisible().catch(() => false)) await agent.click()
    await this.press('channels', 'setup.next')
    await page.getByLabel(say('channels', 'setup.token')).fill(bot.token)
    await expectAccessible(page, 'telegram setup')
    await this.press('channels', 'setup.connect')
    await expect(page.getByText(say('channels', 'setup.doneTitle', { name: bot.username })).first()).toBeVisible({
      timeout: 30_000,
    })
    return bot.token
  }

  /** What every customer sends first, by the button "Start". */
  async greetCustomer(token: string) {
    const { page, say, texts } = this
    this.customerSays(token, '/start')
    await expect.poll(() => this.received(), { timeout: 30_000 }).toEqual([expect.stringMatching(texts.greeting)])
    await expect(page.getByText(say('channels', 'setup.received'))).toBeVisible()
  }

  async answerCustomer(token: string) {
    const { texts } = this
    this.customerSays(token, texts.customer)
    await expect
      .poll(() => this.received(), { timeout: 30_000 })
      .toContainEqual(expect.stringMatching(texts.customerAnswer))
  }

  async takeOver(token: string) {
    const { page, say, texts, installation } = this
    await page.goto(`${installation.url}/chats`)
    await page.getByRole('link', { name: /Bolat/ }).click()
    await expect(page.getByText(texts.customer).first()).toBeVisible()
    await expect(page.getByText('/start', { exact: true }).first()).toBeVisible()
    await expectAccessible(page, 'conversation')
    await page.getByLabel(say('conversations', 'reply.label')).fill(texts.reply)
    await page.getByRole('button', { name: say('conversations', 'reply.send') }).click()
    await expect.poll(() => this.received()).toContainEqual(texts.reply)
    await expect(page.getByText(say('conversations', 'banner.reason.operator_reply')).first()).toBeVisible()
    const before = this.received().length
    this.customerSays(token, texts.question)
    await expect(page.getByRole('main').getByText(texts.question).first()).toBeVisible()
    expect(this.received()).toHaveLength(before)
    await page.getByRole('button', { name: say('conversations', 'banner.resume') }).click()
    await expect.poll(() => this.received(), { timeout: 30_000 }).toContainEqual(expect.stringMatching(texts.answer))
    await expectAccessible(page, 'conversation, resumed')
  }

  /** One answer in the test chat, three to the customer. */
  async countMessages() {
    await this.page.goto(`${this.installation.url}/agents`)
    await expect(this.page.getByRole('banner')).toContainText('4')
  }

  /** A command of the bot that is answered without a model. */
  async addCommand(token: string) {
    const { page, say } = this
    const bot = this.installation.telegram.bot(token)
    await page.goto(`${this.installation.url}/channels/telegram`)
    await page.getByRole('link', { name: new RegExp(bot.username) }).click()
    await this.press('channels', 'telegramSettings.commands.add')
    const entry = page.getByRole('group', {
      name: say('channels', 'telegramSettings.commands.number', { number: '1' }),
    })
    await entry
      .getByRole('textbox', { name: say('channels', 'telegramSettings.commands.name'), exact: true })
      .fill('hours')
    await this.press('channels', 'telegramSettings.save')
    const text = entry.getByLabel(say('channels', 'telegramSettings.commands.texts.text'))
    await expect(entry.getByText(say('channels', 'telegramSettings.commands.errors.text'))).toBeVisible()
    await text.fill('9–18')
    await entry.getByLabel(say('channels', 'telegramSettings.commands.description.en')).fill('Hours')
    await expectAccessible(page, 'telegram connection')
    await this.press('channels', 'telegramSettings.save')
    await expect.poll(() => bot.menus.get(this.language)?.at(-1)).toEqual({ command: 'hours', description: 'Hours' })
    // Telegram offers the command a moment before it is saved here.
    await expect(page.getByText(say('channels', 'telegramSettings.saved'), { exact: true })).toBeVisible()
    this.customerSays(token, '/hours')
    await expect.poll(() => this.received().at(-1)).toBe('9–18')
  }

  private customerSays(token: string, text: string) {
    const customer = { chatId: CHAT_ID, firstName: 'Bolat', language: this.language }
    this.installation.telegram.customerSays(token, customer, text)
  }

  private received(): string[] {
    return this.installation.telegram.sent.filter(({ chatId }) => chatId === String(CHAT_ID)).map(({ text }) => text)
  }

  private async fill(namespace: string, key: string, value: string) {
    await this.page.getByLabel(this.say(namespace, key), { exact: true }).fill(value)
  }

  private async press(namespace: string, key: string) {
    await this.page.getByRole('button', { name: this.say(namespace, key), exact: true }).click()
  }
}
