// What every channel promises, tried on each of them over the fake of its provider. What it promises of files and of receipts stands
// in channel.files.contract.test.ts.
import net, { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sentText } from '#server/platform/lib/text/sent-text.ts'
import { manifestOf } from '#shared/channels/manifests.ts'
import { CHOICE_MAX_BYTES } from '#shared/limits.ts'
import { IMPATIENT_MS } from '#tests/channel-patience.ts'
import {
  CHANNELS,
  FAILURES,
  failure,
  misbehaving,
  POLLED,
  type PolledStage,
  PROVIDERS,
  type ProviderStage,
  type Stage,
} from '#tests/channel-stages.ts'

/** Part ids. */
let parts = 0
const part = () => `part${++parts}`

describe.each(CHANNELS)('the channel %s', (name, open) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await open()
  })
  afterAll(() => stage.close())

  it('names the account behind good credentials, and refuses others', async () => {
    const { externalAccountId, identifier } = await stage.adapter.identify(stage.credentials.token)
    expect(externalAccountId).toMatch(/^[\w-]+$/)
    expect(identifier).toBeTruthy()
    expect(await failure(stage.adapter.identify(stage.stranger.token))).toMatchObject({ kind: 'unauthorized' })
  })

  it('understands a message: the same body has the same key, another has another', () => {
    const body = stage.body('Hello')
    const inbound = stage.adapter.parse(body, stage.credentials)
    // Where messages do not tell the name, the id stands for it.
    const { externalId } = (inbound as { sender: { externalId: string } }).sender
    const name = stage.adapter.profiles ? externalId : 'Anna'
    expect(inbound).toMatchObject({ kind: 'message', chatId: stage.chatId, text: 'Hello', sender: { name } })
    expect(stage.adapter.parse(structuredClone(body), stage.credentials)).toEqual(inbound)
    expect(stage.adapter.parse(stage.body('Hello'), stage.credentials).externalKey).not.toBe(inbound.externalKey)
  })

  it('finds the name of a customer, where their messages do not have it, and not with other credentials', async () => {
    const { adapter, credentials, chatId } = stage
    const { profiles } = adapter
    if (!profiles) return
    const inbound = adapter.parse(stage.body('Hello'), credentials)
    const { externalId } = (inbound as { sender: { externalId: string } }).sender
    const signal = new AbortController().signal
    const profile = await profiles.nameSender(credentials, { chatId, externalId }, signal)
    expect(profile?.name).toMatch(/^Anna/)
    const asked = profiles.nameSender(stage.stranger, { chatId, externalId }, signal)
    expect(await failure(asked)).toMatchObject({ kind: 'unauthorized' })
  })

  it.each([null, 7, 'text', [], {}, { unheard: 'of' }])('keeps %j as not understood, with a key', (garbage) => {
    const inbound = stage.adapter.parse(garbage, stage.credentials)
    expect(inbound.kind).toBe('unknown')
    expect(inbound.externalKey).not.toBe('')
    expect(stage.adapter.parse(garbage, stage.credentials)).toEqual(inbound)
  })

  it('sends a text and answers with the id of the message', async () => {
    const { externalMessageId } = await stage.adapter.send(stage.credentials, stage.chatId, 'Good day', part())
    expect(externalMessageId).toBeTruthy()
    await stage.adapter.showTyping(stage.credentials, stage.chatId)
  })

  it('sends a text of the length that it names, and is refused a longer one', async () => {
    const { adapter, credentials, chatId } = stage
    await adapter.send(credentials, chatId, 'x'.repeat(adapter.showing.maxTextLength), part())
    const error = await failure(
      adapter.send(credentials, chatId, 'x'.repeat(adapter.showing.maxTextLength + 1), part()),
    )
    expect(error.kind).toBe('permanent')
  })

  it('gives choices to press, if it has buttons, and answers presses that are no messages of their own', async () => {
    const { adapter, credentials, chatId } = stage
    expect(stage.press !== undefined).toBe(adapter.buttons !== undefined)
    if (!stage.press) return
    const choices = ['Yes', 'ы'.repeat(CHOICE_MAX_BYTES / 2)]
    await adapter.send(credentials, chatId, 'Shall we?', part(), { choices })
    const pressed = adapter.parse(stage.press('question1', 'Yes'), credentials)
    expect(pressed).toMatchObject({ kind: 'message', chatId, text: 'Yes' })
    expect('pressed' in pressed).toBe(adapter.buttons?.answerPress !== undefined)
    expect('repliesTo' in pressed).toBe(adapter.buttons?.answerPress === undefined && !stage.pressesNameNothing)
    await adapter.buttons?.answerPress?.(credentials, 'an unknown press', null)
  })

  it('shows what its manifest says that it shows', () => {
    const { showing, buttons } = stage.adapter
    expect(manifestOf(name)?.showing).toEqual({ ...showing, hasButtons: buttons !== undefined })
  })

  it('is named among those that send files if it does', () => {
    expect(stage.adapter.media?.sendFile !== undefined).toBe(manifestOf(name)?.files !== 'none')
  })

  it('is named among those that are asked for messages if it can be', () => {
    expect(stage.adapter.polling !== undefined).toBe(manifestOf(name)?.isPolled)
  })

  it('is tried out by a notification that means nothing, is believed, and has a key of its own each time', () => {
    const { adapter, credentials } = stage
    if (!adapter.probe) return
    const [one, two] = [adapter.probe(credentials, 1), adapter.probe(credentials, 2)]
    const body = JSON.stringify(one.body)
    expect(adapter.verify(credentials, new Headers(one.headers), body)).toBe(true)
    const [first, second] = [one, two].map((probe) => adapter.parse(probe.body, credentials))
    expect(first?.kind).toBe('ignored')
    expect(first?.externalKey).not.toBe(second?.externalKey)
  })

  it('lets no secret into an error', async () => {
    const { adapter, credentials, chatId } = stage
    const errors = [
      await failure(adapter.identify(stage.stranger.token)),
      await failure(adapter.send(credentials, chatId, 'x'.repeat(adapter.showing.maxTextLength + 1), part())),
    ]
    for (const error of errors) expect(`${error.message} ${error.stack}`).not.toContain(stage.secret)
  })
})

describe.each(PROVIDERS)('the provider behind %s', (name, open) => {
  let stage: ProviderStage
  beforeAll(async () => {
    stage = await open()
  })
  afterAll(() => stage.close())

  it('lists a text that it has accepted, if it has a log of sent messages, and not with other credentials', async () => {
    const { adapter, credentials, chatId } = stage
    const { sendLog } = adapter
    if (!sendLog || sendLog.of === 'echoes') return
    const list = (by: typeof credentials, since: number) =>
      sendLog.of === 'chat' ? sendLog.list(by, chatId, since) : sendLog.list(by, since)
    const began = Date.now()
    const text = 'See https://example.com, *please*'
    const { externalMessageId } = await adapter.send(credentials, chatId, text, part())
    expect(await list(credentials, began)).toContainEqual({
      externalMessageId,
      chatId,
      text: sentText(text, adapter.showing.markup),
    })
    expect(await failure(list(stage.stranger, began))).toMatchObject({ kind: 'unauthorized' })
  })

  it('has the refusal for free text that comes too late, if its manifest has a reply window', () => {
    const hasWindow = typeof manifestOf(name)?.replyWindowMs === 'number'
    expect(hasWindow && stage.refusals.out_of_window === undefined).toBe(false)
  })

  it('believes a webhook by its whole secret only, or by nothing but the address at which it comes', () => {
    const { adapter, credentials, headers } = stage
    if (stage.isBelievedByPath) return expect(adapter.verify(credentials, headers('wrong', '{}'), '{}')).toBe(true)
    const isBelieved = (secret: string, by = credentials) => {
      const body = JSON.stringify(stage.body('Hello', secret))
      return adapter.verify(by, headers(secret, body), body)
    }
    expect(isBelieved(credentials.webhookSecret)).toBe(true)
    for (const wrong of ['', 'secre', 'secret2', 'SECRET']) expect(isBelieved(wrong)).toBe(false)
    expect(adapter.verify(credentials, new Headers(), JSON.stringify(stage.body('Hello')))).toBe(false)
    expect(isBelieved('', { ...credentials, webhookSecret: '' })).toBe(false)
  })

  it('keeps of a delivery nothing that proves where it comes from', () => {
    const { adapter, body } = stage
    const delivery = body('Hello', 'a secret that is kept nowhere')
    expect(JSON.stringify(adapter.envelope?.split(delivery) ?? [delivery])).not.toContain('kept nowhere')
  })

  it('is given the text that was sent', async () => {
    await stage.adapter.send(stage.credentials, stage.chatId, 'Good day', part())
    expect(stage.sent().at(-1)).toBe('Good day')
  })

  it('sends a part again without showing it twice, or says that it cannot', async () => {
    const { adapter, credentials, chatId } = stage
    const before = stage.sent().length
    const partId = part()
    for (let copy = 0; copy < 2; copy++) await adapter.send(credentials, chatId, 'Once?', partId)
    expect(stage.sent()).toHaveLength(before + (adapter.traits.dropsRepeatsForMs === undefined ? 2 : 1))
  })

  it('knows why the provider refuses, and that nothing was shown', async () => {
    const kinds = Object.keys(stage.refusals) as (keyof ProviderStage['refusals'])[]
    expect(kinds).toContain('rate_limited')
    for (const kind of kinds) {
      const fresh = await open()
      const { adapter, credentials, chatId } = fresh
      fresh.refusals[kind]?.()
      const error = await failure(adapter.send(credentials, chatId, 'Good day', part()))
      expect({ kind: error.kind, shown: fresh.sent() }).toEqual({ kind, shown: [] })
      if (error.retryAfterMs !== null) expect(error.retryAfterMs).toBeGreaterThan(0)
      await fresh.close()
    }
  })

  it('knows that nothing was sent without a connection', async () => {
    const free = net.createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => free.once('listening', resolve))
    const { port } = free.address() as AddressInfo
    await new Promise((resolve) => free.close(resolve))
    for (const url of [`http://127.0.0.1:${port}`, 'http://no-such-host.invalid']) {
      const { adapter, credentials } = stage.at(url)
      expect(await failure(adapter.send(credentials, stage.chatId, 'x', part()))).toMatchObject({ kind: 'temporary' })
    }
  })

  it.each(Object.keys(FAILURES) as (keyof typeof FAILURES)[])(
    'does not know what became of a message after %s, unless its protocol says so',
    async (name) => {
      using server = await misbehaving(FAILURES[name])
      const isAwaited = name !== 'an answer that never comes'
      const { adapter, credentials } = stage.at(server.url, isAwaited ? undefined : IMPATIENT_MS)
      const kind = stage.certain?.[name] ?? 'unknown_outcome'
      const sent = adapter.send(credentials, stage.chatId, 'x', part())
      if (kind === 'sent') await sent
      else expect(await failure(sent)).toMatchObject({ kind })
    },
  )

  it('lets no secret into an error', async () => {
    using server = await misbehaving((request) => request.socket.destroy())
    const { adapter, credentials } = stage.at(server.url)
    const errors = [
      await failure(adapter.send(credentials, stage.chatId, 'x', part())),
      await failure(stage.adapter.send(stage.stranger, stage.chatId, 'x', part())),
      await failure(stage.adapter.send(stage.credentials, 'nowhere', 'x', part())),
    ]
    for (const error of errors) {
      expect(`${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain(
        stage.secret,
      )
    }
  })
})

describe.each(POLLED)('the channel %s, polled for messages,', (_, open) => {
  let stage: PolledStage
  beforeAll(async () => {
    stage = await open()
  })
  afterAll(() => stage.close())

  it('polls messages in order, and confirms them with the next poll only', async () => {
    const { adapter, credentials } = stage
    const signal = new AbortController().signal
    await adapter.connect(credentials, null)
    for (const text of ['one', 'two']) stage.say(text)
    const texts: string[] = []
    let offset: number | null = null
    while (texts.length < 2) {
      const polled = await adapter.polling.poll(credentials, offset, 5, signal)
      for (const update of polled.updates) {
        const inbound = adapter.parse(update, credentials)
        if (inbound.kind === 'message') texts.push(inbound.text)
      }
      expect(stage.isForgotten()).toBe(false)
      offset = polled.nextOffset
    }
    expect(texts).toEqual(['one', 'two'])
    const controller = new AbortController()
    const last = adapter.polling.poll(credentials, offset, 5, controller.signal)
    await stage.waitForPoll()
    expect(stage.isForgotten()).toBe(true)
    controller.abort('enough')
    await expect(last).rejects.toBe('enough')
  })

  it('tells where is delivered, and that it is nowhere while it is polled', async () => {
    const { adapter, credentials } = stage
    await adapter.connect(credentials, 'https://parley.example/webhooks/path')
    expect(await adapter.inspect?.(credentials)).toMatchObject({ url: 'https://parley.example/webhooks/path' })
    await adapter.connect(credentials, null)
    expect(await adapter.inspect?.(credentials)).toMatchObject({ url: null, lastError: null })
    expect(await failure(adapter.inspect?.(stage.stranger) ?? Promise.resolve())).toMatchObject({
      kind: 'unauthorized',
    })
  })

  it('reports when another consumer takes the updates', async () => {
    const { adapter, credentials } = stage
    const { signal } = new AbortController()
    // Where to begin may be known since connecting, without a word to the provider.
    const { nextOffset } = await adapter.polling.poll(credentials, null, 0, signal)
    stage.steal()
    expect(await failure(adapter.polling.poll(credentials, nextOffset, 0, signal))).toMatchObject({ kind: 'conflict' })
  })
})
