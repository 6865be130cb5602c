// Integrations in a browser: found in the list, an agent connected to Google Calendar by Google's own page, its four tabs set up, a visit booked
// and cancelled in Telegram, and a consent that is gone given again.
import type { Locator, Page } from '@playwright/test'
import { type FakeGoogleCalendar, startFakeGoogleCalendar } from '#tests/fakes/google-calendar/google-calendar.ts'
import type { ChatRequest } from '#tests/fakes/openai/openai.request.ts'
import type { FakeReply } from '#tests/fakes/openai/openai.ts'
import { call, idOf, signUp } from '#tests/seeds/installation.ts'
import { expect, test, wordsOf } from './fixtures.ts'
import { judgeFrom, looksOf, openContext } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'

const ANNA = { name: 'Anna', email: 'anna@example.com', password: 'correct horse 42' }
const AGENTS = ['Салон на Абая', 'Barber'] as const

const CUSTOMER = 'Aigul'
const CHAT = 7001
const TEXTS = { offered: 'These times are free.', done: 'Done.', not: 'That did not work.' }

/** A model that looks for times, takes the first that was offered, and cancels the visit that it sees. */
function receptionist({ messages }: ChatRequest): FakeReply {
  const last = messages.at(-1)
  const whole = messages.map(({ content }) => (typeof content === 'string' ? content : '')).join('\n')
  const idAfter = (name: string) => new RegExp(`"${name}":"(\\w+)"`).exec(whole)?.[1]
  if (last?.role === 'tool') {
    const result = String(last.content)
    if (result.includes('slot_id')) return { text: TEXTS.offered }
    return { text: /"done":\s*true/.test(result) ? TEXTS.done : `${TEXTS.not} ${result}` }
  }
  if (whole.includes('Cancel it')) return calls('cancel_booking', { booking_id: idAfter('booking_id') })
  if (whole.includes('The first one')) return calls('book_time', { slot_id: idAfter('slot_id') })
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
  return calls('find_free_times', { from: day(1), to: day(13) })
}

function calls(name: string, args: object): FakeReply {
  return { toolCalls: [{ name, arguments: JSON.stringify(args) }] }
}

for (const look of looksOf('ru 1280 light')) {
  test.describe
    .serial(`calendar: ${look.name}`, () => {
      const say = wordsOf(look.language)
      const word = (key: string, values: Record<string, string | number> = {}) => say('integrations', key, values)
      const judge = (page: Page, name: string) => judgeFrom(page, `calendar ${name}`, { look })
      let google: FakeGoogleCalendar
      let installation: Installation
      let page: Page
      let token = ''

      test.beforeAll(async ({ browser }) => {
        google = await startFakeGoogleCalendar()
        google.state.asks = true
        installation = await startInstallation({ hasModel: true, env: google.env })
        token = installation.telegram.addBot().token
        const anna = await signUp(installation.url, ANNA, 'Anna & Co')
        for (const name of AGENTS) {
          const agentId = idOf(await call(anna, 'mutation', 'agents:create', { name, model: 'openai/gpt-4.1-mini' }))
          if (name === AGENTS[0])
            await call(anna, 'action', 'channels/telegram:provision', { agentId, botToken: token })
        }
        installation.openai?.reply(receptionist)
        const context = await openContext(browser, look, { baseURL: installation.url, person: ANNA })
        page = await context.newPage()
      })
      test.afterAll(async () => {
        await page?.context().close()
        await installation?.close()
        await google?.close()
      })

      test('the list is searched, and says what cannot be used yet', async () => {
        await page.goto('/integrations')
        const cards = page.getByRole('main').getByRole('list').first().locator('> li')
        await expect(cards).toHaveCount(7)
        await expect(page.getByText(word('status.none'))).toHaveCount(AGENTS.length)
        await judge(page, 'index')
        const search = page.getByRole('searchbox', { name: word('search') })
        await search.fill(word('items.outlookCalendar.title'))
        await expect(cards).toHaveCount(1)
        await expect(cards).toContainText(word('availability.comingSoon'))
        await expect(cards.getByRole('link')).toHaveCount(0)
        await expect(cards.getByRole('button')).toHaveCount(0)
        await expect(page).toHaveURL(/\?q=Outlook/)
        await search.fill('zzz')
        await expect(page.getByRole('heading', { name: word('noneFound') })).toBeVisible()
        await judge(page, 'none-found')
        await page
          .getByRole('button', { name: word('clearSearch') })
          .first()
          .press('Enter')
        await expect(cards).toHaveCount(7)
      })

      test('an agent is connected by a consent, which may be declined', async () => {
        await page.goto('/integrations')
        await page.getByRole('link', { name: AGENTS[0] }).press('Enter')
        await expect(page.getByText(word('calendar.connection.asks'))).toBeVisible()
        await judge(page, 'not-connected')
        await consent('connect', 'Cancel')
        await expect(page.getByText(word('calendar.result.denied'))).toBeVisible()
        await judge(page, 'denied')
        await consent('connect', 'Allow')
        await expect(page.getByText(word('calendar.result.connected'))).toBeVisible()
        await expect(page.getByText(google.state.account, { exact: true })).toBeVisible()
        await judge(page, 'connected')
      })

      test('the other three tabs are set up and keep what was saved', async () => {
        const calendars = await openTab('calendars')
        await expect(calendars.getByRole('checkbox')).toHaveCount(3)
        await calendars.getByRole('checkbox', { name: 'Master Aigul' }).press('Space')
        await calendars.getByRole('combobox').press('Enter')
        await page.getByRole('option', { name: 'Bookings' }).press('Enter')
        await expect(page.getByRole('listbox')).toBeHidden()
        await judge(page, 'calendars')
        await save(calendars)

        const templates = await openTab('templates')
        const title = templates.getByRole('textbox', { name: word('calendar.templates.name') })
        await title.fill('{{customer}} {{price}}')
        await expect(templates.getByText(word('calendar.templates.unknown', { names: 'price' }))).toBeVisible()
        await judge(page, 'unknown-placeholder')
        await title.fill('{{customer}}: {{note}}')
        await templates.getByRole('button', { name: '{{email}}' }).press('Enter')
        const preview = templates.getByRole('region', { name: word('calendar.templates.preview') })
        await expect(preview).toContainText(word('calendar.templates.sample.note'))
        await expect(preview).toContainText(word('calendar.templates.sample.email'))
        await templates.getByRole('button', { name: word('calendar.templates.add') }).press('Enter')
        await judge(page, 'templates')
        await save(templates)

        const availability = await openTab('availability')
        await availability.getByRole('textbox', { name: word('calendar.availability.duration') }).fill('45')
        await availability.getByRole('button', { name: word('calendar.availability.add') }).press('Enter')
        await expect(availability.getByText(word('calendar.availability.wrongDays'))).toBeVisible()
        await judge(page, 'wrong-day')
        await availability
          .getByLabel(word('calendar.availability.day', { number: 1 }), { exact: true })
          .fill('2027-05-09')
        await availability.getByRole('button', { name: word('calendar.availability.add') }).press('Enter')
        await availability
          .getByLabel(word('calendar.availability.day', { number: 2 }), { exact: true })
          .fill('2027-12-31')
        await availability
          .getByRole('switch', { name: word('calendar.availability.open', { number: 2 }) })
          .press('Space')
        await judge(page, 'availability')
        await save(availability)

        await page.reload()
        await expect(availability.getByRole('textbox', { name: word('calendar.availability.duration') })).toHaveValue(
          '45',
        )
        await expect((await openTab('templates')).getByRole('textbox').first()).toHaveValue('{{customer}}: {{note}}')
        await expect((await openTab('calendars')).getByRole('checkbox', { name: 'Master Aigul' })).toBeChecked()
      })

      test('a visit is booked and cancelled in Telegram', async () => {
        expect(await says('When can I come?')).toContain(TEXTS.offered)
        expect(await says('The first one')).toContain(TEXTS.done)
        const [event] = google.state.events.values()
        expect(event).toMatchObject({ calendarId: 'bookings@group.calendar.google.com', status: 'confirmed' })
        expect(event?.body.summary).toContain(CUSTOMER)
        expect(await says('Cancel it')).toContain(TEXTS.done)
        expect(google.state.events.size).toBe(1)
        expect(event?.status).toBe('cancelled')
        await page.goto('/chats')
        await page.getByRole('link', { name: CUSTOMER }).press('Enter')
        await expect(page.getByText(TEXTS.done).last()).toBeVisible()
        await judge(page, 'booked-in-chat')
        await page.goto('/integrations/google_calendar/setup?tab=calendars')
      })

      test('a consent that is gone is shown on the page and in the list, and is given again', async () => {
        google.withdraw()
        await page.reload()
        await expect(panel('calendars').getByText(word('calendar.connection.lost'))).toBeVisible()
        await judge(page, 'lost-calendars')
        await expect(page.getByText(word('calendar.result.connected'))).toHaveCount(0)
        await openTab('connection')
        await judge(page, 'lost')
        await page.goto('/integrations')
        await expect(page.getByText(word('status.reauthorization_required'))).toBeVisible()
        await judge(page, 'index-lost')
        await page.getByRole('link', { name: AGENTS[0] }).press('Enter')
        await consent('reconnect', 'Allow')
        await expect(page.getByText(word('calendar.result.connected'))).toBeVisible()
        await expect((await openTab('calendars')).getByRole('combobox')).toContainText('Bookings')
        await openTab('connection')
        await page.getByRole('button', { name: word('calendar.connection.disconnect') }).press('Enter')
        await judge(page, 'disconnect')
        await page
          .getByRole('alertdialog')
          .getByRole('button', { name: word('calendar.connection.disconnect') })
          .press('Enter')
        await expect(page.getByText(word('calendar.connection.asks'))).toBeVisible()
      })

      /** The customer writes. @returns the next answer */
      async function says(text: string): Promise<string> {
        const { telegram } = installation
        const before = telegram.sentTo(CHAT).length
        telegram.customerSays(token, { chatId: CHAT, firstName: CUSTOMER }, text)
        const sent = await telegram.waitForSent(CHAT, before + 1)
        return sent.at(-1)?.text ?? ''
      }

      async function consent(button: 'connect' | 'reconnect', decision: 'Allow' | 'Cancel'): Promise<void> {
        await page.getByRole('button', { name: word(`calendar.connection.${button}`) }).press('Enter')
        await page.getByRole('link', { name: decision }).press('Enter')
      }

      function panel(tab: string): Locator {
        return page.getByRole('tabpanel', { name: word(`calendar.tab.${tab}`) })
      }

      async function openTab(tab: string): Promise<Locator> {
        await page.getByRole('tab', { name: word(`calendar.tab.${tab}`) }).click()
        return panel(tab)
      }

      async function save(within: Locator): Promise<void> {
        const button = within.getByRole('button', { name: word('calendar.save') })
        await button.press('Enter')
        await expect(button).toBeDisabled()
        await expect(page.getByText(word('calendar.saved')).first()).toBeVisible()
      }
    })
}
