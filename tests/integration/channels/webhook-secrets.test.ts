// Who may deliver to a webhook: by the secret of this moment, and without learning whether a path exists.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WEBHOOK_MAX_BYTES } from '#shared/limits.ts'
import { type Shop, Stage } from '#tests/integration/situations/stage.ts'

let stage: Stage
let shop: Shop
let url: string
let secret: string

beforeAll(async () => {
  stage = await Stage.open()
  shop = await stage.openShop()
  const webhook = stage.telegram.bot(shop.token).webhook
  url = `${stage.app.url}${new URL(webhook?.url ?? '').pathname}`
  secret = webhook?.secret ?? ''
})
afterAll(() => stage.close())

const withSecret = (given: string) => ({ 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': given })

it('a changed secret holds at once, and the former one not at all', async () => {
  const post = async (given: string) => {
    const body = JSON.stringify(stage.telegram.textUpdate(shop.token, stage.newChat(), 'hi'))
    return (await fetch(url, { method: 'POST', headers: withSecret(given), body })).status
  }
  expect(await post(secret)).toBe(200)
  // As another server of the installation does it.
  const next = 'b'.repeat(43)
  const sealed = stage.app.services.secrets.encrypt(next, `channel_connections|${shop.connectionId}|webhook_secret`)
  const changed = stage.app.database.root.updateTable('channel_connections').set({ webhook_secret: sealed })
  await changed.where('id', '=', shop.connectionId).execute()
  expect([await post(secret), await post(next)]).toEqual([404, 200])
})

it.each([
  ['small', () => '{}'],
  ['large', () => 'x'.repeat(200_000)],
  ['too large', () => 'x'.repeat(WEBHOOK_MAX_BYTES + 1)],
  ['without a length', () => new Blob(['{}']).stream()],
])('a body that is %s is answered alike with a wrong secret and on a path that does not exist', async (_size, body) => {
  const answerTo = async (address: string) => {
    const stream = { duplex: 'half' } as object
    const answer = await fetch(address, {
      method: 'POST',
      headers: withSecret('a'.repeat(43)),
      body: body(),
      ...stream,
    })
    return [answer.status, answer.headers.get('connection'), await answer.text()]
  }
  expect(await answerTo(url)).toEqual(await answerTo(url.replace(/[^/]+$/, 'a'.repeat(43))))
})

it('an unknown path keeps the connection', async () => {
  const answer = await fetch(url.replace(/[^/]+$/, 'a'.repeat(43)), { method: 'POST', body: '{}' })
  expect(answer.headers.get('connection')).toBe('keep-alive')
})
