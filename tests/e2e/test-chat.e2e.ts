// A user tests an agent: other settings by link, two of them side by side, a retry, an edited question, files, help.
import fs from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { call, idOf, signUp } from '#tests/seeds/installation.ts'
import { expect, expectAccessible, test, wordsOf } from './fixtures.ts'
import { isWide, type Look, looksOf, openContext, signInHere } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'

const MODEL = 'openai/gpt-4.1-mini'
let installation: Installation

test.beforeAll(async () => {
  installation = await startInstallation({ hasModel: true })
  let answers = 0
  installation.openai?.reply((request) => {
    answers += 1
    return { text: `Answer ${answers} to ${request.messages.at(-1)?.content} at ${request.temperature}` }
  })
})
test.afterAll(async () => {
  await installation.close()
})

for (const look of looksOf('en 1280 light')) {
  test(`an agent is tried with other settings and stays as it is: ${look.name}`, async ({ browser }) => {
    const context = await openContext(browser, look, { baseURL: installation.url })
    await new Visit(await context.newPage(), look).run()
    await context.close()
  })
}

class Visit {
  private readonly page: Page
  private readonly isNarrow: boolean
  private readonly name: string
  private readonly say: ReturnType<typeof wordsOf>

  constructor(page: Page, look: Look) {
    this.page = page
    this.isNarrow = !isWide(look)
    this.name = look.id
    this.say = wordsOf(look.language)
  }

  async run() {
    const session = await this.signIn()
    const saved = await call(session, 'query', 'agents:list', {})
    await this.override()
    await this.takeBack()
    await this.attach()
    await this.handOver()
    await this.compare()
    await this.export()
    await this.help()
    expect(await call(session, 'query', 'agents:list', {})).toEqual(saved)
  }

  /** A changed field is marked and part of the link. */
  private async override() {
    const { page } = this
    await page.goto('/agents/helper/test')
    await this.ask('one')
    await expect(this.log().getByText(/Answer \d+ to one at 1$/)).toBeVisible()
    await this.openPanel()
    await this.temperature().fill('0')
    await expect(page.getByRole('button', { name: this.resetName('model.temperature') })).toBeVisible()
    await expectAccessible(page, `${this.name}: control panel`)
    await page.reload()
    await this.openPanel()
    await expect(this.temperature()).toHaveValue('0')
    await this.closePanel()
    await this.ask('two')
    await expect(this.log().getByText(/Answer \d+ to two at 0$/)).toBeVisible()
    await this.openPanel()
    await expect(page.getByText(`${this.words('model.temperature')}: 0`, { exact: true }).first()).toBeVisible()
    await page.getByRole('button', { name: this.resetName('model.temperature') }).click()
    await expect(page).not.toHaveURL(/temperature/)
    await this.closePanel()
  }

  private async takeBack() {
    const { page } = this
    await page.getByRole('button', { name: this.words('regenerate.label') }).click()
    await expect(this.log().getByText(/to two at 1$/)).toBeVisible()
    await expect(this.log().getByText(/to two at 0$/)).toHaveCount(0)
    await page
      .getByRole('button', { name: this.words('edit.open') })
      .last()
      .click()
    const dialog = page.getByRole('dialog')
    await expectAccessible(page, `${this.name}: edit`, '[role=dialog]')
    await dialog.getByRole('textbox').fill('three')
    await page.keyboard.press('Control+Enter')
    await expect(this.log().getByText(/to three at 1$/)).toBeVisible()
    await expect(this.log().getByText('two', { exact: true })).toHaveCount(0)
  }

  /** A file is sent without a text, and the log shows what was read of it. */
  private async attach() {
    const { page } = this
    const file = { name: 'prices.txt', mimeType: 'text/plain', buffer: Buffer.from('Breakfast is 12 euros.') }
    await page.locator('input[type=file]').setInputFiles(file)
    const tray = page.getByRole('list', { name: this.say('conversations', 'attach.list') })
    await expect(tray.getByText('prices.txt')).toBeVisible()
    await page.getByRole('button', { name: this.words('compose.send'), exact: true }).click()
    await expect(this.log().getByText('prices.txt')).toBeVisible()
    await expect(this.log().getByText('Breakfast is 12 euros.', { exact: true })).toBeVisible()
    await expect(tray).toHaveCount(0)
  }

  /** The agent is silent after a handoff, a person answers, and the agent is resumed. */
  private async handOver() {
    const { page } = this
    const banner = page.getByText(this.say('conversations', 'banner.reason.customer_request'))
    const resume = page.getByRole('button', { name: this.say('conversations', 'banner.resume') })
    const asOperator = page.getByRole('button', { name: this.words('operator.label') })
    await this.ask('operator')
    await expect(banner).toBeVisible()
    await expectAccessible(page, `${this.name}: handed over`)
    await asOperator.click()
    await this.ask('It is Anna here')
    await expect(page.getByText(this.say('conversations', 'banner.reason.operator_reply'))).toBeVisible()
    await asOperator.click()
    await resume.click()
    await expect(resume).toHaveCount(0)
  }

  /** One question, two answers, each with its own settings. */
  private async compare() {
    const { page } = this
    await page.getByRole('button', { name: this.words('compare.label') }).click()
    await this.openPanel()
    await page.getByRole('tab', { name: this.words('compare.side', { side: 'B' }) }).click()
    await this.temperature().fill('2')
    await this.closePanel()
    await this.ask('four')
    await expect(this.log('B').getByText(/to four at 2$/)).toBeVisible()
    if (this.isNarrow) await page.getByRole('tab', { name: this.words('compare.side', { side: 'A' }) }).click()
    await expect(this.log('A').getByText(/to four at 1$/)).toBeVisible()
    await expectAccessible(page, `${this.name}: side by side`)
    await expect(page.locator('html')).toHaveJSProperty('scrollWidth', page.viewportSize()?.width)
  }

  private async export() {
    const { page } = this
    for (const format of ['txt', 'md', 'json']) {
      await page.getByRole('button', { name: this.words('export.label') }).click()
      const download = page.waitForEvent('download')
      await page.getByRole('menuitem', { name: this.words(`export.${format}`) }).click()
      const file = await download
      expect(file.suggestedFilename()).toMatch(new RegExp(`^helper-\\d{4}-\\d{2}-\\d{2}\\.${format}$`))
      const content = fs.readFileSync(await file.path(), 'utf8')
      expect(content).toMatch(/to one at 1/)
      expect(content).toMatch(/to four at 2/)
    }
  }

  /** Help opens next to the page, which stays readable. */
  private async help() {
    const { page } = this
    await this.openPanel()
    const title = this.say('help', 'modelOverrides.title')
    await page.getByRole('link', { name: this.say('help', 'link', { title }) }).click()
    const help = page.getByRole('dialog', { name: title })
    await expect(help.getByText(this.say('help', 'modelOverrides.intro'))).toBeVisible()
    await expectAccessible(page, `${this.name}: help`, '[role=dialog]')
    await page.keyboard.press('Escape')
    await expect(help).toHaveCount(0)
    await expect(this.temperature()).toBeVisible()
    for (const [path, topic] of [
      ['/test-chat/model-overrides', 'modelOverrides'],
      ['/test-chat/diagnostics', 'diagnostics'],
      ['/knowledge/retrieval-context', 'retrievalContext'],
      ['/test-chat/runtime-controls', 'runtimeControls'],
      ['/roadmap/automations', 'automations'],
    ] as const) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1, name: this.say('help', `${topic}.title`) })).toBeVisible()
      await expectAccessible(page, `${this.name}: ${path}`)
    }
  }

  private async ask(text: string) {
    await this.page.getByRole('textbox', { name: this.words('compose.label'), exact: true }).fill(text)
    await this.page.keyboard.press('Enter')
  }

  private log(side?: string): Locator {
    const label = this.words('page.label', { name: 'Helper' })
    return this.page.getByRole('region', { name: side ? `${label}: ${side}` : label, exact: true })
  }

  private async openPanel() {
    const button = this.page.getByRole('button', { name: this.words('panel.open') })
    if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
    await expect(this.temperature()).toBeVisible()
  }

  private temperature(): Locator {
    return this.page.getByRole('textbox', { name: this.words('model.temperature') })
  }

  private async closePanel() {
    if (this.isNarrow) await this.page.keyboard.press('Escape')
  }

  private words(key: string, values?: Record<string, string>): string {
    return this.say('test-chat', key, values)
  }

  private resetName(key: string): string {
    return this.words('panel.resetOne', { name: this.words(key) })
  }

  private async signIn() {
    const { page } = this
    const person = { name: 'Anna', email: `${this.name}@example.com`, password: 'correct horse 42' }
    const session = await signUp(installation.url, person, 'Anna & Co')
    idOf(await call(session, 'mutation', 'agents:create', { name: 'Helper', model: MODEL }))
    await signInHere(page.context(), installation.url, person)
    return session
  }
}
