// A program that is slow to accept every event: it delays the conversations of its own connection, and no others.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOutbound } from '#server/integrations/http/outbound.ts'
import { api, startApp, type TestApp } from '#tests/app.ts'
import { type FakeHttpProgram, headersFor, startFakeHttpProgram } from '#tests/fakes/http/http-channel.ts'

/** More than the concurrent sends of a server. */
const CHATS = 64
const SLOW_MS = 10_000

let app: TestApp
const programs: FakeHttpProgram[] = []

beforeAll(async () => {
  app = await startApp({ overrides: { outbound: createOutbound({ isAllowed: () => true }) } })
})
afterAll(async () => {
  await app.close()
  for (const program of programs) await program.close()
})

/** A program of an organization of its own, and how its customers write. */
async function connect() {
  const program = await startFakeHttpProgram()
  programs.push(program)
  const person = await app.signUp()
  const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper' })
  const made = await person.http.action(api.channels.http.provision, { agentId, name: 'Shop', url: program.url })
  program.outboundSecret = made.secrets.outbound
  const write = async (chatId: string) => {
    const body = JSON.stringify({ type: 'message', chatId, sender: { name: 'Anna' }, text: 'Hello' })
    const headers = headersFor(made.secrets.inbound, body)
    const answer = await fetch(`${app.url}/api/channels/http/${made.connection._id}/messages`, {
      method: 'POST',
      headers,
      body,
    })
    expect(answer.status).toBe(202)
  }
  return { program, write }
}

it('does not delay the customers of another organization', async () => {
  const [slow, quick] = [await connect(), await connect()]
  slow.program.beforeAnswer = async () => sleep(SLOW_MS)
  await Promise.all(Array.from({ length: CHATS }, (_, chat) => slow.write(`slow-${chat}`)))
  await expect.poll(() => slow.program.requests.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(16)
  await sleep(1000)
  const begunAt = performance.now()
  await quick.write('quick')
  await quick.program.waitFor(() => quick.program.textsTo('quick').length === 1)
  const took = performance.now() - begunAt
  expect(took).toBeLessThan(SLOW_MS / 2)
})
