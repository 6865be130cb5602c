// The VK channel against a fake VK: how it connects, what it sends, and how it goes on when VK does not.
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createOutbound } from '#server/integrations/http/outbound.ts'
import { failure, misbehaving } from '#tests/channel-stages.ts'
import { type FakeCommunity, type FakeVk, startFakeVk } from '#tests/fakes/vk/vk.ts'
import { createVkChannel } from './vk.ts'

const SECRET = 'a'.repeat(48)
const ANNA = { id: 4242, name: 'Anna Smirnova', screenName: 'anna.s' }
const CHAT = String(ANNA.id)
const ADDRESS = 'https://parley.example/webhooks/vk/one'
const signal = new AbortController().signal

let vk: FakeVk
let community: FakeCommunity
let adapter: ReturnType<typeof createVkChannel>
beforeEach(async () => {
  vk = await startFakeVk()
  vk.faults.confirmsAll = true
  community = vk.addCommunity()
  community.allowed.add(ANNA.id)
  adapter = channelAt(vk.url)
})
afterEach(() => vk.close())

const channelAt = (apiUrl: string) =>
  createVkChannel({ apiUrl, callTimeoutMs: 1000, outbound: createOutbound({ isAllowed: () => true }) })
const credentials = () => ({ token: community.token, webhookSecret: SECRET })
const send = (text: string, partId = 'part1', choices: string[] = []) =>
  adapter.send(credentials(), CHAT, text, partId, { choices })
const lastSent = () => vk.sentTo(ANNA.id).at(-1)
const poll = (offset: number | null) => adapter.polling.poll(credentials(), offset, 0, signal)
const textsOf = (updates: unknown[]) =>
  updates.map((update) => adapter.parse(update, credentials())).map((inbound) => 'text' in inbound && inbound.text)

describe('a key', () => {
  it('is of the community that is called by its short address', async () => {
    expect(await adapter.identify(community.token)).toEqual({
      ...{ externalAccountId: String(community.groupId), identifier: community.screenName, state: null },
    })
  })

  it('that may not do what is needed is refused with what it lacks', async () => {
    const { token } = vk.addCommunity({ mask: 4096 })
    expect(await failure(adapter.identify(token))).toMatchObject({
      kind: 'permanent',
      message: expect.stringMatching(/^the key lacks rights: manage .+, photos .+, docs .+/),
    })
  })

  it('is made into credentials with a secret that VK takes, and gives way to another', () => {
    const made = adapter.credentialsFrom({ token: 'key' })
    expect(made).toMatchObject({ token: 'key', tail: 'key' })
    expect(made.webhookSecret).toMatch(/^[0-9a-z]{32,50}$/)
    expect(adapter.withEntered('key', {})).toEqual({ token: 'key' })
    expect(adapter.withEntered('key', { token: 'other' })).toEqual({ token: 'other', tail: 'other' })
  })
})

describe('a callback server', () => {
  it('is added once, with the events that are wanted', async () => {
    for (let time = 0; time < 2; time++) await adapter.connect(credentials(), ADDRESS)
    expect(community.servers).toMatchObject([{ url: ADDRESS, secretKey: SECRET, status: 'ok' }])
    const events = [...(community.servers[0]?.events ?? [])].sort()
    expect(events).toEqual(['message_edit', 'message_new', 'message_read', 'message_reply'])
    expect(vk.calls.filter((name) => name === 'groups.editCallbackServer')).toEqual([])
  })

  it('moves with the public address, is mended when it has failed, and leaves those of others alone', async () => {
    const others = { title: 'CRM', url: 'https://crm.example', secretKey: 'other', events: new Set<string>() }
    community.servers.push({ id: 77, status: 'ok', ...others })
    await adapter.connect(credentials(), ADDRESS)
    await adapter.connect(credentials(), `${ADDRESS}/moved`)
    expect(community.servers.map(({ url }) => url)).toEqual(['https://crm.example', `${ADDRESS}/moved`])
    const ours = community.servers[1] as (typeof community.servers)[number]
    ours.status = 'failed'
    expect(await adapter.inspect?.(credentials())).toMatchObject({ url: null })
    await adapter.connect(credentials(), `${ADDRESS}/moved`)
    expect(await adapter.inspect?.(credentials())).toMatchObject({ url: `${ADDRESS}/moved` })
    await adapter.disconnect(credentials(), null)
    expect(community.servers.map(({ title }) => title)).toEqual(['CRM'])
  })

  it('is confirmed by the string of the moment, and only for its own community', async () => {
    const asked = { type: 'confirmation', group_id: community.groupId, event_id: '1', v: '5.199' }
    expect(await adapter.callback.answerQuestion(credentials(), asked)).toBe(community.confirmationCode)
    vk.renewCode(community.groupId)
    expect(await adapter.callback.answerQuestion(credentials(), asked)).toBe(community.confirmationCode)
    expect(await adapter.callback.answerQuestion(credentials(), { ...asked, group_id: 1 })).toBeNull()
    expect(await adapter.callback.answerQuestion(credentials(), { ...asked, type: 'message_new' })).toBeNull()
  })

  it('that VK could not confirm is reported, and does not stay unless it was there before', async () => {
    using server = await misbehaving((_, response) => response.writeHead(200).end('not the string'))
    vk.webhookOrigin = () => server.url
    vk.faults.confirmsAll = false
    expect(await failure(adapter.connect(credentials(), ADDRESS))).toMatchObject({ kind: 'permanent' })
    expect(community.servers).toEqual([])
    vk.faults.confirmsAll = true
    await adapter.connect(credentials(), ADDRESS)
    vk.faults.confirmsAll = false
    expect(await failure(adapter.connect(credentials(), `${ADDRESS}/moved`))).toMatchObject({ kind: 'permanent' })
    expect(community.servers).toMatchObject([{ url: `${ADDRESS}/moved`, status: 'failed' }])
  })

  it('cannot be added when the community has ten of others', async () => {
    const full = {
      title: 'Other',
      url: 'https://x.example',
      secretKey: 'x',
      status: 'ok' as const,
      events: new Set(''),
    }
    community.servers = Array.from({ length: 10 }, (_, id) => ({ id, ...full }))
    expect(await failure(adapter.connect(credentials(), ADDRESS))).toMatchObject({ kind: 'permanent' })
  })
})

describe('polling', () => {
  it('begins where it was switched on, and goes on after the last event in any process', async () => {
    await adapter.connect(credentials(), null)
    const beginning = await adapter.polling.beginPolling(credentials())
    vk.customerSays(community.groupId, ANNA, 'One')
    adapter = channelAt(vk.url)
    const first = await poll(beginning ?? null)
    expect(textsOf(first.updates)).toEqual(['One'])
    vk.customerSays(community.groupId, ANNA, 'Two')
    adapter = channelAt(vk.url)
    const second = await poll(first.nextOffset)
    expect(textsOf(second.updates)).toEqual(['Two'])
    expect(await poll(second.nextOffset)).toEqual({ updates: [], nextOffset: second.nextOffset })
  })

  it('goes on in a new session when the old one has ended', async () => {
    await adapter.connect(credentials(), null)
    const { nextOffset } = await poll(null)
    community.longPoll.key = 'another'
    vk.customerSays(community.groupId, ANNA, 'Meanwhile')
    expect(textsOf((await poll(nextOffset)).updates)).toEqual(['Meanwhile'])
  })

  it('goes on from what is kept when it asks for what is not, and says so', async () => {
    await adapter.connect(credentials(), null)
    const { nextOffset, ...rest } = await poll(1)
    expect(rest).toEqual({ updates: [], isGap: true })
    expect(nextOffset).toBe(community.longPoll.from)
    vk.customerSays(community.groupId, ANNA, 'After')
    expect(textsOf((await poll(nextOffset)).updates)).toEqual(['After'])
  })

  it('switches long polling on again when it was switched off', async () => {
    await adapter.connect(credentials(), null)
    community.longPoll.isEnabled = false
    expect(await failure(poll(community.longPoll.from))).toMatchObject({ kind: 'conflict' })
    await adapter.connect(credentials(), null)
    await expect(poll(null)).resolves.toMatchObject({ updates: [] })
  })

  it('takes the address of deliveries away', async () => {
    await adapter.connect(credentials(), ADDRESS)
    await adapter.connect(credentials(), null)
    expect(community.servers).toEqual([])
  })
})

describe('what events do not tell any more', () => {
  const since = Date.now() - 60_000
  const read = () => adapter.polling.readMissed(credentials(), since, signal)
  const keysOf = (updates: unknown[]) =>
    updates
      .map((update) => adapter.parse(update, credentials()))
      .map(({ kind, externalKey }) => `${kind} ${externalKey}`)

  it.each([1, 3] as const)('is reported as lost (%i)', async (failed) => {
    await adapter.connect(credentials(), null)
    const { nextOffset } = await poll(community.longPoll.from)
    vk.faults.lostPolls = [failed]
    expect(await poll(nextOffset)).toMatchObject({ updates: [], isGap: true })
  })

  it('is read from the chats, in order, under the keys of the events, and nothing that is older', async () => {
    await adapter.connect(credentials(), null)
    const older = vk.customerSays(community.groupId, ANNA, 'Last week', { date: since / 1000 - 3600 })
    const first = vk.customerSays(community.groupId, ANNA, 'Hello')
    const other = vk.customerSays(community.groupId, { id: 77, name: 'Boris Belov' }, 'Good morning')
    await send('Hello, Anna')
    vk.operatorSays(community.groupId, ANNA.id, 'This is Olga')
    const last = vk.customerSays(community.groupId, ANNA, 'Two kettles')
    vk.customerEdits(community.groupId, ANNA, last, 'Three kettles')
    const { updates } = await poll(community.longPoll.from)
    const { updates: found, isAll } = await read()
    expect(isAll).toBe(true)
    const missed = keysOf(found)
    expect(missed).toEqual([
      ...[`message in:${first}`, `message in:${other}`, `ignored out:${other + 1}`, `humanReply out:${other + 2}`],
      ...[`message in:${last}`, expect.stringContaining(`edit edit:${last}:`)],
    ])
    expect(missed).not.toContain(`message in:${older}`)
    expect(keysOf(updates)).toEqual([`message in:${older}`, ...missed])
    expect(textsOf(found).at(-1)).toBe('Three kettles')
  })

  it('is read page by page as far as there is an end to it, and not without one', async () => {
    for (let number = 0; number < 201; number++) vk.customerSays(community.groupId, ANNA, `${number}`)
    const { updates, isAll } = await read()
    expect([updates.length, isAll]).toEqual([201, true])
    for (let number = 0; number < 200; number++) vk.customerSays(community.groupId, ANNA, `${number}`)
    expect(await read()).toMatchObject({ isAll: false })
  })

  it('is read of a chat that comes to the front while pages are read', async () => {
    const { groupId } = community
    vk.customerSays(groupId, ANNA, 'Hello')
    for (let chat = 1; chat <= 200; chat++)
      vk.customerSays(groupId, { id: 2_000_000_000 + chat, name: 'Many' }, 'Hi all')
    onPage(1, () => void vk.customerSays(groupId, ANNA, 'Is anybody there?'))
    const { updates, isAll } = await read()
    expect([textsOf(updates), isAll]).toEqual([['Hello', 'Is anybody there?'], true])
  })

  it('cannot be read when VK refuses, but for what was read until then', async () => {
    vk.customerSays(community.groupId, ANNA, 'Hello')
    vk.customerSays(community.groupId, { id: 77, name: 'Boris Belov' }, 'Good morning')
    vk.faults.historyToFail = { count: 1, code: 15 }
    expect(await read()).toMatchObject({ updates: [], isAll: false, failure: { kind: 'permanent' } })
    onPage(2, () => {
      vk.faults.historyToFail = { count: 1, code: 15 }
    })
    const { updates, ...rest } = await read()
    expect(textsOf(updates)).toEqual(['Good morning'])
    expect(rest).toMatchObject({ isAll: false, failure: { kind: 'permanent' } })
  })

  /** Something happens once so many more pages were read. */
  function onPage(number: number, happen: () => void) {
    const at = vk.pagesRead + number
    vk.afterPage = (pages) => pages === at && happen()
  }
})

describe('a text', () => {
  it('that comes again by the same part is shown once, and has the same id', async () => {
    vk.faults.answersToDrop = 1
    expect(await failure(send('Once'))).toMatchObject({ kind: 'unknown_outcome' })
    const { externalMessageId } = await send('Once')
    await send('Twice', 'part2')
    expect(vk.sentTo(ANNA.id).map(({ text, id }) => [text, String(id) === externalMessageId])).toEqual([
      ['Once', true],
      ['Twice', false],
    ])
  })

  it('comes back as an echo that is not taken for a person, even where VK names who made the key', async () => {
    vk.faults.namesAuthors = true
    await adapter.connect(credentials(), null)
    await send('Hello')
    const { updates } = await poll(community.longPoll.from)
    expect(updates.map((update) => adapter.parse(update, credentials()).kind)).toEqual(['ignored'])
    const bare = updates.map((update) => withoutPayload(update))
    expect(bare.map((update) => adapter.parse(update, credentials()).kind)).toEqual(['ignored'])
    // Another process has sent it, and nothing in it says so.
    expect(bare.map((update) => channelAt(vk.url).parse(update, credentials()).kind)).toEqual(['humanReply'])
  })

  it('has its choices on buttons, which carry what does not fit on them', async () => {
    const long = 'A choice that is quite a bit longer than forty letters'
    await send('Which?', 'part1', ['Red', long])
    const buttons = lastSent()?.buttons ?? []
    expect(buttons.map(({ label }) => label)).toEqual(['Red', 'A choice that is quite a bit longer tha…'])
    const pressed = vk.messageNew(community.groupId, ANNA, 'A choice…', { payload: buttons[1]?.payload })
    expect(adapter.parse(pressed, credentials())).toMatchObject({ kind: 'message', text: long })
  })

  it('may have eight choices', async () => {
    const choices = Array.from({ length: 8 }, (_, at) => `Choice ${at}`)
    await send('Which?', 'part1', choices)
    expect(lastSent()?.buttons.map(({ label }) => label)).toEqual(choices)
  })

  it('lists its choices where the community allows no buttons', async () => {
    community.hasBots = false
    await send('Which?', 'part1', ['Red', 'Blue'])
    expect(lastSent()).toMatchObject({ text: 'Which?\n\n1. Red\n2. Blue', buttons: [] })
    expect(vk.sentTo(ANNA.id)).toHaveLength(1)
  })
})

describe('a refusal', () => {
  it.each([
    [1, 'unknown_outcome'],
    [5, 'unauthorized'],
    [6, 'rate_limited'],
    [9, 'rate_limited'],
    [10, 'unknown_outcome'],
    [14, 'suspended'],
    [15, 'permanent'],
    [27, 'unauthorized'],
    [29, 'rate_limited'],
    [100, 'permanent'],
    [900, 'blocked'],
    [901, 'blocked'],
    [902, 'blocked'],
    [913, 'permanent'],
    [914, 'permanent'],
    [917, 'blocked'],
    [950, 'out_of_window'],
    [4711, 'permanent'],
  ])('with the number %i is %s, although the status says that all is well', async (code, kind) => {
    vk.faults.refusals.push(code)
    const error = await failure(send('Hello'))
    expect(error).toMatchObject({ kind, message: expect.stringMatching(`^${code} `) })
    expect(error.retryAfterMs !== null).toBe(kind === 'rate_limited')
    expect(vk.sent).toEqual([])
  })

  it('for want of a right is of the key', async () => {
    community.mask = 0
    expect(await failure(send('Hello'))).toMatchObject({ kind: 'unauthorized', message: expect.stringMatching(/^15 /) })
  })

  it('of too many calls in a second says how long to wait', async () => {
    vk.faults.callsPerSecond = 0
    expect(await failure(send('Hello'))).toMatchObject({ kind: 'rate_limited', retryAfterMs: 1000 })
  })
})

describe('a file', () => {
  const bytes = Buffer.from('GIF89a and so on')
  const sendFile = (name: string, mimeType: string, content: Uint8Array = bytes) =>
    adapter.media?.sendFile?.(credentials(), CHAT, { kind: 'image', name, mimeType, bytes: content }, 'file1')

  it('is shown when it is a picture, and goes as a document when it only pretends to be one', async () => {
    await sendFile('cat.gif', 'image/gif')
    expect(lastSent()?.file).toMatchObject({ kind: 'photo', name: 'cat.gif' })
    await adapter.media?.sendFile?.(
      credentials(),
      CHAT,
      { kind: 'image', name: 'no.png', mimeType: 'image/png', bytes: Buffer.from('no picture') },
      'file2',
    )
    expect(lastSent()?.file).toMatchObject({ kind: 'doc', name: 'no.png' })
  })

  it('that VK does not take fails for good, and one that a key may not send does not break the key', async () => {
    expect(await failure(sendFile('virus.exe', 'application/octet-stream') as Promise<unknown>)).toMatchObject({
      kind: 'permanent',
    })
    community.mask = 4096
    expect(await failure(sendFile('cat.gif', 'image/gif') as Promise<unknown>)).toMatchObject({ kind: 'permanent' })
    expect(vk.sent).toEqual([])
  })

  it('is a voice message when it is a recording, shown once however often it comes', async () => {
    const voice = Buffer.from('OggS and so on')
    for (let time = 0; time < 2; time++) await adapter.media?.sendVoice?.(credentials(), CHAT, voice, 'voice1')
    expect(vk.sentTo(ANNA.id).map(({ file }) => file?.kind)).toEqual(['audio_message'])
  })

  it('of a customer is followed to where it lies', async () => {
    const attachment = vk.attach(community.groupId, 'document', { name: 'a.txt', bytes: Buffer.from('Prices') })
    const inbound = adapter.parse(
      vk.messageNew(community.groupId, ANNA, '', { attachments: [attachment] }),
      credentials(),
    )
    const fileId = (inbound.kind === 'message' && inbound.attachments?.[0]?.fileId) || ''
    expect(fileId).toContain('/doc/')
    expect(Buffer.from((await adapter.media?.download(credentials(), fileId, 100, signal)) ?? '').toString()).toBe(
      'Prices',
    )
  })

  it('is tried again when the one who has it has a bad day', async () => {
    using server = await misbehaving((_, response) => response.writeHead(503).end())
    const asked = adapter.media?.download(credentials(), `${server.url}/file`, 100, signal)
    expect(await failure(asked ?? Promise.resolve())).toMatchObject({ kind: 'temporary' })
  })
})

describe('a name', () => {
  it('is what people call the customer, with the short address where they have one', async () => {
    vk.messageNew(community.groupId, ANNA, 'Hello')
    vk.messageNew(community.groupId, { id: 5, name: 'Ivan' }, 'Hello')
    const ask = (id: string) => adapter.profiles.nameSender(credentials(), { chatId: id, externalId: id }, signal)
    expect(await ask(CHAT)).toEqual({ name: 'Anna Smirnova', username: 'anna.s' })
    expect(await ask('5')).toEqual({ name: 'Ivan', username: null })
    expect(await ask('6')).toBeNull()
  })
})

it('keeps its key secret: it travels in no address and in no body', async () => {
  const seen: string[] = []
  using server = await misbehaving((request, response) => {
    request.on('data', (chunk: Buffer) => seen.push(chunk.toString()))
    request.on('end', () => response.writeHead(200).end('{"error":{"error_code":5,"error_msg":"no"}}'))
    seen.push(request.url ?? '')
  })
  await failure(channelAt(server.url).send(credentials(), CHAT, 'Hello', 'part1'))
  expect(seen.join(' ')).toContain('Hello')
  expect(seen.join(' ')).not.toContain(community.token)
  expect(seen.join(' ')).toContain(String(createHash('sha256').update('part1').digest().readUInt32BE() >>> 1))
})

function withoutPayload(update: unknown): unknown {
  const { object, ...rest } = update as { object: { payload?: string } }
  const { payload: _, ...bare } = object
  return { ...rest, object: bare }
}
