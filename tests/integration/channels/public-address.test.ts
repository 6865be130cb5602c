// A public address comes, changes and goes: connections follow it at the next start, and nothing that customers write on the way is lost.
import { afterAll, expect, it } from 'vitest'
import { createOutbound } from '#server/integrations/http/outbound.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { openTestDatabase } from '#tests/database.ts'
import { startFakeGreenApi } from '#tests/fakes/green-api/green-api.ts'
import { startFakeMax } from '#tests/fakes/max/max.ts'
import { startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { startFakeVk } from '#tests/fakes/vk/vk.ts'

const PATIENCE = { timeout: 30_000 }
const telegram = await startFakeTelegram()
const greenApi = await startFakeGreenApi({ secondMs: 5 })
const max = await startFakeMax()
const vk = await startFakeVk()
const database = await openTestDatabase()

afterAll(async () => {
  await Promise.all([telegram.close(), greenApi.close(), max.close(), vk.close()])
  await database.close()
})

/** Another start of the same installation, at this address; null: it has none. */
async function start(publicUrl: string | null): Promise<TestApp> {
  const app = await startApp({
    ...{ database, telegram, greenApi },
    config: {
      ...(publicUrl !== null && { publicUrl, hasPublicUrl: true }),
      ...{ maxApiUrl: max.url, vkApiUrl: vk.url, appSecret: 'the same at every start, and long enough' },
    },
    overrides: { outbound: createOutbound({ isAllowed: () => true }) },
  })
  // An address that is given up still leads here for a while: what MAX could not deliver it repeats there, and nowhere else.
  for (const fake of [telegram, greenApi, max, vk]) fake.webhookOrigin = () => app.url
  return app
}

/** One account of each messenger that can be asked. */
type Account = { says(text: string): void; address(): string | null }

async function connectAll(person: Person): Promise<Account[]> {
  const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper', model: EXTRACTIVE_MODEL })
  const bot = telegram.addBot()
  await person.http.action(api.channels.telegram.provision, { agentId, botToken: bot.token })
  const instance = greenApi.addInstance()
  const { idInstance, apiToken } = instance
  await person.http.action(api.channels.whatsapp.provision, { agentId, idInstance, apiToken })
  const maxBot = max.addBot()
  const community = vk.addCommunity()
  for (const [channel, { token }] of [['max', maxBot] as const, ['vk', community] as const]) {
    await person.http.action(api.channels.messengers.provision, { agentId, channel, entered: { token } })
  }
  return [
    {
      says: (text) => void telegram.customerSays(bot.token, { chatId: 5001, firstName: 'Anna' }, text),
      address: () => telegram.bot(bot.token).webhook?.url ?? null,
    },
    {
      says: (text) => void greenApi.customerSays(idInstance, { phone: '77001000001', name: 'Bolat' }, text),
      address: () => String(instance.settings.webhookUrl) || null,
    },
    {
      says: (text) => void max.customerSays(maxBot.token, { userId: 4001, firstName: 'Vera' }, text),
      address: () => maxBot.subscription[0]?.url ?? null,
    },
    {
      says: (text) => void vk.customerSays(community.groupId, { id: 4001, name: 'Galina Petrova' }, text),
      address: () => community.servers.find(({ title }) => title === 'Parley')?.url ?? null,
    },
  ]
}

function heard(text: string): Promise<string[]> {
  return database.database.system('test: what was heard', async (db) => {
    const messages = db.selectFrom('messages').where('author', '=', 'customer').where('text', '=', text)
    const customers = await messages
      .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
      .select('conversations.channel')
      .orderBy('conversations.channel')
      .execute()
    return customers.map(({ channel }) => channel)
  })
}

it('every messenger follows the address to its webhook, to another one and back, and loses nothing', async () => {
  const everyone = ['max', 'telegram', 'vk', 'whatsapp']
  const origins = (accounts: Account[]) =>
    accounts.map((account) => (account.address() === null ? null : new URL(String(account.address())).origin))
  let app = await start(null)
  const accounts = await connectAll(await app.signUp())
  const say = (text: string) => {
    for (const account of accounts) account.says(text)
  }
  say('first')
  await expect.poll(() => heard('first'), PATIENCE).toEqual(everyone)
  for (const [publicUrl, origin] of [
    ['https://a.example', 'https://a.example'],
    ['https://b.example', 'https://b.example'],
    [null, null],
  ] as const) {
    await app.close()
    const missed = `while the server was away, before ${origin}`
    say(missed)
    app = await start(publicUrl)
    await expect.poll(() => origins(accounts), PATIENCE).toEqual(accounts.map(() => origin))
    await expect.poll(() => heard(missed), PATIENCE).toEqual(everyone)
    say(`at ${origin}`)
    await expect.poll(() => heard(`at ${origin}`), PATIENCE).toEqual(everyone)
  }
  await app.settle()
  await app.close()
})
