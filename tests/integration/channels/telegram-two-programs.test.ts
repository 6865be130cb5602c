// Two programs poll one Telegram bot: each receives some of the messages, and members must be notified.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'

let telegram: FakeTelegram
let app: TestApp
let person: Person
beforeAll(async () => {
  telegram = await startFakeTelegram()
  app = await startApp({ telegram })
  person = await app.signUp()
})
afterAll(async () => {
  await app.close()
  await telegram.close()
})

/** Polls repeatedly, as another program would. */
async function askAsWell(token: string, signal: AbortSignal): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify({ timeout: 20 }), signal }
  while (!signal.aborted) {
    await fetch(`${telegram.url}/bot${token}/getUpdates`, request).catch(() => undefined)
    await sleep(300)
  }
}

describe('a bot that another program polls as well', () => {
  it('reports it for as long as that goes on, and no longer', async () => {
    const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper' })
    const { token: botToken } = telegram.addBot()
    await person.http.action(api.channels.telegram.provision, { agentId, botToken })
    await telegram.waitFor(() => telegram.bot(botToken).poller !== null, 'the bot to be asked')
    const shown: (string | null)[] = []
    const stop = person.live().onUpdate(api.channelConnections.list, {}, (all) => {
      shown.push(all[0]?.lastError ?? null)
    })
    const other = new AbortController()
    const asking = askAsWell(botToken, other.signal)
    await expect.poll(() => shown.at(-1), { timeout: 30_000 }).toContain('409')
    shown.length = 0
    await sleep(6000)
    expect(shown).not.toContain(null)
    other.abort()
    await asking
    await telegram.waitFor(() => telegram.bot(botToken).poller !== null, 'the bot to be asked')
    telegram.customerSays(botToken, 77, 'Hello')
    await telegram.waitForSent(77)
    await expect.poll(() => shown.at(-1), { timeout: 30_000 }).toBeNull()
    stop()
  })
})
