// The test chat through the official client: the production pipeline, streamed into the page, never into a channel.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { GenerateRequest } from '#server/integrations/llm/llm.ts'
import { AppError, appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { Message } from '#shared/messaging/conversations.ts'
import type { SharedChat, TestVariant } from '#shared/messaging/test-chat.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { echo, scriptedLlm } from '#tests/pipeline-world.ts'

let app: TestApp
let person: Person
let model: (request: GenerateRequest) => string | Promise<string> = echo
let requests: GenerateRequest[] = []
let agentId: Awaited<ReturnType<typeof makeAgent>>

beforeAll(async () => {
  const llm = scriptedLlm((request) => {
    requests.push(request)
    return model(request)
  })
  app = await startApp({ overrides: { llm } })
  person = await app.signUp()
})
afterAll(() => app.close())
beforeEach(async () => {
  model = echo
  requests = []
  agentId = await makeAgent()
})

async function makeAgent() {
  return (await person.http.mutation(api.agents.create, { name: 'Helper', systemPrompt: 'Be kind.' }))._id
}

async function ask(text: string, variant: TestVariant = 'a'): Promise<Message[]> {
  await person.http.mutation(api.testChat.send, { agentId, text, variant })
  await app.settle()
  return chat(variant)
}

function chat(variant: TestVariant = 'a'): Promise<Message[]> {
  return person.http.query(api.testChat.messages, { agentId, variant })
}

/** Authors and texts. */
function linesOf(messages: Message[]): [string, string][] {
  return messages.map(({ author, text }) => [author, text])
}

/** Follows the chat until it matches. */
async function waitForChat(holds: (messages: Message[]) => boolean): Promise<Message[]> {
  const { promise, resolve } = Promise.withResolvers<Message[]>()
  const stop = person.live().onUpdate(api.testChat.messages, { agentId }, (messages) => {
    if (holds(messages)) resolve(messages)
  })
  const messages = await promise
  stop()
  return messages
}

async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  return call.then(
    () => undefined,
    (error: unknown) => appErrorData(error)?.code,
  )
}

describe('the test chat', () => {
  it('answers with the facts of the model call, oldest message first', async () => {
    await person.http.mutation(api.testChat.send, { agentId, text: 'Hello' })
    const messages = await waitForChat((shown) => shown.at(-1)?.status === 'complete' && shown.length === 2)
    expect(messages).toMatchObject([
      { author: 'customer', text: 'Hello', generation: null },
      {
        author: 'agent',
        text: 'You said: Hello',
        generation: { model: 'test/echo', costMicroUsd: 42, inputTokens: 10 },
      },
    ])
  })

  it('discards the text of a model that then fails: another one starts from scratch', async () => {
    const fallback = { models: ['test/backup'], last: 'silent' as const, text: '' }
    await person.http.mutation(api.agents.update, { id: agentId, patch: { fallback } })
    const texts = new Set<string>()
    const stop = person.live().onUpdate(api.testChat.messages, { agentId }, (shown) => texts.add(shown[1]?.text ?? ''))
    model = async (request) => {
      if (request.model === 'test/backup') return 'All of another answer.'
      request.onText?.('The first half of')
      await waitForChat((shown) => shown[1]?.text === 'The first half of')
      throw new AppError('model_failed', { reason: 'unavailable' })
    }
    await person.http.mutation(api.testChat.send, { agentId, text: 'Hello' })
    await waitForChat((shown) => shown[1]?.status === 'complete' && shown[1].text === 'All of another answer.')
    stop()
    const whole = ['', 'The first half of', 'All of another answer.']
    expect([...texts].filter((text) => !whole.includes(text))).toEqual([])
  })

  it("searches the agent's knowledge first, passes it to the model as data, and shows what the answer used", async () => {
    const { _id: knowledgeSpaceId } = await person.http.mutation(api.knowledge.spaces.create, { name: 'Shop' })
    const content = 'Returns are accepted within 30 days when you bring the receipt.'
    await person.http.mutation(api.knowledge.fragments.create, { knowledgeSpaceId, name: 'Returns', content })
    await person.http.mutation(api.knowledge.spaces.linkAgent, { knowledgeSpaceId, agentId })
    await app.settle()
    const asked = Promise.withResolvers<GenerateRequest>()
    let again: unknown
    model = async (request) => {
      again = await request.tools[0]?.run({ query: 'receipt' }, request.signal)
      asked.resolve(request)
      return 'Within 30 days.'
    }
    await person.http.mutation(api.testChat.send, { agentId, text: 'How long are returns accepted?' })
    const request = await asked.promise
    expect(request.passages).toMatchObject([{ source: 'Returns', text: content }])
    expect(request.system).toContain('Be kind.')
    expect(request.system).not.toContain('30 days')
    expect(request.tools.map((tool) => tool.name)).toEqual(['search_knowledge', 'hand_off'])
    expect(again).toMatchObject([{ source: 'Returns', text: content }])
    const messages = await waitForChat((shown) => shown[1]?.status === 'complete')
    expect(messages[1]?.sources).toMatchObject([{ source: 'Returns', excerpt: content }])
  })

  it('shows the answer while it is generated', async () => {
    const rest = Promise.withResolvers<void>()
    model = async (request) => {
      request.onText?.('The first half')
      await rest.promise
      request.onText?.(', the second')
      return 'The first half, the second'
    }
    await person.http.mutation(api.testChat.send, { agentId, text: 'Go' })
    const half = await waitForChat((shown) => shown.at(-1)?.status === 'streaming')
    expect(half.at(-1)).toMatchObject({ author: 'agent', text: 'The first half' })
    rest.resolve()
    const whole = await waitForChat((shown) => shown.at(-1)?.status === 'complete' && shown.length === 2)
    expect(whole.at(-1)?.text).toBe('The first half, the second')
  })

  it('exposes search under the name and description of the agent, unless another tool has that name', async () => {
    const { _id: knowledgeSpaceId } = await person.http.mutation(api.knowledge.spaces.create, { name: 'Shop' })
    await person.http.mutation(api.knowledge.spaces.linkAgent, { knowledgeSpaceId, agentId })
    const toolsOf = async (name: string) => {
      const knowledgeTool = { name, description: 'Looks prices up.' }
      await person.http.mutation(api.agents.update, { id: agentId, patch: { knowledgeTool } })
      const asked = Promise.withResolvers<GenerateRequest>()
      model = (request) => {
        asked.resolve(request)
        return 'Yes.'
      }
      await person.http.mutation(api.testChat.send, { agentId, text: 'Hello' })
      const { tools } = await asked.promise
      await app.settle()
      return tools.map((tool) => tool.name)
    }
    expect(await toolsOf('price_list')).toEqual(['price_list', 'hand_off'])
    expect(await toolsOf('hand_off')).toEqual(['search_knowledge', 'hand_off'])
  })

  it('can be stopped: the partial answer stays, and the next message is answered without it', async () => {
    model = (request) => {
      request.onText?.('Once upon a time')
      return new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)))
    }
    await person.http.mutation(api.testChat.send, { agentId, text: 'A story' })
    await waitForChat((shown) => shown.at(-1)?.status === 'streaming')
    await person.http.mutation(api.testChat.stop, { agentId })
    const stopped = await waitForChat((shown) => shown.at(-1)?.status === 'stopped')
    expect(stopped.at(-1)?.text).toBe('Once upon a time')
    const paid = await waitForChat((shown) => shown.at(-1)?.generation != null)
    expect(paid.at(-1)).toMatchObject({ status: 'stopped', generation: { model: 'test/echo', costMicroUsd: 42 } })
    expect(await codeOf(person.http.mutation(api.testChat.stop, { agentId }))).toBe('nothing_to_stop')
    model = echo
    await person.http.mutation(api.testChat.send, { agentId, text: 'Thanks' })
    const messages = await waitForChat((shown) => shown.length === 4 && shown[3]?.status === 'complete')
    expect(messages[3]?.text).toBe('You said: Thanks')
  })

  it('leaves no partial answer when its server crashes and the next question is waiting', async () => {
    model = (request) => {
      request.onText?.('Half of')
      return new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)))
    }
    await person.http.mutation(api.testChat.send, { agentId, text: 'one' })
    await waitForChat((shown) => shown.at(-1)?.status === 'streaming')
    model = echo
    await person.http.mutation(api.testChat.send, { agentId, text: 'two' })
    await app.database.system('test: the owner dies', (db) =>
      db.updateTable('turns').set({ owner: 1_999_999_999 }).where('status', '=', 'running').execute(),
    )
    const messages = await waitForChat((shown) => shown.length === 4 && shown[3]?.status === 'complete')
    expect(messages.map(({ status, text }) => [status, text])).toEqual([
      ['complete', 'one'],
      ['stopped', 'Half of'],
      ['complete', 'two'],
      ['complete', 'You said: one\n\ntwo'],
    ])
  })

  it('reports why there is no answer', async () => {
    model = () => {
      throw new AppError('model_failed', { reason: 'invalid_key' })
    }
    await person.http.mutation(api.testChat.send, { agentId, text: 'Hello' })
    const messages = await waitForChat((shown) => shown.at(-1)?.status === 'failed')
    expect(messages.at(-1)).toMatchObject({ author: 'agent', text: '', reason: 'invalid_key' })
  })

  it('can be cleared, also while it answers', async () => {
    const asked = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    model = async (request) => {
      asked.resolve()
      await go.promise
      return echo(request)
    }
    await person.http.mutation(api.testChat.send, { agentId, text: 'Hello' })
    await asked.promise
    await person.http.mutation(api.testChat.clear, { agentId })
    go.resolve()
    await app.settle()
    expect(await person.http.query(api.testChat.messages, { agentId })).toEqual([])
  })

  it('counts as test messages, not as replies to customers, and is shown in no inbox', async () => {
    await person.http.mutation(api.testChat.send, { agentId, text: 'Hello' })
    await waitForChat((shown) => shown.length === 2 && shown[1]?.status === 'complete')
    const overview = await person.http.query(api.billing.getOrganizationUsageOverview, {
      organizationId: person.organization._id,
      timeRange: { start: Date.now() - 3_600_000, end: Date.now() + 3_600_000 },
    })
    const counted = Object.fromEntries(overview.categories.map(({ key, messages }) => [key, messages]))
    expect(counted.test_message).toBeGreaterThan(0)
    expect(counted.agent_response ?? 0).toBe(0)
    const inbox = await person.http.query(api.conversations.list, { paginationOpts: { numItems: 10, cursor: null } })
    expect(inbox.page).toEqual([])
  })

  it("is each user's own, and closed to strangers", async () => {
    await person.http.mutation(api.testChat.send, { agentId, text: 'Hello' })
    const stranger = await app.signUp()
    expect(await codeOf(stranger.http.mutation(api.testChat.send, { agentId, text: 'x' }))).toBe('agent_unavailable')
    expect(await codeOf(stranger.http.query(api.testChat.messages, { agentId }))).toBe('agent_unavailable')
    expect(await codeOf(stranger.http.mutation(api.testChat.stop, { agentId }))).toBe('nothing_to_stop')
    expect(await codeOf(stranger.http.mutation(api.testChat.clear, { agentId }))).toBe('agent_unavailable')
  })
})

describe('undo', () => {
  it('asks the last question again: the old answer is removed from the chat and from the agent’s context', async () => {
    await ask('One')
    model = () => 'A first try'
    await ask('Two')
    model = () => 'A second try'
    await person.http.mutation(api.testChat.regenerate, { agentId, overrides: { temperature: 0.9 } })
    await app.settle()
    expect(linesOf(await chat())).toEqual([
      ['customer', 'One'],
      ['agent', 'You said: One'],
      ['customer', 'Two'],
      ['agent', 'A second try'],
    ])
    expect(requests.at(-1)?.temperature).toBe(0.9)
    expect(requests.at(-1)?.messages.map(({ text }) => text)).toEqual(['One', 'You said: One', 'Two'])
  })

  it('also while the answer is being generated, and reports when there is no question', async () => {
    expect(await codeOf(person.http.mutation(api.testChat.regenerate, { agentId }))).toBe('nothing_to_regenerate')
    const asked = Promise.withResolvers<void>()
    const rest = Promise.withResolvers<void>()
    model = async () => {
      asked.resolve()
      await rest.promise
      return 'Too late'
    }
    await person.http.mutation(api.testChat.send, { agentId, text: 'One' })
    await asked.promise
    model = echo
    await person.http.mutation(api.testChat.regenerate, { agentId })
    rest.resolve()
    await app.settle()
    expect(linesOf(await chat())).toEqual([
      ['customer', 'One'],
      ['agent', 'You said: One'],
    ])
  })

  it('edits a message: everything after it is removed', async () => {
    const first = await ask('One')
    await ask('Two')
    const messageId = first[0]?._id
    if (!messageId) throw new Error('nothing was asked')
    await person.http.mutation(api.testChat.edit, { agentId, messageId, text: 'Uno' })
    await app.settle()
    expect(linesOf(await chat())).toEqual([
      ['customer', 'Uno'],
      ['agent', 'You said: Uno'],
    ])
    expect(requests.at(-1)?.messages.map(({ text }) => text)).toEqual(['Uno'])
  })

  it('drops a summary that contains removed messages', async () => {
    const messages = await ask('One')
    const [question] = messages
    if (!question) throw new Error('nothing was asked')
    await app.database.system('test: a summary was made', (db) =>
      db
        .insertInto('conversation_summaries')
        .values({
          organization_id: person.organization._id,
          conversation_id: question.conversationId,
          summary: 'They asked for one.',
          summary_through: Number.MAX_SAFE_INTEGER,
        })
        .execute(),
    )
    await person.http.mutation(api.testChat.edit, { agentId, messageId: question._id, text: 'Uno' })
    await app.settle()
    expect(JSON.stringify(requests.at(-1))).not.toContain('They asked for one.')
  })

  it("never edits an answer, or another user's chat", async () => {
    const [question, answer] = await ask('One')
    if (!question || !answer) throw new Error('no answer')
    const edit = (by: Person, messageId: Id<'messages'>, variant: TestVariant = 'a') =>
      codeOf(by.http.mutation(api.testChat.edit, { agentId, messageId, text: 'x', variant }))
    expect(await edit(person, answer._id)).toBe('not_found')
    expect(await edit(person, question._id, 'b')).toBe('not_found')
    expect(await edit(await app.signUp(), question._id)).toBe('agent_unavailable')
    expect(await chat()).toHaveLength(2)
  })
})

it('is paged, newest message first, back to its beginning', async () => {
  const read = (cursor: string | null) =>
    person.http.query(api.testChat.history, { agentId, paginationOpts: { numItems: 3, cursor } })
  expect(await read(null)).toMatchObject({ page: [], isDone: true })
  await ask('One')
  await ask('Two')
  const newest = await read(null)
  const older = await read(newest.continueCursor)
  expect([newest.isDone, older.isDone]).toEqual([false, true])
  expect([...newest.page, ...older.page].reverse()).toEqual(await chat())
})

describe('a shared chat', () => {
  const look = (ticket: string) =>
    fetch(`${app.url}/api/shared-chats`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ticket }),
    })
  const share = async () => (await person.http.mutation(api.testChat.share, { agentId })).ticket

  it('is visible without an account, as it was when it was shared', async () => {
    await ask('Do you deliver?')
    await ask('And you?', 'b')
    const ticket = await share()
    await ask('This is said later.')
    const answer = await look(ticket)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const seen = (await answer.json()) as SharedChat
    expect(seen.agentName).toBe('Helper')
    const [first] = seen.chats[0]?.messages ?? []
    expect(first).toEqual({
      _id: expect.any(String),
      author: 'customer',
      text: 'Do you deliver?',
      at: expect.any(Number),
      attachments: [],
      choices: [],
    })
    const words = seen.chats.map(({ variant, messages }) => [
      variant,
      messages.map(({ author, text }) => [author, text]),
    ])
    expect(words).toEqual([
      [
        'a',
        [
          ['customer', 'Do you deliver?'],
          ['agent', 'You said: Do you deliver?'],
        ],
      ],
      [
        'b',
        [
          ['customer', 'And you?'],
          ['agent', 'You said: And you?'],
        ],
      ],
    ])
    expect(JSON.stringify(seen)).not.toMatch(/test\/echo|Be kind|costMicroUsd|turnId/)
  })

  it('is deleted when it is cleared, and with its agent', async () => {
    await ask('Do you deliver?')
    const cleared = await share()
    await person.http.mutation(api.testChat.clear, { agentId })
    expect((await look(cleared)).status).toBe(404)
    await ask('Do you deliver?')
    const orphaned = await share()
    await person.http.mutation(api.agents.remove, { id: agentId })
    expect((await look(orphaned)).status).toBe(404)
  })

  it('that is empty cannot be shared, and an unknown ticket shows nothing', async () => {
    expect(await codeOf(share())).toBe('nothing_to_share')
    expect((await look('not a ticket of ours')).status).toBe(404)
    expect((await fetch(`${app.url}/api/shared-chats`, { method: 'POST', body: 'x' })).status).toBe(404)
  })
})
