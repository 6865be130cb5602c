// The installation's own Telegram bot: whom it alerts, how members link their chat, and how they unlink it.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { unlessConnected } from '#server/domain/alerts/alert-bot.ts'
import { createTelegramBot } from '#server/integrations/channels/telegram/telegram.bot.ts'
import { createLogger } from '#server/platform/lib/logger.ts'
import { defaultAlerts } from '#shared/organizations/alerts.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { quietWeek } from '#tests/fakes/telegram/telegram-scenes.ts'

const PLACE = { timeZone: 'UTC', language: 'en' } as const

let telegram: FakeTelegram
let token: string
let app: TestApp
let olga: Person
let chat = 6000

beforeAll(async () => {
  telegram = await startFakeTelegram()
  token = telegram.addBot().token
  app = await startApp({ telegram, config: { alertBotToken: token } })
  olga = await app.signUp({ name: 'Olga' })
})
afterAll(async () => {
  await app.close()
  await telegram.close()
})
beforeEach(async () => {
  chat++
  for (const table of ['alerts', 'alert_chats'] as const) await app.database.root.deleteFrom(table).execute()
})

const chatOf = (person: Person) => person.http.query(api.alerts.chat, {})

async function codeOf(person: Person): Promise<string> {
  const { url } = await person.http.action(api.alerts.openChat, {})
  const [page, code = ''] = url.split('?start=')
  expect(page).toBe(`https://t.me/${telegram.bot(token).username}`)
  return code
}

/** @returns the bot's reply */
async function say(text: string, from = chat): Promise<string> {
  const before = telegram.sentTo(from).length
  telegram.customerSays(token, { chatId: from, firstName: 'Olga', lastName: 'K' }, text)
  const sent = await telegram.waitForSent(from, before + 1)
  return sent.at(-1)?.text ?? ''
}

async function join(person: Person): Promise<void> {
  expect(await say(`/start ${await codeOf(person)}`)).toContain(`from “${person.organization.name}” come here`)
}

/** The member chooses Telegram alerts, and a note alerts them. */
async function callFor(person: Person, hasPreviews = true): Promise<void> {
  const { ways } = defaultAlerts('operator', PLACE)
  const settings = {
    ...defaultAlerts('operator', PLACE),
    hasPreviews,
    ways: { ...ways, billing: ['telegram' as const] },
  }
  await person.http.mutation(api.alerts.save, settings)
  await app.database.root
    .insertInto('alerts')
    .values({
      ...{ organization_id: person.organization._id, user_id: person.user._id, kind: 'billing' },
      ...{ subject: `${Date.now()}`, conversation_id: null, connection_id: null, planned_at: null, seen_at: null },
    })
    .execute()
  await app.settle()
}

const outcome = () => app.database.root.selectFrom('alert_sends').select(['way', 'status']).execute()

it('receives messages also after a week without any, when Telegram restarts update ids anywhere', async () => {
  const isTaken = () => telegram.waitFor(() => telegram.isTaken(token), 'the message to be acknowledged')
  await isTaken()
  quietWeek(telegram, token, 900_000_000)
  await say('Hello')
  await isTaken()
  quietWeek(telegram, token, 1000)
  telegram.faults.answerDelayMs = 200 // the next one arrives while this one is being answered
  await say('Hello again')
  await say('Do you hear me?')
  telegram.faults.answerDelayMs = 0
})

describe('a member who sends the code', () => {
  it('receives each alert once, with a link to the subject', async () => {
    expect(await olga.http.action(api.alerts.reach, {})).toMatchObject({ telegram: true })
    await join(olga)
    expect(await chatOf(olga)).toEqual({ name: 'Olga K' })
    await callFor(olga)
    expect(telegram.sentTo(chat).at(-1)?.text).toBe(
      `This month’s messages are nearly used up\n\n${app.url}/settings/organization`,
    )
    expect(telegram.sentTo(chat)).toHaveLength(2)
    expect(await outcome()).toEqual([{ way: 'telegram', status: 'sent' }])
    await olga.http.action(api.alerts.testChat, {})
    expect(telegram.sentTo(chat).at(-1)?.text).toContain('This is what an alert looks like')
  })

  it('can use it once: no one else can link a chat with it', async () => {
    const code = await codeOf(olga)
    await say(`/start ${code}`)
    expect(await say(`/start ${code}`, chat + 500)).toContain('press “Connect Telegram”')
    expect(await say(`/start ${code}`)).toContain('Your alerts come here') // its answer may have been lost
    await callFor(olga)
    expect(telegram.sentTo(chat + 500)).toHaveLength(1)
  })

  it('must do so within a quarter of an hour, and still be a member', async () => {
    const late = await codeOf(olga)
    await app.database.root
      .updateTable('alert_chats')
      .set({ code_until: new Date(Date.now() - 1) })
      .execute()
    expect(await say(`/start ${late}`)).toContain('press “Connect Telegram”')
    const left = await app.signUp({ name: 'Left' })
    const code = await codeOf(left)
    await app.database.root.deleteFrom('members').where('user_id', '=', left.user._id).execute()
    expect(await say(`/start ${code}`)).toContain('press “Connect Telegram”')
    expect(await say('Hello?')).toContain('press “Connect Telegram”')
  })

  it('is linked to one organization and one member', async () => {
    const other = await app.signUp({ name: 'Other' })
    await join(olga)
    expect(await chatOf(other)).toBeNull()
    await callFor(other)
    expect(telegram.sentTo(chat)).toHaveLength(1)
    expect(await outcome()).toEqual([{ way: 'telegram', status: 'dropped' }])
    await other.http.mutation(api.alerts.closeChat, {})
    expect(await chatOf(olga)).not.toBeNull()
  })
})

describe('a member who unlinks', () => {
  it.each([
    ['in the chat', () => say('/stop')],
    ['on the page', () => olga.http.mutation(api.alerts.closeChat, {})],
  ])('%s receives no more alerts', async (_, leave) => {
    await join(olga)
    await leave()
    expect(await chatOf(olga)).toBeNull()
    const before = telegram.sentTo(chat).length
    await callFor(olga)
    expect(telegram.sentTo(chat)).toHaveLength(before)
    await expect(olga.http.action(api.alerts.testChat, {})).rejects.toMatchObject({
      data: { code: 'alert_chat_missing' },
    })
  })

  it('by blocking the bot is unlinked at once, or with the next alert', async () => {
    await join(olga)
    const member = { user: { id: 1, is_bot: true, first_name: 'Bot' }, status: 'kicked', until_date: 0 }
    const person = { id: chat, is_bot: false, first_name: 'Olga', language_code: 'en' }
    const blocked = telegram.push(
      token,
      telegram.update(token, {
        my_chat_member: {
          ...{ chat: { id: chat, type: 'private', first_name: 'Olga' }, from: person, date: 1 },
          ...{ old_chat_member: { ...member, status: 'member' }, new_chat_member: member },
        },
      }),
    )
    await telegram.waitFor(() => telegram.acknowledged.has(blocked), 'the block')
    expect(await chatOf(olga)).toBeNull()

    await join(olga)
    telegram.block(chat)
    await callFor(olga)
    expect(await outcome()).toEqual([{ way: 'telegram', status: 'failed' }])
    expect(await chatOf(olga)).toBeNull()
  })
})

it('an alert that Telegram did not accept is retried later, and one that it may have accepted is not', async () => {
  await join(olga)
  telegram.rateLimit(chat, 1)
  await callFor(olga)
  expect(await outcome()).toEqual([{ way: 'telegram', status: 'waiting' }])
  telegram.faults.rateLimitedUntil.clear()
  await app.database.root.updateTable('alert_sends').set({ not_before: new Date() }).execute()
  await app.settle()
  expect(telegram.sentTo(chat)).toHaveLength(2)
  telegram.dropAnswers(1)
  await app.database.root.updateTable('alerts').set({ seen_at: new Date() }).execute()
  await callFor(olga)
  expect(telegram.sentTo(chat)).toHaveLength(3)
  expect(await outcome()).toContainEqual({ way: 'telegram', status: 'failed' })
})

it('without a bot, linking is refused with the reason', async () => {
  const without = await startApp({ telegram })
  const person = await without.signUp()
  expect(await person.http.action(api.alerts.reach, {})).toMatchObject({ telegram: false })
  const missing = { data: { code: 'alert_bot_missing' } }
  await expect(person.http.action(api.alerts.openChat, {})).rejects.toMatchObject(missing)
  await expect(person.http.action(api.alerts.testChat, {})).rejects.toMatchObject(missing)
  await without.close()
})

describe('a bot is either a channel or the one for alerts:', () => {
  it('the one for alerts cannot be connected', async () => {
    const { _id: agentId } = await olga.http.mutation(api.agents.create, { name: 'Helper' })
    const connecting = olga.http.action(api.channels.telegram.provision, { agentId, botToken: token })
    await expect(connecting).rejects.toMatchObject({ data: { code: 'telegram_alert_bot' } })
    expect(await say('/stop')).toContain('Alerts no longer come here')
  })

  it('one that is connected sends no alerts', async () => {
    const without = await startApp({ telegram })
    const person = await without.signUp()
    const { token: botToken } = telegram.addBot()
    const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper' })
    await person.http.action(api.channels.telegram.provision, { agentId, botToken })
    const log = Object.assign(createLogger('silent'), { error: vi.fn() })
    const choose = (token: string) =>
      unlessConnected({ database: without.database, bot: createTelegramBot({ apiRoot: telegram.url, token }), log })
    expect(await choose(botToken)).toBeNull()
    expect(log.error).toHaveBeenCalledOnce()
    expect(await choose(telegram.addBot().token)).not.toBeNull()
    await without.close()
  })
})
