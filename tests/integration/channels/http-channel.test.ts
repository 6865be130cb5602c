// The HTTP channel through the whole server: a program's message is received once, its answer is shown once whatever happens to the
// requests, unsigned requests are rejected, and organizations are isolated.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { logAttempts } from '#server/domain/channels/health/delivery-attempts.store.ts'
import { rotated, secretsAmong } from '#server/integrations/channels/http-channel/http-channel.access.ts'
import { createOutbound } from '#server/integrations/http/outbound.ts'
import type { ChannelConnection, HttpSecrets } from '#shared/channels/channels.ts'
import { DELIVERY_LOG_MAX, DELIVERY_LOG_SHOWN, HTTP_SECRET_OVERLAP_MS } from '#shared/limits.ts'
import type { Conversation, Message } from '#shared/messaging/conversations.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeHttpProgram, headersFor, startFakeHttpProgram } from '#tests/fakes/http/http-channel.ts'

const PAGE = { paginationOpts: { numItems: 20, cursor: null } }
/** The id of a server that does not exist. */
const DEAD = 1_999_999_999

let app: TestApp
let person: Person
let program: FakeHttpProgram
let connection: ChannelConnection
let secrets: HttpSecrets
let chat = 1

beforeAll(async () => {
  program = await startFakeHttpProgram()
  app = await startApp({ overrides: { outbound: createOutbound({ isAllowed: () => true }) } })
  person = await app.signUp()
  const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper' })
  const made = await person.http.action(api.channels.http.provision, { agentId, name: 'Shop app', url: program.url })
  connection = made.connection
  secrets = made.secrets
  program.outboundSecret = secrets.outbound
})
afterAll(async () => {
  await app.close()
  await program.close()
})
afterEach(() => {
  chat++
  program.faults.length = 0
  program.beforeAnswer = undefined
})

const chatId = () => `chat-${chat}`
const message = (text = 'Hello') => ({ type: 'message', chatId: chatId(), sender: { name: 'Anna' }, text })
type Posting = { id?: string; at?: number; secret?: string; to?: string; signed?: string }

/** A request of the program; `signed`: the body that the signature covers, if different. */
async function post(event: unknown, { id, at, secret = secrets.inbound, to = connection._id, signed }: Posting = {}) {
  const body = typeof event === 'string' ? event : JSON.stringify(event)
  const headers = headersFor(secret, signed ?? body, { ...(id && { id }), ...(at && { at }) })
  const answer = await fetch(`${app.url}/api/channels/http/${to}/messages`, { method: 'POST', headers, body })
  return {
    status: answer.status,
    ...((await answer.json()) as { code?: string; status?: string; description?: string }),
  }
}

async function conversations(who = person): Promise<Conversation[]> {
  return (await who.http.query(api.conversations.list, PAGE)).page
}

async function messages(): Promise<Message[]> {
  const [conversation] = await conversations()
  if (!conversation) throw new Error('There is no conversation')
  return (await person.http.query(api.conversations.messages, { conversationId: conversation._id, ...PAGE })).page
}

const state = async () => (await person.http.query(api.channelConnections.list, {}))[0]
const log = () => person.http.query(api.channels.http.deliveries, { connectionId: connection._id })
const shown = () => program.textsTo(chatId())

/** Makes everything that waits due, and resolves when it is done. */
async function skipWaiting(): Promise<void> {
  await app.settle()
  await app.database.system('test: the wait is over', (db) =>
    db.updateTable('outbox').set({ not_before: sql`now()` }).where('status', '=', 'queued').execute(),
  )
  await app.settle()
}

/** Delivery state of the first answer in the chat after the program's receipt. */
async function deliveryAfter(status: 'delivered' | 'read' | 'failed') {
  const [sent] = program.requestsTo(chatId())
  expect(await post({ type: 'receipt', messageId: sent?.id, status })).toMatchObject({ status: 'accepted' })
  const { _id, ...delivery } = (await messages())[0]?.deliveries[0] ?? {}
  return delivery
}

describe('a new connection', () => {
  it('is pending until its program has accepted an event, and shows neither a secret nor the query of its URL', async () => {
    expect(connection).toMatchObject({
      channel: 'http',
      status: 'pending',
      identifier: 'Shop app',
      address: program.url,
    })
    expect(JSON.stringify(await state())).not.toContain(secrets.outbound.slice(6))
    const update = { connectionId: connection._id, name: 'App', url: `${program.url}?key=private` }
    const shownAs = { address: `${program.url}?…` }
    expect(await person.http.action(api.channels.http.update, update)).toMatchObject(shownAs)
    const kept = await person.http.action(api.channels.http.update, { ...update, url: `${program.url}?…` })
    expect(kept).toMatchObject(shownAs)
    const bare = await person.http.action(api.channels.http.update, { ...update, url: program.url })
    expect(bare).toMatchObject({ address: program.url })
    expect(await person.http.action(api.channels.http.test, { connectionId: connection._id })).toEqual({
      outcome: 'sent',
      httpStatus: 204,
      reason: null,
    })
    expect(program.requests.at(-1)).toMatchObject({ type: 'test' })
    expect(await state()).toMatchObject({ status: 'connected', identifier: 'App', lastError: null })
    expect(await log()).toMatchObject([{ outcome: 'sent', httpStatus: 204, conversationId: null, resendId: null }])
  })
})

describe('a message that a program posts', () => {
  it('is answered once, however often it comes', async () => {
    const id = randomUUID()
    const answers = await Promise.all([post(message(), { id }), post(message(), { id }), post(message(), { id })])
    expect(answers.map(({ status }) => status).sort()).toEqual(['accepted', 'duplicate', 'duplicate'])
    await app.settle()
    expect(shown()).toHaveLength(1)
    expect((await messages()).map(({ author }) => author)).toEqual(['agent', 'customer'])
    expect((await conversations())[0]).toMatchObject({ channel: 'http', customer: { name: 'Anna' } })
    expect((await log())[0]).toMatchObject({
      outcome: 'sent',
      attempt: 1,
      conversationId: (await conversations())[0]?._id,
    })
  })

  it('brings attachments by their addresses', async () => {
    const attachments = [{ url: 'https://files.example/a.png', mimeType: 'image/png', name: 'a.png' }]
    expect(await post({ ...message(''), attachments })).toMatchObject({ status: 'accepted' })
    await app.settle()
    expect((await messages()).find(({ author }) => author === 'customer')?.attachments).toMatchObject([
      { kind: 'image', name: 'a.png' },
    ])
  })

  it.each([
    ['a body that is no JSON', 'hello', 'the body is no JSON'],
    ['no chat', { ...message(), chatId: undefined }, 'chatId'],
    ['nothing in it', message('  '), 'text'],
    [
      'an attachment of another host',
      { ...message(), attachments: [{ url: 'file:///etc/passwd' }] },
      'attachments.0.url',
    ],
    ['another type', { type: 'telepathy' }, 'type'],
  ])('with %s is refused with its position, and can be posted again corrected', async (_, event, description) => {
    const id = randomUUID()
    const answer = await post(event, { id })
    expect(answer).toMatchObject({
      status: 400,
      code: 'body_invalid',
      description: expect.stringContaining(description),
    })
    expect(await post(message(), { id })).toMatchObject({ status: 'accepted' })
    await app.settle()
  })

  it('is rejected with a wrong, old, early, missing or moved signature, or for another connection', async () => {
    const invalid = { status: 401, code: 'signature_invalid' }
    const late = { status: 401, code: 'timestamp_out_of_range' }
    const before = program.requests.length
    expect(await post(message(), { secret: secrets.outbound })).toEqual(invalid)
    expect(await post(message('Forged'), { signed: JSON.stringify(message()) })).toEqual(invalid)
    expect(await post(message(), { to: 'a'.repeat(32) as ChannelConnection['_id'] })).toEqual(invalid)
    expect(await post(message(), { at: Date.now() - 600_000 })).toEqual(late)
    expect(await post(message(), { at: Date.now() + 600_000 })).toEqual(late) // far enough ahead that it does not become valid in transit
    const bare = await fetch(`${app.url}/api/channels/http/${connection._id}/messages`, { method: 'POST', body: '{}' })
    expect([bare.status, await bare.json()]).toEqual([401, { code: 'signature_missing' }])
    await app.settle()
    expect(program.requests).toHaveLength(before)
  })

  it('that is signed with another secret is reported on the connection until one is accepted', async () => {
    await post(message(), { secret: secrets.outbound })
    await expect.poll(state).toMatchObject({ status: 'connected', signatureRejectedAt: expect.any(Number) })
    await post(message())
    await expect.poll(state).toMatchObject({ signatureRejectedAt: null })
    await fetch(`${app.url}/api/channels/http/${connection._id}/messages`, { method: 'POST', body: '{}' })
    await post(message())
    await app.settle()
    const health = () => person.http.query(api.channelConnections.health, { connectionId: connection._id })
    await expect.poll(health).toMatchObject({ webhookMs: expect.any(Number) })
    expect(await state()).toMatchObject({ signatureRejectedAt: null })
  })

  it('by a person of the program silences the agent', async () => {
    await post(message())
    await app.settle()
    expect(await post({ type: 'message', author: 'human', chatId: chatId(), text: 'Boris here' })).toMatchObject({
      status: 'accepted',
    })
    expect((await conversations())[0]).toMatchObject({ status: 'paused', pauseReason: 'operator_elsewhere' })
    await post(message('Hello, Boris'))
    await app.settle()
    expect(shown()).toHaveLength(1)
  })
})

describe('an answer', () => {
  it('that may have arrived is sent again and shown once, before any later one', async () => {
    program.faults.push('cut', { status: 503 }, 'cut')
    await post(message('One'))
    await app.settle()
    await post(message('Two'))
    for (let tries = 0; tries < 3; tries++) await skipWaiting()
    const ids = program.requestsTo(chatId()).map(({ id }) => id)
    expect(ids.map((id) => id === ids[0])).toEqual([true, true, true, true, false])
    expect(shown()).toHaveLength(2)
    const outcomes = (await log()).slice(0, 5).map(({ outcome, httpStatus }) => [outcome, httpStatus])
    expect(outcomes).toEqual([
      ['sent', 204],
      ['sent', 204],
      ['queued', null],
      ['queued', 503],
      ['queued', null],
    ])
    expect(await state()).toMatchObject({ status: 'connected', lastError: null })
  })

  it('that may have arrived when a person takes over is unknown, not failed', async () => {
    program.faults.push('cut', { status: 503 })
    await post(message())
    await skipWaiting()
    const [conversation] = await conversations()
    await person.http.mutation(api.conversations.pause, { conversationId: conversation?._id as Conversation['_id'] })
    await skipWaiting()
    expect((await messages())[0]?.deliveries).toMatchObject([{ status: 'unknown' }])
    expect(program.requestsTo(chatId())).toHaveLength(2)
  })

  it('that may have arrived counts as sent once the program confirms it: it is neither unknown nor sent again', async () => {
    program.faults.push('cut', { status: 503 })
    await post(message())
    await app.settle()
    expect(await deliveryAfter('delivered')).toEqual({ status: 'delivered', error: null, waitsUntil: null })
    await skipWaiting()
    expect(program.requestsTo(chatId())).toHaveLength(1)
    chat++
    program.faults.splice(0, 9, 'cut')
    await post(message())
    await app.settle()
    const conversation = (await conversations())[0]?._id as Conversation['_id']
    await person.http.mutation(api.conversations.pause, { conversationId: conversation })
    expect((await messages())[0]?.deliveries).toMatchObject([{ status: 'unknown' }])
    expect(await deliveryAfter('read')).toMatchObject({ status: 'read', error: null })
  })

  it('that a crashed server was sending is sent again by another, under the same id', async () => {
    await post(message())
    await app.settle()
    await app.database.system('test: as a server left it', (db) =>
      db
        .updateTable('outbox')
        .set({ status: 'sending', owner: DEAD, lease_until: new Date(Date.now() + 30_000) })
        .where('external_chat_id', '=', chatId())
        .execute(),
    )
    await app.settle()
    await program.waitFor(() => program.requestsTo(chatId()).length === 2)
    await app.settle()
    expect(shown()).toHaveLength(1)
    expect((await messages())[0]?.deliveries).toMatchObject([{ status: 'sent' }])
  })

  it('that a crashed server was sending is not sent again when a person paused the agent meanwhile', async () => {
    await post(message())
    await app.settle()
    await app.database.system('test: as a server left it', (db) =>
      db
        .updateTable('outbox')
        .set({ status: 'sending', error: 'paused', owner: DEAD, lease_until: new Date(0) })
        .where('external_chat_id', '=', chatId())
        .execute(),
    )
    await app.settle()
    expect((await messages())[0]?.deliveries).toMatchObject([{ status: 'unknown' }])
    expect(program.requestsTo(chatId())).toHaveLength(1)
  })

  it('waits as long as the program says', async () => {
    program.faults.push({ status: 429, headers: { 'retry-after': '600' } })
    const before = Date.now()
    await post(message())
    await app.settle()
    const part = await app.database.system('test: look', (db) =>
      db
        .selectFrom('outbox')
        .where('external_chat_id', '=', chatId())
        .select(['status', 'not_before'])
        .executeTakeFirst(),
    )
    expect(part?.status).toBe('queued')
    expect(part?.not_before.getTime()).toBeGreaterThanOrEqual(before + 600_000)
    await skipWaiting()
    expect(shown()).toHaveLength(1)
  })

  it('that the program defers repeatedly fails in the end, and the next one is sent', async () => {
    program.faults.push({ status: 429, headers: { 'retry-after': '1' } }, { status: 429 })
    await post(message('One'))
    await app.settle()
    await app.database.system('test: two hours later', (db) =>
      db
        .updateTable('outbox')
        .set({ first_tried_at: sql`now() - interval '2 hours'`, not_before: sql`now()` })
        .where('external_chat_id', '=', chatId())
        .execute(),
    )
    await app.settle()
    expect((await messages())[0]?.deliveries).toMatchObject([{ status: 'failed', error: 'rate_limited: answered 429' }])
    await post(message('Two'))
    await app.settle()
    expect(shown()).toHaveLength(1)
  })

  it('that is refused permanently fails, with the status in the log, and is sent again on demand', async () => {
    program.faults.push({ status: 410 })
    await post(message())
    await app.settle()
    const [attempt] = await log()
    expect(attempt).toMatchObject({ outcome: 'failed', httpStatus: 410, reason: 'permanent: answered 410' })
    expect(await state()).toMatchObject({ lastError: 'permanent: answered 410' })
    if (!attempt?.resendId) throw new Error('There is nothing to send again')
    await person.http.mutation(api.conversations.resend, { outboxId: attempt.resendId })
    await app.settle()
    expect(shown()).toHaveLength(1)
    expect((await log()).slice(0, 2).map(({ resendId }) => resendId)).toEqual([null, null])
  })

  it('that the program reports as failed afterwards is failed, with the reason', async () => {
    await post(message())
    await app.settle()
    const [sent] = program.requestsTo(chatId())
    await post({ type: 'receipt', messageId: sent?.id, status: 'failed', reason: 'unknown customer' })
    expect((await messages())[0]?.deliveries).toMatchObject([
      { status: 'failed', error: 'undelivered: unknown customer' },
    ])
  })

  it('that was read stays read, even if a receipt then reports it as delivered or failed', async () => {
    await post(message())
    await app.settle()
    expect(await deliveryAfter('delivered')).toMatchObject({ status: 'delivered', error: null })
    expect(await deliveryAfter('read')).toMatchObject({ status: 'read', error: null })
    expect(await deliveryAfter('delivered')).toMatchObject({ status: 'read', error: null })
    expect(await deliveryAfter('failed')).toMatchObject({ status: 'read', error: null })
  })

  it('that arrived after a failure receipt is not sent again', async () => {
    await post(message())
    await app.settle()
    expect(await deliveryAfter('failed')).toMatchObject({ status: 'failed', error: 'undelivered' })
    expect(await deliveryAfter('delivered')).toMatchObject({ status: 'delivered', error: null })
  })

  it('counts as read when the receipt comes before the program has answered the event', async () => {
    program.beforeAnswer = async ({ id }) => {
      await post({ type: 'receipt', messageId: id, status: 'read' })
      await post({ type: 'receipt', messageId: id, status: 'delivered' })
    }
    await post(message())
    await app.settle()
    expect((await messages())[0]?.deliveries).toMatchObject([{ status: 'read' }])
    const kept = await app.database.system('test: look', (db) =>
      db.selectFrom('early_receipts').select('external_message_id').execute(),
    )
    expect(kept).toEqual([])
  })

  it('is logged among the last attempts only', async () => {
    const row = {
      organizationId: person.organization._id,
      connectionId: connection._id,
      outboxId: null,
      attempt: 1,
      begunAt: new Date(),
    }
    await app.database.system('test: many attempts', (db) =>
      logAttempts(
        { db },
        Array.from({ length: DELIVERY_LOG_MAX + 20 }, () => ({
          ...row,
          outcome: 'sent',
          httpStatus: 200,
          latencyMs: 1,
          reason: null,
        })),
      ),
    )
    expect(await log()).toHaveLength(DELIVERY_LOG_SHOWN)
    const kept = await app.database.system('test: look', (db) =>
      db.selectFrom('delivery_attempts').select('id').execute(),
    )
    expect(kept).toHaveLength(DELIVERY_LOG_MAX)
  })
})

describe('a secret that is replaced', () => {
  it('stays valid for a day along with the new one, in both directions', async () => {
    const rotate = (direction: 'inbound' | 'outbound') =>
      person.http.action(api.channels.http.rotateSecret, { connectionId: connection._id, direction })
    const { secret } = await rotate('inbound')
    expect(await post(message())).toMatchObject({ status: 'accepted' })
    expect(await post(message(), { secret })).toMatchObject({ status: 'accepted' })
    const outbound = await rotate('outbound')
    await app.settle()
    expect(shown().length).toBeGreaterThan(0) // the program verified it with the former secret
    program.outboundSecret = outbound.secret
    await post(message(), { secret })
    await app.settle()
    const old = rotated(secrets.inbound, secret, Date.now() - HTTP_SECRET_OVERLAP_MS)
    expect(secretsAmong(old, Date.now())).toEqual([secret])
    const twice = rotated(rotated('first', 'second', Date.now()), 'third', Date.now())
    expect(secretsAmong(twice, Date.now())).toEqual(['third', 'second', 'first'])
    secrets = { inbound: secret, outbound: outbound.secret }
    expect(await person.http.action(api.channels.http.test, { connectionId: connection._id })).toMatchObject({
      outcome: 'sent',
    })
  })
})

describe('the example of docs/http-channel.md', () => {
  it('posts the typed text, and shows the answer once', async () => {
    const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'For the example' })
    const made = await person.http.action(api.channels.http.provision, { agentId, name: 'Example', url: program.url })
    const { _id: connectionId } = made.connection
    const file = new URL('../../../docs/examples/http-channel.mjs', import.meta.url)
    const example = spawn(process.execPath, [fileURLToPath(file)], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        PARLEY_ADDRESS: `${app.url}/api/channels/http/${connectionId}/messages`,
        INBOUND_SECRET: made.secrets.inbound,
        OUTBOUND_SECRET: made.secrets.outbound,
        PORT: '0',
      },
    })
    const lines = createInterface({ input: example.stdout })[Symbol.asyncIterator]()
    const next = async () => String((await lines.next()).value)
    try {
      const port = /^listening on (\d+)$/.exec(await next())?.[1]
      const moved = { connectionId, name: 'Example', url: `http://127.0.0.1:${port}/` }
      await person.http.action(api.channels.http.update, moved)
      expect(await person.http.action(api.channels.http.test, { connectionId })).toMatchObject({ httpStatus: 204 })
      example.stdin.write('Hello\n')
      expect(await next()).toMatch(/^demo < ./)
    } finally {
      example.kill()
    }
  })
})

describe('another organization', () => {
  it('can neither post with its own secret nor look, replace or test', async () => {
    const stranger = await app.signUp()
    const { _id: agentId } = await stranger.http.mutation(api.agents.create, { name: 'Other' })
    const given = { agentId, name: 'Other', url: program.url }
    const own = await stranger.http.action(api.channels.http.provision, given)
    expect(await post(message(), { secret: own.secrets.inbound })).toMatchObject({ code: 'signature_invalid' })
    const args = { connectionId: connection._id }
    for (const call of [
      () => stranger.http.query(api.channels.http.deliveries, args),
      () => stranger.http.action(api.channels.http.test, args),
      () => stranger.http.action(api.channels.http.rotateSecret, { ...args, direction: 'inbound' }),
      () => stranger.http.action(api.channels.http.disconnect, args),
    ]) {
      await expect(call()).rejects.toMatchObject({ data: { code: 'not_found' } })
    }
    expect(await post(message(), { secret: own.secrets.inbound, to: own.connection._id })).toMatchObject({
      status: 'accepted',
    })
    await app.settle()
    expect((await conversations()).some(({ agentId: other }) => other === agentId)).toBe(false)
  })
})

describe('a deleted connection', () => {
  it('is reported as gone to correctly signed requests only', async () => {
    await person.http.action(api.channels.http.disconnect, { connectionId: connection._id })
    expect(await post(message())).toEqual({ status: 410, code: 'connection_disconnected' })
    expect(await post(message(), { secret: secrets.outbound })).toEqual({ status: 401, code: 'signature_invalid' })
  })
})
