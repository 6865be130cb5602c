// The settings of an agent in a browser: found by the palette, filled by keyboard, saved, drafted, shared with a colleague, accessible.
import type { Page } from '@playwright/test'
import { call, idOf, type Session, signUp } from '#tests/seeds/installation.ts'
import { SECTION_GROUPS } from '#web/features/agents/settings/sections.ts'
import { expect, type Language, test, wordsOf } from './fixtures.ts'
import { isWide, judgeLooks, looksOf, NARROW, openContext, WIDE } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'

const PERSON = { name: 'Anna', email: 'anna@example.com', password: 'correct horse 42' }
/** Sections that stand closed at first. */
const FOLDED = SECTION_GROUPS.flatMap(({ name, sections }) => (name === 'main' || name === 'end' ? [] : [...sections]))
let say: ReturnType<typeof wordsOf>
const word = (key: string, values: Record<string, string | number> = {}) => say('agents', key, values)

let installation: Installation
let session: Session
let agentId: string
let page: Page
/** Names of the days, from Monday on. */
let week: string[]

for (const look of looksOf('ru 1280 light')) {
  test.describe(look.name, () => {
    test.beforeAll(async ({ browser }) => {
      say = wordsOf(look.language)
      week = daysOf(look.language)
      installation = await startInstallation()
      session = await signUp(installation.url, PERSON, 'Anna & Co')
      agentId = idOf(await call(session, 'mutation', 'agents:create', { name: 'Helper' }))
      const context = await openContext(browser, look, { baseURL: installation.url, person: PERSON })
      page = await context.newPage()
      await page.goto('/agents')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(word('list.title'))
    })
    test.afterAll(async () => {
      await page.context().close()
      await installation.close()
    })

    test('leads to a setting by its name from any page, and keeps what is saved there', async () => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill(word('sections.spam.title'))
      await page.getByRole('option', { name: word('sections.spam.title') }).click()
      await expect(page).toHaveURL(/\/agents\/helper\/settings#spam$/)
      const limit = page.getByLabel(word('spam.customerLimit'))
      await limit.fill('1 200')
      await page.keyboard.press('Control+s')
      await expect(page.getByText(word('save.done.save'), { exact: true })).toBeVisible()
      await page.reload()
      await expect(limit).toHaveValue(/^1[\s,]200$/)
    })

    test('takes the hours of the week by keyboard, as a draft first', async () => {
      await open('availability')
      await section('availability').getByRole('switch').click()
      await section('availability')
        .getByRole('button', { name: word('availability.presets.work') })
        .click()
      // On a phone the days stand next to each other and the hours one below the other.
      const [earlier, nextDay] = isWide(look)
        ? (['ArrowLeft', 'ArrowDown'] as const)
        : (['ArrowUp', 'ArrowRight'] as const)
      await cell(0, 9).focus()
      await page.keyboard.press(earlier)
      await page.keyboard.press('Space')
      await page.keyboard.press(`Shift+${nextDay}`)
      await expect(cell(1, 8)).toHaveAttribute('aria-selected', 'true')
      await page.getByRole('button', { name: word('save.draft') }).click()
      await expect(page.getByText(word('draft.title', { version: 3, live: 2 }))).toBeVisible()
      await page.getByRole('button', { name: word('draft.publish', { version: 3 }) }).click()
      await expect(page.getByText(word('draft.title', { version: 3, live: 2 }))).toBeHidden()
      expect(await call(session, 'query', 'agents:get', { id: agentId })).toMatchObject({ version: 3, liveVersion: 3 })
    })

    test('asks when a colleague has saved meanwhile, and loses nothing of either', async () => {
      await open('prompt')
      await page.getByRole('textbox', { name: word('settings.systemPrompt') }).fill('Mine')
      await call(session, 'mutation', 'agents:update', { id: agentId, patch: { buffer: { seconds: 7 } } })
      await page.keyboard.press('Control+s')
      const question = page.getByRole('alertdialog')
      await question.getByRole('button', { name: word('conflict.keepMine') }).click()
      await expect(section('buffer')).toContainText('7')
      await page.keyboard.press('Control+s')
      await expect(page.getByRole('button', { name: word('save.save'), exact: true })).toBeHidden()
      expect(await call(session, 'query', 'agents:get', { id: agentId })).toMatchObject({
        systemPrompt: 'Mine',
        buffer: { seconds: 7 },
      })
    })

    test('shows what is wrong where it is wrong', async () => {
      await open('buffer')
      await page.getByLabel(word('buffer.seconds')).fill('500')
      await section('buffer').getByRole('button', { expanded: true }).click()
      await page.keyboard.press('Control+s')
      await expect(page.getByLabel(word('buffer.seconds'))).toBeFocused()
      await expect(section('buffer')).toContainText(word('validation.tooBig', { value: 120 }))
      await page.getByRole('button', { name: word('save.discard'), exact: true }).click()
    })

    test('is accessible with everything open and fits its window', async () => {
      await open('basic')
      for (const id of FOLDED) await section(id).getByRole('button', { expanded: false }).first().click()
      await section('follow-ups').getByRole('switch').first().click()
      await section('follow-ups')
        .getByRole('button', { name: word('followUps.add') })
        .click()
      await section('fallback')
        .getByRole('button', { name: word('fallback.add') })
        .click()
      for (const size of [WIDE, NARROW]) {
        await page.setViewportSize(size)
        // Where it stands by chance, a field may lie half under the bars above and below, and counts as too small.
        await page.evaluate(() => window.scrollTo(0, 0))
        await judgeLooks(page, 'agent settings, all open', { language: look.language, widths: [size] })
      }
      await page.setViewportSize({ width: 320, height: 800 })
      // What follows the window, such as the rows of a text field, does so a moment later.
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
      await page.setViewportSize({ width: look.width, height: 800 })
      await page.getByRole('button', { name: word('save.discard'), exact: true }).click()
    })
  })
}

async function open(id: string) {
  await page.goto('/agents')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(word('list.title'))
  await page.goto(`/agents/helper/settings#${id}`)
  await expect(section(id)).toBeInViewport()
}

function section(id: string) {
  return page.locator(`section#${id}`)
}

function cell(day: number, hour: number) {
  const name = word('availability.cell', { day: week[day] ?? '', from: `${hour}:00`, to: `${hour + 1}:00` })
  return page.getByRole('gridcell', { name, exact: true })
}

function daysOf(language: Language): string[] {
  const { format } = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  return Array.from({ length: 7 }, (_, day) => format(Date.UTC(2024, 0, 1 + day)))
}
