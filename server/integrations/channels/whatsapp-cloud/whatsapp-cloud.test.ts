// What the Cloud API has beyond the contract of channels: choices of every length, typing, voice, its errors, and files at foreign hosts.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { failure } from '#tests/channel-stages.ts'
import { type FakeNumber, startFakeWhatsappCloud } from '#tests/fakes/whatsapp-cloud/whatsapp-cloud.ts'
import { cloudToken } from './whatsapp-cloud.access.ts'
import { createWhatsappCloudChannel } from './whatsapp-cloud.ts'

const CHAT = '77001234567'
const signal = new AbortController().signal
const cloud = await startFakeWhatsappCloud()
const adapter = createWhatsappCloudChannel({ graphUrl: cloud.graphUrl, callTimeoutMs: 500 })
let number: FakeNumber
const credentials = () => ({ token: cloudToken({ ...number, verifyToken: 'verify' }), webhookSecret: number.appSecret })

beforeAll(() => {
  number = cloud.addNumber()
})
beforeEach(() => {
  cloud.sent = []
  cloud.faults.refusals = []
  number.heardAt.set(CHAT, Date.now())
})
afterAll(() => cloud.close())

describe('choices', () => {
  it.each([
    ['few and short', 'Shall we?', ['Yes', 'No'], 'interactive'],
    ['many', 'Which?', Array.from({ length: 8 }, (_, index) => `Coffee ${index}`), 'interactive'],
    ['long', 'Which?', ['A large coffee with milk', 'A large coffee with oat milk'], 'interactive'],
    ['below a long text', 'x'.repeat(4096), ['Yes', 'No'], 'interactive'],
  ])('are shown that are %s, each whole in its id', async (_, text, choices, type) => {
    await adapter.send(credentials(), CHAT, text, 'part', { choices })
    expect(cloud.sent).toMatchObject([{ type, text, choices: choices.map((choice) => ({ id: `choice:${choice}` })) }])
  })
})

it('typing is shown below the message that is answered, which is shown as read', async () => {
  await adapter.showTyping(credentials(), CHAT, 'wamid.1')
  await adapter.showTyping(credentials(), CHAT, null)
  expect({ read: cloud.read, typing: cloud.typing }).toEqual({ read: ['wamid.1'], typing: ['wamid.1'] })
})

it.each([
  [190, 'unauthorized', 401],
  [200, 'unauthorized', 403],
  [130429, 'rate_limited', 400],
  [131056, 'rate_limited', 400],
  [80007, 'rate_limited', 400],
  [131047, 'out_of_window', 400],
  [131026, 'blocked', 400],
  [368, 'suspended', 400],
  [131031, 'suspended', 400],
  [100, 'permanent', 400],
  [131000, 'unknown_outcome', 500],
  [131016, 'unknown_outcome', 503],
])('error %s is understood as %s', async (code, kind, status) => {
  cloud.faults.refusals = [{ status, code }]
  const error = await failure(adapter.send(credentials(), CHAT, 'Hello', 'part'))
  expect(error.kind).toBe(kind)
  expect(error.retryAfterMs).toBe(code === 131056 ? 6000 : null)
})

it.each([131049, 131050, 130472])(
  'advertising that is kept from a customer (%s) says nothing of the customer',
  async (code) => {
    cloud.faults.refusals = [{ status: 400, code }]
    const error = await failure(adapter.send(credentials(), CHAT, 'Buy', 'part'))
    expect([error.kind, error.message]).toEqual(['permanent', `advertising: ${code} refused by the test`])
  },
)

it('a customer who has been silent for a day is refused', async () => {
  cloud.lapse(number.phoneNumberId, CHAT)
  expect((await failure(adapter.send(credentials(), CHAT, 'Hello', 'part'))).kind).toBe('out_of_window')
})

describe('a file', () => {
  it('is shown as a picture, a recording or a document, as its type allows', async () => {
    const bytes = Buffer.from('bytes')
    for (const mimeType of ['image/png', 'image/webp', 'audio/mpeg', null]) {
      await adapter.media?.sendFile?.(credentials(), CHAT, { kind: 'document', name: 'a.bin', mimeType, bytes }, 'part')
    }
    await adapter.media?.sendVoice?.(credentials(), CHAT, bytes, 'part1')
    expect(cloud.sent.map(({ type }) => type)).toEqual(['image', 'document', 'audio', 'document', 'audio'])
  })

  it('of unknown fate when it was stored and the message was cut off', async () => {
    cloud.faults.answersToDrop = 1
    const file = { kind: 'image', name: 'a.png', mimeType: 'image/png', bytes: Buffer.from('bytes') } as const
    const sent = adapter.media?.sendFile?.(credentials(), CHAT, file, 'part')
    expect((await failure(sent ?? Promise.resolve())).kind).toBe('unknown_outcome')
  })

  it('at a foreign address is not requested: the token is sent to no other host', async () => {
    const asked: (string | undefined)[] = []
    const server = http.createServer((request, response) => {
      asked.push(request.headers.authorization)
      response.end('file')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const foreign = `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`
    const graph = http.createServer((_, response) => response.end(JSON.stringify({ url: foreign })))
    await new Promise<void>((resolve) => graph.listen(0, '127.0.0.1', resolve))
    const graphUrl = `http://127.0.0.1:${(graph.address() as AddressInfo).port}`
    const { media } = createWhatsappCloudChannel({ graphUrl })
    const error = await failure(media?.download(credentials(), '77', 1000, signal) ?? Promise.resolve())
    expect([error.kind, asked]).toEqual(['permanent', []])
    for (const each of [server, graph]) {
      each.closeAllConnections()
      each.close()
    }
  })
})

it('a number is of its account on whatever page it stands', async () => {
  const { accountId, accessToken, appSecret } = number
  const siblings = Array.from({ length: 4 }, () => cloud.addNumber({ accountId, accessToken, appSecret }))
  for (const { phoneNumberId } of siblings) {
    const token = cloudToken({ phoneNumberId, accountId, accessToken, verifyToken: 'verify' })
    expect(await adapter.number.check({ token, webhookSecret: appSecret })).toBeNull()
  }
  const { phoneNumberId } = cloud.addNumber({ accessToken, appSecret })
  const token = cloudToken({ phoneNumberId, accountId, accessToken, verifyToken: 'verify' })
  expect(await adapter.number.check({ token, webhookSecret: appSecret })).toBe('number')
})

it('all templates that need only words are listed, over as many pages as there are', async () => {
  const one = (name: string, more: object[] = []) => ({
    ...{ name, language: 'ru', status: 'APPROVED', category: 'UTILITY' },
    components: [{ type: 'BODY', text: 'Hello {{customer}}' }, ...more],
  })
  number.templates = [one('a'), one('b', [{ type: 'CAROUSEL' }]), one('c'), one('d'), one('e')]
  const listed = await adapter.templates.list(credentials())
  expect(listed.map(({ name }) => name)).toEqual(['a', 'c', 'd', 'e'])
  expect(listed[0]?.places).toEqual([{ in: 'body', key: 'customer' }])
  number.heardAt.clear()
  const words = [{ in: 'body', key: 'customer', text: 'Anna' } as const]
  await adapter.templates.send(credentials(), CHAT, { name: 'e', language: 'ru', words }, 'part')
  expect(cloud.sent).toMatchObject([{ template: { name: 'e', words: ['Anna'] } }])
})
