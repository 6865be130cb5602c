// Polled messengers start at the position at which polling began: it is stored when the connection is made, no matter which server polls first.
import { afterAll, expect, it } from 'vitest'
import { acquireLock } from '#server/platform/db/acquire-lock.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { api, startApp } from '#tests/app.ts'
import { openTestDatabase } from '#tests/database.ts'
import { startFakeMax } from '#tests/fakes/max/max.ts'
import { startFakeVk } from '#tests/fakes/vk/vk.ts'

const max = await startFakeMax()
const vk = await startFakeVk()
/** Pollers look for new connections soon. */
const overrides = { waitShare: 0.05 }
const anna = { userId: 4001, firstName: 'Anna' }

afterAll(async () => {
  await max.close()
  await vk.close()
})

function maxBot() {
  const bot = max.addBot()
  return {
    channel: 'max' as const,
    token: bot.token,
    says: (text: string) => void max.customerSays(bot.token, anna, text),
    answers: () => max.sent.filter(({ bot: by }) => by === bot.userId).length,
  }
}

function vkCommunity() {
  const { groupId, token } = vk.addCommunity()
  return {
    channel: 'vk' as const,
    token,
    says: (text: string) => void vk.customerSays(groupId, { id: 4001, name: 'Anna Smirnova' }, text),
    answers: () => vk.sent.filter((message) => message.groupId === groupId).length,
  }
}

it.each([
  ['MAX', maxBot],
  ['VK', vkCommunity],
])(
  '%s: messages from before the first poll reach another server, though the one that connected is gone',
  async (_, open) => {
    const account = open()
    const database = await openTestDatabase()
    const config = { maxApiUrl: max.url, vkApiUrl: vk.url, appSecret: 'the same at both starts, and long enough' }
    const pollerLock = await acquireLock(database.database, 'poller', new AbortController().signal)
    const first = await startApp({ database, config, overrides })
    const owner = await first.signUp()
    const { _id: agentId } = await owner.http.mutation(api.agents.create, { name: 'Helper', model: EXTRACTIVE_MODEL })
    const { channel, token } = account
    const made: ChannelConnection = await owner.http.action(api.channels.messengers.provision, {
      agentId,
      channel,
      entered: { token },
    })
    expect(made).toMatchObject({ status: 'connected', delivery: 'polling' })
    account.says('Hello')
    account.says('Is anybody there?')
    await first.close()
    await pollerLock.release()
    const second = await startApp({ database, config, overrides })
    const heard = () =>
      database.database.system('test: what was heard', (db) =>
        db.selectFrom('messages').where('author', '=', 'customer').select('text').orderBy('sequence').execute(),
      )
    await expect.poll(heard, { timeout: 20_000 }).toEqual([{ text: 'Hello' }, { text: 'Is anybody there?' }])
    await expect.poll(account.answers, { timeout: 20_000 }).toBeGreaterThan(0)
    await second.settle()
    await second.close()
    await database.close()
  },
)

it.each([
  ['MAX', maxBot],
  ['VK', vkCommunity],
])('%s: is polled by another server when the connecting one crashed before it was done', async (_, open) => {
  const account = open()
  const database = await openTestDatabase()
  const config = { maxApiUrl: max.url, vkApiUrl: vk.url, appSecret: 'the same at both starts, and long enough' }
  const pollerLock = await acquireLock(database.database, 'poller', new AbortController().signal)
  const first = await startApp({ database, config, overrides })
  const owner = await first.signUp()
  const { _id: agentId } = await owner.http.mutation(api.agents.create, { name: 'Helper', model: EXTRACTIVE_MODEL })
  const { channel, token } = account
  await owner.http.action(api.channels.messengers.provision, { agentId, channel, entered: { token } })
  const { root } = database.database
  // The state after a server crashes between registering with the provider and recording it.
  const linkedAt = new Date(Date.now() - 3 * 60_000)
  const left = { status: 'pending', poll_offset: null, linked_at: linkedAt } as const
  await root.updateTable('channel_connections').set(left).execute()
  await first.close()
  await pollerLock.release()
  const second = await startApp({ database, config, overrides })
  const kept = () => root.selectFrom('channel_connections').select('status').executeTakeFirst()
  await expect.poll(async () => (await kept())?.status, { timeout: 20_000 }).toBe('connected')
  account.says('Is anybody there?')
  await expect.poll(account.answers, { timeout: 20_000 }).toBeGreaterThan(0)
  await second.settle()
  await second.close()
  await database.close()
})
