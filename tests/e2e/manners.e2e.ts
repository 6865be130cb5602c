// An agent's behaviour in a chat, watched in the inbox: it lets the customer finish, restarts when they write more, yields to a
// person and resumes knowing that person's messages; and "Why?" explains an answer and a silence.
import type { Page } from '@playwright/test'
import type { ChatRequest } from '#tests/fakes/openai/openai.request.ts'
import { call, idOf, signUp } from '#tests/seeds/installation.ts'
import { expect, expectAccessible, test, wordsOf } from './fixtures.ts'
import { isWide, looksOf, openContext } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'

const PERSON = { name: 'Anna', email: 'anna@example.com', password: 'correct horse 42' }
const CHAT_ID = 4712
const CALLED = 'Передаю коллеге.'
let say: ReturnType<typeof wordsOf>
const word = (key: string, values: Record<string, string> = {}) => say('conversations', key, values)

let installation: Installation
let page: Page
let token: string

// The row of the list is watched while the conversation is open.
for (const look of looksOf('ru 1280 dark').filter(isWide)) {
  test.describe(look.name, () => {
    test.beforeAll(async ({ browser }) => {
      say = wordsOf(look.language)
      installation = await startInstallation({ hasModel: true })
      const session = await signUp(installation.url, PERSON, 'Anna & Co')
      const agent = { name: 'Консультант', model: 'openai/gpt-4.1-mini' }
      const agentId = idOf(await call(session, 'mutation', 'agents:create', agent))
      const handoff = {
        customer: { stop: ['оператор'], resume: ['бот'] },
        operator: { stop: [], resume: [] },
        byAgent: true,
        text: CALLED,
        autoResumeMs: null,
      }
      await call(session, 'mutation', 'agents:update', { id: agentId, patch: { buffer: { seconds: 2 }, handoff } })
      token = installation.telegram.addBot().token
      await call(session, 'action', 'channels/telegram:provision', { agentId, botToken: token })
      const context = await openContext(browser, look, { baseURL: installation.url, person: PERSON })
      page = await context.newPage()
      await page.goto('/chats')
      await expect(page.getByText(word('list.emptyTitle'))).toBeVisible()
    })
    test.beforeEach(() => {
      installation.openai?.reply((request) => ({ text: `Вы сказали: ${questionOf(request)}` }))
    })
    test.afterAll(async () => {
      await page.context().close()
      await installation.close()
    })

    test('answers a burst of messages once, and shows how many there were', async () => {
      for (const text of ['Здравствуйте', 'Есть вопрос', 'Про доставку']) customerSays(text)
      await page.getByRole('link', { name: /Bolat/ }).click()
      const answer = 'Вы сказали: Здравствуйте\n\nЕсть вопрос\n\nПро доставку'
      await expect.poll(received).toEqual([answer])
      await expect(log().getByText('Вы сказали: Здравствуйте')).toBeVisible()
      await log()
        .getByRole('button', { name: say('why', 'open') })
        .click()
      await expect(why()).toContainText(say('why', 'replied'))
      await expect(why()).toContainText(`${say('why', 'facts.questions')}: 3`)
      await expectAccessible(page, 'why it answered')
      await page.keyboard.press('Escape')
      await log().getByText('Есть вопрос', { exact: true }).first().hover()
      const ofMessage = log().getByRole('button', { name: say('why', 'ofMessage') })
      await expect(ofMessage).toHaveCount(3)
      await ofMessage.nth(1).click()
      await why()
        .getByRole('button', { name: say('why', 'answered.show') })
        .click()
      await expect(log().getByText('Вы сказали: Здравствуйте')).toBeInViewport()
    })

    test('streams its answer to the inbox, and restarts when the customer adds something meanwhile', async () => {
      const { openai } = installation
      if (!openai) throw new Error('this story needs a model')
      const before = { asked: openai.requests.length, sent: received().length }
      openai.reply((request) =>
        openai.requests.length === before.asked + 1
          ? { text: Array.from({ length: 300 }, (_, at) => `слово${at} `).join(''), pieceDelayMs: 200 }
          : { text: `Вы сказали: ${questionOf(request)}` },
      )
      customerSays('Два билета')
      await openai.arrived(before.asked + 1)
      await expect(page.getByText(word('page.typing', { name: 'Консультант' }))).toBeVisible()
      const unsent = log().getByRole('article', { name: word('message.draftOf', { name: 'Консультант' }) })
      await expect(unsent).toContainText('слово1 ')
      await expect(unsent).toContainText('слово5 ')
      await expectAccessible(page, 'an answer that is being written')
      customerSays('Нет, три')
      await openai.disconnected(1)
      const answer = 'Вы сказали: Два билета\n\nНет, три'
      await expect.poll(() => received().slice(before.sent)).toEqual([answer])
      await expect(log().getByText('Вы сказали: Два билета')).toBeVisible()
      await expect(unsent).toHaveCount(0)
      await expect(log()).not.toContainText('слово1 ')
      expect(openai.requests).toHaveLength(before.asked + 2)

      await log()
        .getByRole('listitem')
        .filter({ has: page.getByText('Два билета', { exact: true }) })
        .getByRole('button', { name: say('why', 'ofMessage') })
        .first()
        .focus()
      await page.keyboard.press('Enter')
      await expect(why()).toContainText(say('why', 'replied'))
      await why()
        .getByRole('button', { name: word('outcome.superseded') })
        .click()
      await expect(why()).toContainText(say('why', 'attempts.aborted'))
      await expectAccessible(page, 'why of a message')
      await page.keyboard.press('Escape')
    })

    test('yields to a person, shows why, and resumes knowing their messages', async () => {
      customerSays('Позовите оператора')
      await expect(page.getByRole('link', { name: /Bolat/ })).toContainText(word('call.customer_request'))
      await expect(page.getByText(word('banner.reason.customer_request'))).toBeVisible()
      await expect.poll(received).toContainEqual(CALLED)

      await log().getByText(word('outcome.customer_request')).getByRole('button').click()
      await expect(why()).toContainText(word('outcome.customer_request'))
      await expect(why()).toContainText(`${say('why', 'facts.phrase')}: оператор`)
      await expectAccessible(page, 'why it is silent')
      await page.keyboard.press('Escape')

      const reply = 'Ваш заказ готов, код 4417.'
      await page.getByLabel(word('reply.label')).fill(reply)
      await page.getByRole('button', { name: word('reply.send') }).click()
      await expect.poll(received).toContainEqual(reply)
      await expect(page.getByText(word('banner.reason.operator_reply'))).toBeVisible()
      await expect(page.getByRole('link', { name: /Bolat/ })).not.toContainText(word('call.customer_request'))
      await page.getByRole('button', { name: word('banner.resume') }).click()
      await expect(page.getByText(word('banner.reason.operator_reply'))).toBeHidden()

      // Only the operator's message contains the code.
      installation.openai?.reply(({ messages }) => {
        const [, code = 'неизвестен'] = /код (\d{4})/.exec(messages.map(({ content }) => content).join('\n')) ?? []
        return { text: `Коллега назвал вам код: ${code}.` }
      })
      customerSays('Какой у меня код?')
      await expect.poll(received).toContainEqual('Коллега назвал вам код: 4417.')
      await expect(log().getByText('Коллега назвал вам код: 4417.')).toBeVisible()
      expect(received()).toHaveLength(5) // two answers before, the text of the handoff, the colleague, this answer: nothing twice
    })

    test('its conversation is found by a word, taken by a key, tagged, archived and restored', async () => {
      const row = page.getByRole('link', { name: /Bolat/ })
      await page.getByLabel(word('search.label')).fill('билет')
      await expect(row.getByText('билета')).toBeVisible()
      await expect(page).toHaveURL(/q=/)
      await row.click()
      await expect(log().locator('[aria-current]')).toContainText('билета')
      await page.getByRole('button', { name: word('search.clear') }).click()
      await expect(page).not.toHaveURL(/q=/)

      await page.getByRole('button', { name: word('filing.tags') }).click()
      await page.getByLabel(word('filing.newTag')).fill('опт')
      await page.keyboard.press('Enter')
      await expect(row).toContainText('опт')
      await page.keyboard.press('Escape')
      await page.getByRole('heading', { name: 'Bolat', level: 2 }).click()
      await page.keyboard.press('a')
      await expect(log()).toContainText(word('outcome.assigned', { by: PERSON.name, name: PERSON.name }))

      await openAfresh()
      await page.keyboard.press('e')
      await expect(page.getByText(word('list.doneTitle'))).toBeVisible()
      await page.getByRole('button', { name: word('bulk.undo') }).click()
      await expect(row).toBeVisible()
      await openAfresh()
      await page.getByRole('checkbox', { name: word('bulk.choose', { name: 'Bolat' }) }).check()
      await expect(page.getByRole('group', { name: word('bulk.label') })).toBeVisible()
      await expectAccessible(page, 'chosen conversations')
      await page.keyboard.press('e')
      await expect(page.getByText(word('list.doneTitle'))).toBeVisible()
      await page.getByRole('button', { name: word('bulk.undo') }).click()
      await row.focus()
      await page.keyboard.press('x')
      await expect(page.getByRole('group', { name: word('bulk.label') })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('group', { name: word('bulk.label') })).toBeHidden()
      await page.getByRole('button', { name: word('list.moreFilters') }).click()
      await expectAccessible(page, 'more filters')
      await page.keyboard.press('Escape')
    })
  })
}

/** Dismisses toasts of earlier actions: each of them offers an undo. */
async function openAfresh() {
  await page.reload()
  await page.getByRole('heading', { name: 'Bolat', level: 2 }).click()
}

function customerSays(text: string): void {
  installation.telegram.customerSays(token, { chatId: CHAT_ID, firstName: 'Bolat' }, text)
}

function received(): string[] {
  return installation.telegram.sentTo(CHAT_ID).map(({ text }) => text)
}

function questionOf({ messages }: ChatRequest): string {
  return messages.findLast(({ role }) => role === 'user')?.content ?? ''
}

function log() {
  return page.getByRole('region', { name: word('page.messages') })
}

function why() {
  return page.getByRole('dialog', { name: say('why', 'title') })
}
