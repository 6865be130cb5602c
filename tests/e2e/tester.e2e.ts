// A user checks what agents find: a question with its sources, a test set, a gap that a note closes; and issues an API token.
import type { Page } from '@playwright/test'
import { call, idOf, type Session, signUp } from '#tests/seeds/installation.ts'
import { expect, expectAccessible, test, wordsOf } from './fixtures.ts'
import { type Look, looksOf, openContext, signInHere } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'

const PASSWORD = 'correct horse 42'
const QUESTION = 'Do you sell concert tickets?'
let installation: Installation

test.beforeAll(async () => {
  installation = await startInstallation()
})
test.afterAll(async () => {
  await installation.close()
})

for (const look of looksOf('en 1280 dark')) {
  test(`knowledge is checked and completed: ${look.name}`, async ({ browser }) => {
    const context = await openContext(browser, look, { baseURL: installation.url })
    await new Visit(await context.newPage(), look).run()
    await context.close()
  })
}

class Visit {
  private readonly page: Page
  private readonly name: string
  private readonly say: ReturnType<typeof wordsOf>

  constructor(page: Page, { id, language }: Look) {
    this.page = page
    this.name = id
    this.say = wordsOf(language)
  }

  async run() {
    await this.furnish()
    await this.tryQuestion()
    await this.scoreSet()
    await this.labelMissed()
    await this.closeGap()
    await this.letProgramIn()
  }

  /** A space with a note, and an agent that was asked about something else. */
  private async furnish() {
    const person = { name: 'Anna', email: `${this.name}@example.com`, password: PASSWORD }
    const session: Session = await signUp(installation.url, person, 'Anna & Co')
    const space = idOf(await call(session, 'mutation', 'knowledge/spaces:create', { name: 'Hotel' }))
    const note = { knowledgeSpaceId: space, name: 'Is there parking?', content: 'Yes, in the yard.' }
    await call(session, 'mutation', 'knowledge/fragments:create', note)
    const agentId = idOf(await call(session, 'mutation', 'agents:create', { name: 'Helper' }))
    await call(session, 'mutation', 'knowledge/spaces:linkAgent', { knowledgeSpaceId: space, agentId })
    await call(session, 'mutation', 'testChat:send', { agentId, text: QUESTION })
    const { page } = this
    await signInHere(page.context(), installation.url, person)
  }

  private async tryQuestion() {
    const { page } = this
    await page.goto('/knowledge/rag-tester')
    await this.press('try.run')
    await expect(page.getByText(this.words('try.required'), { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Is there parking?' }).click()
    await expect(page).toHaveURL(/spaceSlug=hotel.*q=Is/)
    await expect(page.getByText('Yes, in the yard.')).toBeVisible()
    await page.getByLabel(this.words('try.as'), { exact: true }).click()
    await page.getByRole('option', { name: this.words('try.asAgent', { name: 'Helper' }) }).click()
    await expect(page).toHaveURL(/agent=/)
    await expect(page.getByText('Yes, in the yard.')).toBeVisible()
    await page.getByText(this.words('stages.title')).click()
    await expectAccessible(page, `${this.name}: results`)
    await page.getByRole('button', { name: this.words('results.open', { name: 'Is there parking?' }) }).click()
    await expect(page.getByRole('dialog').getByText('Yes, in the yard.')).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByLabel(this.words('try.as'), { exact: true }).click()
    await page.getByRole('option', { name: this.words('try.asSpace') }).click()
    const mark = page.getByRole('button', { name: this.words('set.markNamed', { name: 'Is there parking?' }) })
    await mark.click()
    await expect(mark).toHaveAttribute('aria-pressed', 'true')
  }

  private async scoreSet() {
    const { page } = this
    await page.getByRole('tab', { name: this.words('views.set') }).click()
    await this.press('set.run')
    await expect(page.getByText(this.words('set.rank', { rank: 1 }))).toBeVisible()
    await expectAccessible(page, `${this.name}: test set`)
  }

  /** A question without results gets the passage that answers it, found by other words; the set shows it as missed. */
  private async labelMissed() {
    const { page } = this
    await page.goto('/knowledge/rag-tester?spaceSlug=hotel&q=Bicycles%20allowed%3F')
    await this.press('find.open')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('searchbox').fill('yard')
    await page.keyboard.press('Enter')
    const mark = dialog.getByRole('button', { name: this.words('set.markNamed', { name: 'Is there parking?' }) })
    await mark.click()
    await expect(mark).toHaveAttribute('aria-pressed', 'true')
    await expectAccessible(page, `${this.name}: finding an answer`, '[role=dialog]')
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: this.words('views.set') }).click()
    await this.press('set.run')
    await expect(page.getByText(this.words('set.missed'))).toBeVisible()
  }

  private async closeGap() {
    const { page } = this
    await page.getByRole('tab', { name: this.words('views.log') }).click()
    await expect(page.getByRole('button', { name: QUESTION })).toBeVisible()
    await expectAccessible(page, `${this.name}: log`)
    await page.getByRole('tab', { name: this.words('views.gaps') }).click()
    await expectAccessible(page, `${this.name}: gaps`)
    await page.getByRole('button', { name: this.words('gaps.addNoteFor', { question: QUESTION }) }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('textbox').first()).toHaveValue(QUESTION)
    await dialog.getByRole('textbox').nth(1).fill('Yes, on the roof.')
    await dialog.getByRole('button', { name: this.say('knowledge', 'notes.save') }).click()
    await expect(page.getByText(this.words('gaps.emptyTitle'))).toBeVisible()
  }

  /** The token is shown, used, shown as used, and revoked. */
  private async letProgramIn() {
    const { page } = this
    const say = (key: string, values = {}) => this.say('settings', `api.${key}`, values)
    await page.goto('/settings/api')
    await page.getByRole('button', { name: say('create') }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('Shop')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('create') })
      .click()
    const token = await page.getByRole('dialog').locator('code').innerText()
    await expectAccessible(page, `${this.name}: new token`, '[role=dialog]')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('done') })
      .click()
    expect(await this.listSpaces(token)).toBe(200)
    await expect(page.getByText(say('neverUsed'))).toBeHidden()
    await expectAccessible(page, `${this.name}: tokens`)
    await page.getByRole('button', { name: say('revokeNamed', { name: 'Shop' }) }).click()
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: say('revoke'), exact: true })
      .click()
    await expect(page.getByText(say('none'))).toBeVisible()
    expect(await this.listSpaces(token)).toBe(401)
  }

  private async listSpaces(token: string): Promise<number> {
    const answer = await fetch(`${installation.url}/api/v1/spaces`, { headers: { authorization: `Bearer ${token}` } })
    return answer.status
  }

  private words(key: string, values: Record<string, string | number> = {}): string {
    return this.say('rag-tester', key, values)
  }

  private async press(key: string) {
    await this.page.getByRole('button', { name: this.words(key), exact: true }).click()
  }
}
