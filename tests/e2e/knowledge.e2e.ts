// A user maintains the knowledge of an agent: files of many kinds, notes from a list, a corrected passage, an undone removal,
// and the path from an answer to the sentence in its source.
import type { Page } from '@playwright/test'
import { call, idOf, type Session, signUp, uploadDocument } from '#tests/seeds/installation.ts'
import { expect, expectAccessible, type Language, test, wordsOf } from './fixtures.ts'
import { type Look, looksOf, openContext, signInHere } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'

const SPACE = 'Delivery'
const TERMS =
  '# Delivery\nDelivery takes two working days.\n# Returns\nGoods may be returned within 14 days. Keep the receipt.'
const QUESTION = 'Within how many days may goods be returned?'
const SENTENCE = 'Goods may be returned within 30 days.'
let installation: Installation

test.beforeAll(async () => {
  installation = await startInstallation()
})
test.afterAll(async () => {
  await installation.close()
})

for (const look of looksOf('en 375 dark')) {
  test(`knowledge is maintained: ${look.name}`, async ({ browser }) => {
    const context = await openContext(browser, look, { baseURL: installation.url })
    await new Story(await context.newPage(), look).run()
    await context.close()
  })
}

class Story {
  private readonly page: Page
  private readonly name: string
  private readonly chatId: number
  private readonly language: Language
  private readonly say: ReturnType<typeof wordsOf>
  private slug = ''

  constructor(page: Page, { id, number, language }: Look) {
    this.page = page
    this.name = id
    this.chatId = 4710 + number
    this.language = language
    this.say = wordsOf(language)
  }

  async run() {
    const { session, agentId } = await this.signIn()
    await this.reloadWhileSending()
    await this.addFiles()
    await this.correct()
    await this.importNotes()
    await this.chooseSources()
    await this.undoRemoval()
    await this.followInInbox(session, agentId)
    await this.follow(session, agentId)
  }

  private async signIn(): Promise<{ session: Session; agentId: string }> {
    const person = { name: 'Anna', email: `${this.name}@example.com`, password: 'correct horse 42' }
    const session = await signUp(installation.url, person, 'Anna & Co')
    const agentId = idOf(await call(session, 'mutation', 'agents:create', { name: 'Helper' }))
    const space = await call(session, 'mutation', 'knowledge/spaces:create', { name: SPACE })
    const knowledgeSpaceId = idOf(space)
    this.slug = (space as { slug: string }).slug
    await call(session, 'mutation', 'knowledge/spaces:linkAgent', { knowledgeSpaceId, agentId })
    await uploadDocument(session, knowledgeSpaceId, 'terms.md', TERMS)
    const { page } = this
    await signInHere(page.context(), installation.url, person)
    return { session, agentId }
  }

  /** A file whose upload is interrupted by a reload is uploaded all the same; the tray in the header reports it on every page. */
  private async reloadWhileSending() {
    const { page } = this
    const uploads = '**/api/files/documents*'
    let isSent = false
    await page.route(uploads, async (route) => {
      if (isSent) await route.continue()
      isSent = true // hangs until the page unloads
    })
    await page.goto(`/knowledge/space/${this.slug}`)
    const file = { name: 'hours.txt', mimeType: 'text/plain', buffer: Buffer.from('Open from 9 to 18.') }
    await page.locator('input[type=file]').setInputFiles(file)
    const tray = page.getByRole('button', { name: this.trayWord('open', 1) })
    await tray.click()
    await expect(page.getByRole('dialog').getByText('hours.txt')).toBeVisible()
    await expectAccessible(page, `${this.name}: tray`)
    await page.goto('/agents')
    await expect(page.getByText(this.trayWord('ready', 1, { name: 'hours.txt' }))).toBeVisible()
    await expect(tray).toBeHidden()
    await page.unroute(uploads)
  }

  /** Several at once; one is refused before the upload, one for its contents, with the position. */
  private async addFiles() {
    const { page } = this
    await page.goto(`/knowledge/documents?spaceSlug=${this.slug}&from=agents`)
    const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
    await page
      .locator('input[type=file]')
      .setInputFiles([file('prices.csv', 'Goods,Price\nTea,120'), file('bad.json', '{"a" 1}'), file('a.exe', 'x')])
    await expect(page.getByText(this.say('knowledge', 'refused.unsupported_format'))).toBeVisible()
    await expect(page.getByText(this.say('knowledge', 'reason.invalid_json', { line: 1, column: 6 }))).toBeVisible()
    await expect(page.getByText(this.word('documents.rows', 2))).toBeVisible()
    await expectAccessible(page, `${this.name}: documents`)
    await page.getByRole('link', { name: this.say('knowledge', 'parts.back', { name: SPACE }) }).click()
    await expect(page).toHaveURL(new RegExp(`/knowledge/space/${this.slug}\\?from=agents$`))
  }
  /** One passage is edited; the others stay. */
  private async correct() {
    const { page } = this
    await page.goto(`/knowledge/space/${this.slug}`)
    await page.getByRole('button', { name: this.say('knowledge', 'documents.open', { name: 'terms.md' }) }).click()
    await this.press('chunk.edit', { number: 2 })
    const editor = page.getByRole('dialog', { name: this.say('knowledge', 'chunk.title', { number: 2 }) })
    await editor.getByRole('textbox').fill('Goods may be returned within 30 days. Keep the receipt.')
    await expectAccessible(page, `${this.name}: passage`, '[role=dialog]')
    await editor.getByRole('button', { name: this.say('knowledge', 'chunk.save') }).click()
    await expect(page.getByRole('dialog').getByText('within 30 days')).toBeVisible()
    await this.press('chunk.disable', { number: 1 })
    await expect(page.getByText(this.say('conversations', 'viewer.disabled'))).toBeVisible()
    await this.press('chunk.enable', { number: 1 })
    await expect(page.getByText(this.say('conversations', 'viewer.disabled'))).toBeHidden()
  }

  private async importNotes() {
    const { page } = this
    await page.goto(`/knowledge/base?spaceSlug=${this.slug}`)
    await this.press('import.open')
    const text = 'Question;Answer;Also\nIs there parking?;Yes, in the yard.;Where can I leave the car?\n;No question'
    const buffer = Buffer.from(text)
    await page
      .getByRole('dialog')
      .locator('input[type=file]')
      .setInputFiles({ name: 'faq.csv', mimeType: 'text/csv', buffer })
    await expect(page.getByText(this.say('knowledge', 'import.problem.nameMissing', { row: 3 }))).toBeVisible()
    await expectAccessible(page, `${this.name}: import`, '[role=dialog]')
    await page.getByRole('button', { name: this.word('import.run', 1) }).click()
    await expect(page.getByRole('listitem').getByText('Is there parking?')).toBeVisible()
  }

  /** Disabled sources are reported on the card of the space. */
  private async chooseSources() {
    const { page } = this
    const notes = page.getByRole('switch', { name: this.say('knowledge', 'sources.name.fragments') })
    const off = page.getByText(
      this.say('knowledge', 'list.off', { names: this.say('knowledge', 'sources.name.fragments') }),
    )
    await page.goto(`/knowledge/space/${this.slug}?part=agents`)
    await notes.click()
    await expect(notes).not.toBeChecked()
    await page.goto('/knowledge')
    await expect(off).toBeVisible()
    await page.goto(`/knowledge/space/${this.slug}?part=agents`)
    await notes.click()
    await expect(notes).toBeChecked()
  }

  private async undoRemoval() {
    const { page } = this
    await page.goto('/knowledge')
    await this.press('list.actions', { name: SPACE })
    await page.getByRole('menuitem', { name: this.say('knowledge', 'list.remove') }).click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog.getByText('Helper')).toBeVisible()
    await dialog.getByRole('textbox').fill(SPACE)
    await dialog.getByRole('button', { name: this.say('knowledge', 'removeSpace.confirm') }).click()
    const card = page.getByRole('link', { name: SPACE, exact: true })
    await expect(card).toBeHidden()
    await page.getByRole('button', { name: this.say('knowledge', 'removeSpace.undo'), exact: true }).click()
    await expect(card).toBeVisible()
  }

  /** The same path from a message that a customer received. */
  private async followInInbox(session: Session, agentId: string) {
    const { page } = this
    const { token } = installation.telegram.addBot()
    await call(session, 'action', 'channels/telegram:provision', { agentId, botToken: token })
    installation.telegram.customerSays(token, { chatId: this.chatId, firstName: 'Vera' }, QUESTION)
    await page.goto('/chats')
    await page.getByRole('link', { name: 'Vera' }).click()
    await this.openSentence('terms.md', SENTENCE)
    await expectAccessible(page, `${this.name}: passage in the inbox`, '[role=dialog]')
  }

  /** From an answer to the sentence that supports it, scrolled into view. */
  private async openSentence(source: string, sentence: string) {
    const { page } = this
    await page
      .getByRole('button', { name: this.say('conversations', 'sources.open', { name: source }) })
      .first()
      .click()
    await expect(page.getByRole('dialog').locator('mark')).toHaveText([sentence])
    await expect(page.getByRole('dialog').locator('mark')).toBeInViewport()
  }

  /** In a document and in a note, and on to the space. */
  private async follow(session: Session, agentId: string) {
    const { page } = this
    await page.goto('/agents/helper/test')
    for (const [question, source, sentence] of [
      [QUESTION, 'terms.md', SENTENCE],
      ['Is there parking?', 'Is there parking?', 'Yes, in the yard.'],
    ] as const) {
      await call(session, 'mutation', 'testChat:send', { agentId, text: question })
      await this.openSentence(source, sentence)
      await expectAccessible(page, `${this.name}: passage of ${source}`, '[role=dialog]')
      await page.keyboard.press('Escape')
    }
    await page.getByRole('button', { name: this.say('conversations', 'sources.open', { name: 'terms.md' }) }).click()
    await page.getByRole('link', { name: this.say('conversations', 'viewer.openInSpace', { name: SPACE }) }).click()
    await expect(page).toHaveURL(new RegExp(`/knowledge/space/${this.slug}\\?document=.+&chunk=.+`))
    await expect(page.getByRole('dialog').getByText('within 30 days')).toBeVisible()
  }

  private async press(key: string, values: Record<string, string | number> = {}) {
    await this.page
      .getByRole('button', { name: this.say('knowledge', key, values) })
      .first()
      .click()
  }

  private trayWord(key: string, count: number, values: Record<string, string> = {}): string {
    return this.say('tray', `${key}_${new Intl.PluralRules(this.language).select(count)}`, { count, ...values })
  }

  /** The text for a number of things. */
  private word(key: string, count: number): string {
    return this.say('knowledge', `${key}_${new Intl.PluralRules(this.language).select(count)}`, { count })
  }
}
