// A user uploads a price list, checks how it was parsed, makes it searchable, and asks an agent a question that requires counting.
import { utils, write } from '@e965/xlsx'
import type { Page } from '@playwright/test'
import type { ChatRequest } from '#tests/fakes/openai/openai.request.ts'
import type { FakeReply } from '#tests/fakes/openai/openai.ts'
import { call, idOf, signUp } from '#tests/seeds/installation.ts'
import { expect, expectAccessible, test, wordsOf } from './fixtures.ts'
import { type Look, looksOf, openContext, signInHere } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'

const PRICES =
  'Товар;Цена;В наличии;Привоз\nСтол дубовый;1 200,50;да;01.02.2026\nСтул;300;да;15.03.2026\nШкаф;5 000;нет;\nПолка;250;да;02.02.2026\n'
let installation: Installation

test.beforeAll(async () => {
  installation = await startInstallation({ hasModel: true })
  installation.openai?.reply(countCheap)
})
test.afterAll(async () => {
  await installation.close()
})

/** A model that asks how many rows cost less than 1000, and repeats the number. */
function countCheap({ messages, tools }: ChatRequest): FakeReply {
  const result = messages.findLast((message) => message.role === 'tool')?.content
  if (typeof result === 'string') return { text: `It is ${/"number of rows":\s*(\d+)/.exec(result)?.[1]}.` }
  const tool = tools?.find((each) => each.function.name === 'query_table')
  const [table] = JSON.stringify(tool).match(/(?<="table":\{"type":"string","enum":\[")[^"]+/) ?? []
  const question = { table, filters: [{ column: 2, operator: 'lt', value: 1000 }], aggregates: [{ function: 'count' }] }
  return { toolCalls: [{ name: 'query_table', arguments: JSON.stringify(question) }] }
}

for (const look of looksOf('ru 375 dark')) {
  test(`a price list is uploaded, parsed, searched and counted: ${look.name}`, async ({ browser }) => {
    const context = await openContext(browser, look, { baseURL: installation.url })
    await new Visit(await context.newPage(), look).run()
    await context.close()
  })
}

class Visit {
  private readonly page: Page
  private readonly name: string
  private readonly say: (key: string, values?: Record<string, string | number>) => string
  private readonly words: ReturnType<typeof wordsOf>

  constructor(page: Page, { id, language }: Look) {
    this.page = page
    this.name = id
    this.words = wordsOf(language)
    this.say = (key, values) => this.words('tables', key, values)
  }

  async run() {
    await this.signIn()
    await this.upload()
    await this.look()
    await this.importColumn()
    await this.ask()
    await this.tryOut()
    await this.chooseSheets()
    await this.answerQuestion()
    await this.chooseHeader()
  }

  private async upload() {
    const { page } = this
    await page.goto('/knowledge/tables')
    await expect(page.getByText(this.say('list.emptyTitle'))).toBeVisible()
    await expectAccessible(page, `${this.name}: no tables`)
    const files = [{ name: 'Прайс.csv', mimeType: 'text/csv', buffer: Buffer.from(PRICES) }]
    await page.locator('input[type=file]').setInputFiles(files)
    await expect(this.row().getByText(this.say('status.ready'))).toBeVisible()
    await expectAccessible(page, `${this.name}: tables`)
  }

  private async look() {
    const { page } = this
    await page.getByRole('button', { name: this.say('list.open', { name: 'Прайс.csv' }) }).click()
    const dialog = page.getByRole('dialog')
    for (const type of ['text', 'number', 'boolean', 'date']) {
      await expect(dialog.getByText(this.say(`type.${type}`), { exact: true })).toBeVisible()
    }
    await expectAccessible(page, `${this.name}: columns`, '[role=dialog]')
    await dialog.getByRole('tab', { name: this.say('dialog.rows') }).click()
    await expect(dialog.getByRole('cell', { name: '1 200,50' })).toBeVisible()
    await expectAccessible(page, `${this.name}: rows`, '[role=dialog]')
  }

  /** A second column is refused, with the condition and the button that meets it. */
  private async importColumn() {
    const dialog = this.page.getByRole('dialog')
    await dialog.getByRole('tab', { name: this.say('dialog.texts') }).click()
    await dialog.getByRole('button', { name: this.say('import.start') }).click()
    await expect(dialog.getByText(this.say('import.columnRequired'))).toBeVisible()
    await this.choose('Цена')
    await dialog.getByRole('button', { name: this.say('import.clear') }).click()
    await this.choose('Товар')
    await expect(dialog.getByText(/да; Привоз: 01.02.2026\s+Товар: Стол дубовый$/)).toBeVisible()
    await expectAccessible(this.page, `${this.name}: texts`, '[role=dialog]')
    await expect(this.page.locator('html')).toHaveJSProperty('scrollWidth', this.page.viewportSize()?.width)
    await this.page.keyboard.press('Escape')
  }

  private async choose(column: string) {
    const dialog = this.page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: this.say('import.column') }).click()
    await this.page.getByRole('option', { name: column }).click()
    await dialog.getByRole('button', { name: this.say('import.start') }).click()
    await expect(dialog.getByRole('listitem').getByText(this.say('texts.status.ready')).first()).toBeVisible()
    await expect(dialog.getByText(this.say('import.of', { name: column }))).toBeVisible()
  }

  /** The answer names the rows from which it was computed. */
  private async ask() {
    const { page } = this
    await page.goto('/agents/helper/test')
    await page.getByRole('textbox', { name: this.words('test-chat', 'compose.label'), exact: true }).fill('How many?')
    await page.keyboard.press('Enter')
    await expect(page.getByText('It is 2.', { exact: true }).first()).toBeVisible()
    await page
      .getByRole('button', { name: this.words('conversations', 'sources.openRows', { name: 'Прайс.csv' }) })
      .click()
    const dialog = page.getByRole('dialog')
    const [computed, used] = [dialog.getByRole('table').first(), dialog.getByRole('table').last()]
    await expect(computed.getByRole('row').last()).toHaveText('2')
    await expect(used.getByRole('row')).toHaveText([/Товар/, /^2Стул/, /^4Полка/])
    await expectAccessible(page, `${this.name}: rows of an answer`, '[role=dialog]')
  }

  /** The tester queries with the agent's tool: with arguments chosen by hand, and by the agent's model. */
  private async tryOut() {
    const { page } = this
    const words = (key: string, values?: Record<string, string | number>) => this.words('rag-tester', key, values)
    await page.goto('/knowledge/rag-tester?q=How%20many%3F')
    const add = page.getByRole('button', { name: words('tables.addFilter') })
    await add.focus()
    await page.keyboard.press('Enter')
    const filter = page.getByRole('group', { name: words('tables.filter', { number: 1 }) })
    await filter.getByRole('combobox', { name: words('tables.column') }).click()
    await page.getByRole('option', { name: 'Цена' }).click()
    await filter.getByRole('combobox', { name: words('tables.operator') }).click()
    await page.getByRole('option', { name: words('tables.operators.lt'), exact: true }).click()
    await filter.getByRole('textbox', { name: words('tables.value') }).fill('1000')
    await page.keyboard.press('Enter')
    const answer = page.getByRole('region', { name: 'Прайс.csv' })
    await expect(answer.getByRole('row')).toHaveText([/Товар/, /^2Стул/, /^4Полка/])
    for (const part of ['arguments', 'told']) await answer.getByText(words(`tables.${part}`)).click()
    await expect(answer.getByText('"matchedRows":2')).toBeVisible()
    await expectAccessible(page, `${this.name}: a table tried`)
    await expect(page.locator('html')).toHaveJSProperty('scrollWidth', page.viewportSize()?.width)
    await page.getByLabel(words('try.as'), { exact: true }).click()
    await page.getByRole('option', { name: words('try.asAgent', { name: 'Helper' }) }).click()
    await page.getByRole('button', { name: words('tables.byModel', { name: 'Helper' }) }).click()
    await expect(page.getByText('It is 2.', { exact: true })).toBeVisible()
    await expect(answer.getByRole('row').last()).toHaveText(/^4Полка/)
    await expectAccessible(page, `${this.name}: tables tried by a model`)
  }

  /** A workbook is opened at one of its sheets; another one is chosen. */
  private async chooseSheets() {
    const { page } = this
    await page.goto('/knowledge/tables')
    const book = utils.book_new(utils.aoa_to_sheet([['Item'], ['Desk']]), 'Prices')
    utils.book_append_sheet(book, utils.aoa_to_sheet([['Item'], ['Lamp']]), 'Stock')
    const file: unknown = write(book, { type: 'buffer', bookType: 'xlsx' })
    if (!Buffer.isBuffer(file)) throw new Error('A workbook is bytes.')
    await page.locator('input[type=file]').setInputFiles([{ name: 'Shop.xlsx', mimeType: '', buffer: file }])
    const choose = page.getByRole('button', { name: this.say('sheets.choose') })
    await choose.click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('checkbox', { name: 'Prices' })).toBeDisabled()
    await dialog.getByRole('checkbox', { name: 'Stock' }).focus()
    await page.keyboard.press('Space')
    await expectAccessible(page, `${this.name}: sheets of a workbook`, '[role=dialog]')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: this.say('list.open', { name: 'Shop.xlsx · Stock' }) })).toBeVisible()
    await expect(choose).toHaveCount(0)
    await expectAccessible(page, `${this.name}: tables of sheets`)
  }

  /** An ambiguity of the file is asked, and resolved by keyboard. */
  private async answerQuestion() {
    const { page } = this
    await this.open('Вес.csv', 'Товар;Вес, кг\nМука;12,125\nСоль;45,375\n')
    const question = page.getByRole('region', { name: this.say('questions.title') })
    const decimal = question.getByRole('radio', { name: this.say('questions.decimal') })
    await question.getByRole('radio', { name: this.say('questions.thousands') }).focus()
    await page.keyboard.press('ArrowDown', { delay: 100 }) // a key released at once only moves the focus
    await expect(decimal).toBeChecked()
    await expectAccessible(page, `${this.name}: a question about a column`, '[role=dialog]')
    await expect(page.locator('html')).toHaveJSProperty('scrollWidth', page.viewportSize()?.width)
    await question.getByRole('button', { name: this.say('questions.settle') }).press('Enter')
    await expect(question).toHaveCount(0)
    await page.keyboard.press('Escape')
  }

  /** A list without a header: the user says so, and the first row becomes an item. */
  private async chooseHeader() {
    const { page } = this
    await this.open('Список.csv', 'Кеды;белый;100\nТуфли;чёрный;200\nШарф;синий;50\n')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('radio', { name: this.say('reading.row', { row: 3 }) })).toBeVisible()
    await expectAccessible(page, `${this.name}: the choice of a header`, '[role=dialog]')
    await expect(page.locator('html')).toHaveJSProperty('scrollWidth', page.viewportSize()?.width)
    await dialog.getByRole('radio', { name: this.say('reading.noHeader') }).click()
    await dialog.getByRole('button', { name: this.say('reading.save') }).click()
    await expect(dialog.getByRole('button', { name: this.say('reading.open') })).toBeVisible()
    await dialog.getByRole('tab', { name: this.say('dialog.rows') }).click()
    await expect(dialog.getByRole('cell', { name: 'Кеды' })).toBeVisible()
    await page.keyboard.press('Escape')
    const item = this.row().filter({ hasText: 'Список.csv' })
    await expect(item.getByText(this.say('list.question'))).toHaveCount(0)
    await expect(
      item.getByText(this.say(this.name === 'ru' ? 'list.rows_few' : 'list.rows_other', { count: 3 })),
    ).toBeVisible()
  }

  private async open(name: string, text: string) {
    const { page } = this
    await page.goto('/knowledge/tables')
    const files = [{ name, mimeType: 'text/csv', buffer: Buffer.from(text) }]
    await page.locator('input[type=file]').setInputFiles(files)
    await page.getByRole('button', { name: this.say('list.open', { name }) }).click()
  }

  private row() {
    return this.page.getByRole('list', { name: this.say('list.label') }).getByRole('listitem')
  }

  private async signIn() {
    const { page } = this
    const person = { name: 'Anna', email: `${this.name}@example.com`, password: 'correct horse 42' }
    const session = await signUp(installation.url, person, 'Anna & Co')
    const agentId = idOf(
      await call(session, 'mutation', 'agents:create', { name: 'Helper', model: 'openai/gpt-4.1-mini' }),
    )
    const knowledgeSpaceId = idOf(await call(session, 'mutation', 'knowledge/spaces:create', { name: 'Shop' }))
    await call(session, 'mutation', 'knowledge/spaces:linkAgent', { knowledgeSpaceId, agentId })
    await signInHere(page.context(), installation.url, person)
  }
}
