// What Instagram has beyond the contract of channels: choices of every length, its errors, what may be sent as a file, tokens that run out.
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { OutgoingFile } from '#server/integrations/channels/contract/channel.media.ts'
import { createOutbound } from '#server/integrations/http/outbound.ts'
import { failure } from '#tests/channel-stages.ts'
import { NO_INSTAGRAM_FAULTS, startFakeInstagram } from '#tests/fakes/instagram/instagram.ts'
import { INSTAGRAM_VERSION as version } from '#tests/fakes/instagram/instagram-methods.ts'
import { instagramToken, readInstagramAccess } from './instagram.access.ts'
import { createInstagramChannel } from './instagram.ts'

const DAY_MS = 24 * 3_600_000
const anna = { id: '4242424242', name: 'Anna', username: 'anna.coffee' }
const instagram = await startFakeInstagram()
const account = instagram.addAccount()
const links: OutgoingFile[] = []
const adapter = createInstagramChannel({
  url: instagram.origin,
  version,
  outbound: createOutbound({ isAllowed: () => true }),
  linkTo: (file) => {
    links.push(file)
    return instagram.addFile(file.name, file.bytes)
  },
  callTimeoutMs: 500,
})
const tokenOf = (renewAt = 0) => instagramToken({ accessToken: account.accessToken, verifyToken: 'verify', renewAt })
const credentials = () => ({ token: tokenOf(), webhookSecret: account.app.secret, accountId: account.userId })

beforeEach(() => {
  instagram.sent = []
  links.length = 0
  instagram.faults = { ...NO_INSTAGRAM_FAULTS, refusals: [] }
  instagram.message(account.userId, anna, { text: 'Hello' })
})
afterAll(() => instagram.close())

it('choices are shown as buttons, each whole behind its title', async () => {
  const choices = ['Yes', 'A large coffee with oat milk', '👍'.repeat(16)]
  await adapter.send(credentials(), anna.id, 'Well?', 'part', { choices })
  const [message] = instagram.sent
  expect(message?.quickReplies.map(({ payload }) => payload)).toEqual(choices.map((choice) => `choice:${choice}`))
  expect(message?.quickReplies[0]?.title).toBe('Yes')
  expect(message?.quickReplies[1]?.title).toBe('A large coffee with…')
  for (const { title } of message?.quickReplies ?? []) {
    expect([title.length <= 20, title.isWellFormed(), title.includes('\uFFFD')]).toEqual([true, true, false])
  }
})

it('a text of other letters than English ones is taken up to its bytes', async () => {
  await adapter.send(credentials(), anna.id, 'ы'.repeat(500), 'part')
  const error = await failure(adapter.send(credentials(), anna.id, 'ы'.repeat(501), 'part'))
  expect([error.kind, instagram.sent.length]).toEqual(['permanent', 1])
})

it('typing is shown to a customer who has written, and never fails', async () => {
  await adapter.showTyping(credentials(), anna.id)
  await adapter.showTyping(credentials(), '1')
  expect(instagram.typing).toEqual([anna.id])
})

describe('a refusal', () => {
  it.each([
    [401, 190, undefined, 'unauthorized'],
    [400, 10, undefined, 'unauthorized'],
    [403, 200, undefined, 'unauthorized'],
    [400, 10, 2534022, 'out_of_window'],
    [400, 10, 2018278, 'out_of_window'],
    [400, 4, undefined, 'rate_limited'],
    [400, 17, undefined, 'rate_limited'],
    [400, 32, undefined, 'rate_limited'],
    [400, 613, undefined, 'rate_limited'],
    [400, 80_002, undefined, 'rate_limited'],
    [429, 100, undefined, 'rate_limited'],
    [400, 551, undefined, 'blocked'],
    [400, 100, 2018001, 'blocked'],
    [400, 100, 2534014, 'blocked'],
    [400, 200, 1545041, 'blocked'],
    [400, 368, undefined, 'suspended'],
    [400, 100, undefined, 'permanent'],
    [400, 1, 99, 'unknown_outcome'],
    [400, 2, undefined, 'unknown_outcome'],
    [400, 1200, undefined, 'unknown_outcome'],
    [500, 2, undefined, 'unknown_outcome'],
    [503, 4, undefined, 'unknown_outcome'],
  ])('with status %s and numbers %s/%s is understood as %s', async (status, code, subcode, kind) => {
    instagram.faults.refusals = [{ status, code, ...(subcode && { subcode }) }]
    const error = await failure(adapter.send(credentials(), anna.id, 'Hello', 'part'))
    expect(error.kind).toBe(kind)
    expect(error.message).toMatch(new RegExp(`^${subcode ? `${code}/${subcode}` : code} `))
    expect(instagram.sent).toEqual([])
  })

  it('of a text to a person who has never written blocks only that person', async () => {
    expect((await failure(adapter.send(credentials(), '777', 'Hello', 'part'))).kind).toBe('blocked')
  })
})

describe('a file', () => {
  const send = (file: Partial<OutgoingFile>) => {
    const given: OutgoingFile = { kind: 'document', name: 'a.bin', mimeType: null, bytes: Buffer.from('x'), ...file }
    return adapter.media?.sendFile?.(credentials(), anna.id, given, 'part') ?? Promise.reject(new Error('no files'))
  }

  it.each([
    ['text/plain', 100],
    ['application/zip', 100],
    ['image/png', 8 * 1024 * 1024 + 1],
  ])('of type %s and %s bytes is refused before anybody is given its address', async (mimeType, length) => {
    expect((await failure(send({ mimeType, bytes: Buffer.alloc(length) }))).kind).toBe('permanent')
    expect([links, instagram.sent]).toEqual([[], []])
  })

  it('is not sent from an installation without a public address', async () => {
    const alone = createInstagramChannel({
      ...{ url: instagram.origin, version, outbound: createOutbound() },
      linkTo: () => null,
    })
    const pdf = {
      kind: 'document' as const,
      name: 'a.pdf',
      mimeType: 'application/pdf',
      bytes: Buffer.from('%PDF-1.7'),
    }
    const sent = alone.media?.sendFile?.(credentials(), anna.id, pdf, 'part')
    expect((await failure(sent ?? Promise.resolve())).kind).toBe('permanent')
  })
})

describe('a token', () => {
  it('is renewed when its time has come, and not before', async () => {
    const before = account.accessToken
    account.tokenMadeAt = Date.now() - 3 * DAY_MS
    const now = Date.now()
    expect(await adapter.renewAccess?.({ ...credentials(), token: tokenOf(now + 1) }, now)).toBeNull()
    expect(account.accessToken).toBe(before)
    const renewed = await adapter.renewAccess?.({ ...credentials(), token: tokenOf(now) }, now)
    const access = readInstagramAccess(renewed?.token ?? '')
    expect(access).toMatchObject({ accessToken: account.accessToken, verifyToken: 'verify' })
    expect([renewed?.tail, access.accessToken === before]).toEqual([account.accessToken, false])
    expect(access.renewAt).toBeGreaterThan(now + DAY_MS)
    expect(access.renewAt).toBeLessThan(now + 50 * DAY_MS)
  })

  it('that cannot be renewed says whether it is dead, without revealing it', async () => {
    account.tokenMadeAt = Date.now()
    const young = await failure(adapter.renewAccess?.(credentials(), Date.now()) ?? Promise.resolve())
    const token = instagramToken({ accessToken: 'IGAAdead', verifyToken: 'verify', renewAt: 0 })
    const dead = await failure(adapter.renewAccess?.({ ...credentials(), token }, Date.now()) ?? Promise.resolve())
    expect([young.kind, dead.kind]).toEqual(['temporary', 'unauthorized'])
    expect(`${young.message} ${dead.message} ${dead.stack}`).not.toMatch(/IGAA/)
  })

  it('and a secret are what a person enters; another secret leaves the token alone', () => {
    const made = adapter.credentialsFrom({ accessToken: 'IGAAnew', appSecret: 'ABCDEF' })
    expect(made).toMatchObject({ webhookSecret: 'abcdef', tail: 'IGAAnew' })
    const { verifyToken, renewAt } = readInstagramAccess(made.token)
    expect(renewAt).toBeGreaterThan(Date.now() + DAY_MS)
    expect(adapter.verifyToken?.(made.token)).toBe(verifyToken)
    const other = adapter.withEntered(made.token, { appSecret: 'FEDCBA' })
    expect(other).toEqual({ token: made.token, webhookSecret: 'fedcba' })
    const newer = adapter.withEntered(made.token, { accessToken: 'IGAAnewer' })
    expect(readInstagramAccess(newer.token)).toMatchObject({ accessToken: 'IGAAnewer', verifyToken })
    expect([newer.tail, newer.webhookSecret]).toEqual(['IGAAnewer', undefined])
  })
})
