// Answers that are streamed to everyone who has the conversation open: who reads them, when they are removed, and that nothing is
// written without a viewer.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { GenerateRequest } from '#server/integrations/llm/llm.ts'
import type { VisitorChat, VisitorSession, WidgetSettings } from '#shared/channels/webchat.ts'
import { appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { AnswerDraft } from '#shared/messaging/operator-tools.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { echo, type Model, scriptedLlm } from '#tests/pipeline-world.ts'
import { createEventReader } from '../../../widget/events.ts'

const FIRST_PAGE = { paginationOpts: { numItems: 20, cursor: null } }
const WIDGET: WidgetSettings = {
  title: 'Shop',
  color: '#2f5d50',
  position: 'right',
  hasAvatar: true,
  takesFiles: true,
  texts: { ru: { greeting: '', offline: '' }, en: { greeting: '', offline: '' } },
  domains: [],
}

/** A running model: it emits and ends what the test wants. */
type Writing = { say(text: string): void; end(text: string): void; fail(error: Error): void }

let telegram: FakeTelegram
let app: TestApp
let olga: Person
let agentId: Id<'agents'>
let token: string
let model: Model = echo
let chat = 7900

beforeAll(async () => {
  telegram = await startFakeTelegram()
  app = await startApp({ telegram, overrides: { llm: scriptedLlm((request) => model(request)) } })
  olga = await app.signUp({ name: 'Olga' })
  agentId = (await olga.http.mutation(api.agents.create, { name: 'Helper' }))._id
  token = telegram.addBot().token
  await olga.http.action(api.channels.telegram.provision, { agentId, botToken: token })
})
afterAll(async () => {
  await app.close()
  await telegram.close()
})
beforeEach(() => {
  model = echo
  chat++
})

/** From now on the test controls the model. @returns its next run */
function nextWriting(): Promise<Writing> {
  const { promise, resolve } = Promise.withResolvers<Writing>()
  model = ({ signal, onText }: GenerateRequest) =>
    new Promise((end, fail) => {
      model = echo // for other turns
      signal.addEventListener('abort', () => fail(new Error('broken off')))
      resolve({ say: (text) => onText?.(text), end, fail })
    })
  return promise
}

const says = (text: string, to = chat) =>
  telegram.customerSays(token, { chatId: to, firstName: `Customer ${to}` }, text)

/** A customer who was answered once. */
async function conversation(): Promise<Id<'conversations'>> {
  says('Hello')
  await telegram.waitForSent(chat)
  await app.settle()
  return newest()
}

async function newest(): Promise<Id<'conversations'>> {
  const { page } = await olga.http.query(api.conversations.list, FIRST_PAGE)
  return page[0]?._id as Id<'conversations'>
}

const look = (conversationId: Id<'conversations'>, state: 'looking' | 'gone' = 'looking') =>
  olga.http.mutation(api.conversations.presence.announce, { conversationId, state })

/** Follows the draft until it matches. */
function untilDrafts(
  conversationId: Id<'conversations'>,
  holds: (texts: string[], drafts: AnswerDraft[]) => boolean,
): Promise<AnswerDraft[]> {
  return new Promise((resolve) => {
    const stop = olga.live().onUpdate(api.conversations.drafts.list, { conversationId }, (drafts) => {
      if (
        !holds(
          drafts.map(({ text }) => text),
          drafts,
        )
      )
        return
      queueMicrotask(() => stop())
      resolve(drafts)
    })
  })
}

const untilDraft = (conversationId: Id<'conversations'>, wanted: string) =>
  untilDrafts(conversationId, ([text]) => text === wanted)
const untilNone = (conversationId: Id<'conversations'>) => untilDrafts(conversationId, (texts) => texts.length === 0)

function untilNotReplying(conversationId: Id<'conversations'>): Promise<void> {
  return new Promise((resolve) => {
    const stop = olga.live().onUpdate(api.conversations.get, { conversationId }, ({ isReplying }) => {
      if (isReplying) return
      queueMicrotask(() => stop())
      resolve()
    })
  })
}

/** Drafts stored in the rows of a conversation's turns. */
async function keptOf(conversationId: Id<'conversations'>): Promise<string[]> {
  const rows = await app.database.root
    .selectFrom('turns')
    .where('conversation_id', '=', conversationId)
    .select('draft')
    .execute()
  return rows.flatMap(({ draft }) => draft ?? [])
}

it('an answer is streamed to viewers, and becomes the message when complete; the customer receives it once', async () => {
  const conversationId = await conversation()
  await look(conversationId)
  const next = nextWriting()
  says('When are you open?')
  const writing = await next
  writing.say('We open')
  expect(await untilDraft(conversationId, 'We open')).toMatchObject([{ conversationId }])
  writing.say(' at nine.')
  await untilDraft(conversationId, 'We open at nine.')
  const before = await olga.http.query(api.conversations.messages, { conversationId, ...FIRST_PAGE })
  expect(before.page.map(({ text }) => text)).not.toContain('We open at nine.')
  expect(telegram.sentTo(chat)).toHaveLength(1)
  writing.end('We open at nine.')
  await untilNone(conversationId)
  const after = await olga.http.query(api.conversations.messages, { conversationId, ...FIRST_PAGE })
  expect(after.page.filter(({ text }) => text === 'We open at nine.')).toHaveLength(1)
  await telegram.waitForSent(chat, 2)
  expect(telegram.sentTo(chat).map(({ text }) => text)).toEqual([expect.any(String), 'We open at nine.'])
  expect(await keptOf(conversationId)).toEqual([])
})

it('no draft is stored without a viewer, and the whole one as soon as there is one', async () => {
  const unseen = await conversation()
  const unseenChat = chat
  chat++
  const seen = await conversation()
  await look(seen)
  const first = nextWriting()
  says('Nobody sees this', unseenChat)
  const unseenWriting = await first
  unseenWriting.say('Unseen')
  const second = nextWriting()
  says('Somebody sees this')
  const seenWriting = await second
  seenWriting.say('Seen')
  await untilDraft(seen, 'Seen')
  expect(await keptOf(unseen)).toEqual([])
  await look(unseen)
  await untilDraft(unseen, 'Unseen')
  unseenWriting.end('Unseen')
  seenWriting.end('Seen')
  await app.settle()
})

it.each([
  ['the customer says more', async () => void says('No, wait')],
  ['the agent is paused', (conversationId) => olga.http.mutation(api.conversations.pause, { conversationId })],
  ['the conversation is ended', (conversationId) => olga.http.mutation(api.conversations.end, { conversationId })],
  ['the model fails', async (_, writing) => writing.fail(new Error('a model that fails'))],
] satisfies [string, (conversationId: Id<'conversations'>, writing: Writing) => Promise<unknown>][])(
  'the draft is removed, and nothing of it is sent or stored, when %s',
  async (_, happen) => {
    const conversationId = await conversation()
    await look(conversationId)
    const next = nextWriting()
    says('A question')
    const writing = await next
    writing.say('Half an answer')
    await untilDraft(conversationId, 'Half an answer')
    await happen(conversationId, writing)
    await untilNone(conversationId)
    await untilNotReplying(conversationId) // a failed turn is retried
    expect(await keptOf(conversationId)).toEqual([])
    const { page } = await olga.http.query(api.conversations.messages, { conversationId, ...FIRST_PAGE })
    for (const output of [page, telegram.sentTo(chat)]) expect(JSON.stringify(output)).not.toContain('Half an answer')
  },
)

it('no one of another organization reads it', async () => {
  const conversationId = await conversation()
  const stranger = await app.signUp()
  await expect(stranger.http.query(api.conversations.drafts.list, { conversationId })).rejects.toSatisfy(
    (error) => appErrorData(error)?.code === 'not_found',
  )
})

it('a viewer of a merged conversation reads the drafts of the others', async () => {
  const one = await conversation()
  const asked = chat
  chat++
  const two = await conversation()
  const of = async (conversationId: Id<'conversations'>) =>
    (await olga.http.query(api.conversations.get, { conversationId })).customer?._id as Id<'customers'>
  await olga.http.mutation(api.conversations.contacts.merge, { survivorId: await of(one), otherId: await of(two) })
  await olga.http.mutation(api.conversations.threads.merge, { conversationIds: [one, two] })
  await look(two)
  const next = nextWriting()
  says('In the first', asked)
  const writing = await next
  writing.say('An answer there')
  expect(await untilDraft(two, 'An answer there')).toMatchObject([{ conversationId: one }])
  writing.end('An answer there')
  await app.settle()
})

it('a draft that is checked before sending is read by the team only; a web chat visitor reads other drafts as before', async () => {
  const { guards } = await olga.http.query(api.agents.get, { id: agentId })
  const answers = { phrases: ['secret'], action: 'text' as const, text: 'I would rather not say.' }
  const guarded = await olga.http.mutation(api.agents.create, { name: 'Guarded' })
  await olga.http.mutation(api.agents.update, { id: guarded._id, patch: { guards: { ...guards, answers } } })
  const reads = async (of: Id<'agents'>) => {
    const { externalAccountId: key } = await olga.http.action(api.channels.webchat.provision, {
      agentId: of,
      widget: WIDGET,
    })
    const visitor = await openVisitor(key)
    model = echo
    await visitor.say('Hello')
    await app.settle()
    const conversationId = await newest()
    await look(conversationId)
    const next = nextWriting()
    await visitor.say('Tell me')
    const writing = await next
    writing.say('The secret number')
    await untilDraft(conversationId, 'The secret number')
    const during = await visitor.sees()
    writing.end('The secret number is 1234.')
    await app.settle()
    return { during, after: await visitor.sees() }
  }
  const withheld = await reads(guarded._id)
  expect(withheld.during).toMatchObject({ isAnswering: true, draft: null })
  expect(withheld.after.bubbles.at(-1)?.text).toBe('I would rather not say.')
  const open = await reads(agentId)
  expect(open.during).toMatchObject({ isAnswering: true, draft: 'The secret number' })
  expect(open.after).toMatchObject({ isAnswering: false, draft: null })
})

/** A visitor of a web chat. */
async function openVisitor(key: string) {
  const ask = (path: string, body: unknown, bearer = '') =>
    fetch(`${app.url}/api/webchat/${key}/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const session = (await (await ask('session', {})).json()) as VisitorSession
  return {
    async say(text: string): Promise<void> {
      expect((await ask('messages', { id: randomUUID(), text, language: 'en' }, session.token)).status).toBe(204)
    },
    /** The current state of the chat. */
    async sees(): Promise<VisitorChat> {
      const reader = (await ask('chat', undefined, session.token)).body?.getReader()
      const decoder = new TextDecoder()
      let found: VisitorChat | undefined
      const feed = createEventReader((data) => {
        found ??= JSON.parse(data) as VisitorChat
      })
      while (!found) {
        const read = await reader?.read()
        if (!read || read.done) throw new Error('the stream ended')
        feed(decoder.decode(read.value, { stream: true }))
      }
      await reader?.cancel()
      return found
    },
  }
}
