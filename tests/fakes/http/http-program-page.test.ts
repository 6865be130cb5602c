// The example program of the demonstration: connected by pasting what the setup gives to copy, and kept over a restart.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { listenOnLoopback } from '#tests/loopback.ts'
import { headersFor } from './http-channel.ts'
import { startProgramPage } from './http-program-page.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'parley-program-'))
const file = path.join(folder, 'data', 'program.json')
const inbound = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const outbound = `whsec_${Buffer.alloc(32, 2).toString('base64')}`
const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
  rmSync(folder, { recursive: true, force: true })
})

async function startPage() {
  const page = await startProgramPage({ port: 0, programPort: 0, host: 'program.example', file })
  closing.push(page.close)
  return page
}

const post = (base: string, at: string, body: object) =>
  fetch(new URL(at, base), { method: 'POST', body: JSON.stringify(body) })
const stateOf = async (base: string) => (await fetch(new URL('/state?chat=order-1', base))).json()

it('posts and shows by the secrets that were pasted, also after a restart', async () => {
  const posted: unknown[] = []
  const parley = await listenOnLoopback(async (request) => {
    posted.push(await request.json())
    return Response.json({ status: 'accepted' }, { status: 202 })
  })
  closing.push(parley.close)
  const page = await startPage()
  expect(await stateOf(page.url)).toMatchObject({ connectedTo: null, isTested: false, messages: [] })
  expect((await post(page.url, '/connect', { text: `INBOUND_SECRET=${inbound}` })).status).toBe(400)
  const pasted = `PARLEY_ADDRESS=${parley.url}/messages\nINBOUND_SECRET=${inbound}\nOUTBOUND_SECRET=${outbound}\n`
  expect((await post(page.url, '/connect', { text: pasted })).status).toBe(200)

  const again = await startPage()
  const response = await post(again.url, '/say?chat=order-1', { text: 'Hello', name: 'Anna' })
  expect(await response.json()).toEqual({ refusal: null })
  expect(posted).toEqual([{ type: 'message', chatId: 'order-1', sender: { name: 'Anna' }, text: 'Hello' }])

  const program = `http://127.0.0.1:${new URL(again.address).port}/parley`
  const body = JSON.stringify({ type: 'message', chatId: 'order-1', text: 'Good day' })
  const event = { method: 'POST', headers: headersFor(outbound, body, { id: 'one' }), body }
  expect([(await fetch(program, event)).status, (await fetch(program, event)).status]).toEqual([204, 204])
  expect(await stateOf(again.url)).toMatchObject({ messages: [{ from: 'me' }, { from: 'agent', text: 'Good day' }] })
})
