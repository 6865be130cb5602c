// Why did it answer so, or so late? The debounce of a conversation, weak knowledge, reminders; and what keeps an answer from arriving.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { wallClock } from '#server/platform/lib/zoned-time.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import { api } from '#tests/app.ts'
import { postUpdate } from '#tests/fakes/telegram/telegram.ts'
import { echo } from '#tests/pipeline-world.ts'
import { type Shop, Stage } from './stage.ts'

const REMINDER = 'Any questions left?'

let stage: Stage
let plain: Shop
let chat: number

beforeAll(async () => {
  stage = await Stage.open()
  plain = await stage.openShop()
})
afterAll(() => stage.close())
beforeEach(() => {
  stage.model = echo
  chat = stage.newChat()
})

describe('an answer', () => {
  it('is plain: every rule passed, the model answered, the version is named', async () => {
    await stage.says(plain, chat, 'Hello')
    const trace = await stage.expectExplained(plain, chat, { outcome: 'replied' })
    expect(trace.gates.map(({ gate }) => gate)).toEqual([
      'conversation',
      'agent',
      'connection',
      'question',
      'handoff_phrase',
      'machine_talk',
      'attempts',
      'organization',
      'availability',
      'spam',
      'spending',
      'allowance',
    ])
    expect(trace).toMatchObject({ agentVersion: 1, attempts: [{ failure: null, costMicroUsd: 42 }] })
    const [, answer] = await stage.messages(plain, chat)
    expect(answer).toMatchObject({ author: 'agent', agentVersion: 1, turnId: expect.any(String) })
  })

  it('comes late because the agent waited for the customer to finish, and covers all their messages', async () => {
    const patient = await stage.openShop({ buffer: { seconds: 60 } })
    for (const text of ['Hello', 'I have a question', 'about delivery']) await stage.says(patient, chat, text)
    expect(stage.heard(chat)).toEqual([])
    await moveBack(50)
    await stage.wait(chat)
    expect(stage.heard(chat)).toEqual(['You said: Hello\n\nI have a question\n\nabout delivery'])
    const { gates } = await stage.expectExplained(patient, chat, { outcome: 'replied' })
    const question = gates.find(({ gate }) => gate === 'question')
    expect(question?.facts.questions).toBe(3)
    expect(question?.facts.waitedSeconds).toBeGreaterThanOrEqual(50)
  })

  it('was restarted because the customer wrote more meanwhile', async () => {
    const asked = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    stage.model = async (request) => {
      asked.resolve()
      await go.promise
      return echo(request)
    }
    await stage.sends(plain, chat, 'Two tickets')
    await asked.promise
    await stage.sends(plain, chat, 'No, three')
    go.resolve()
    await stage.app.settle()
    expect(stage.heard(chat)).toEqual(['You said: Two tickets\n\nNo, three'])
    const records = await stage.records(plain, chat)
    expect(records.map(({ outcome }) => outcome)).toEqual(['superseded', 'replied'])
    await stage.expectExplained(plain, chat, { outcome: 'replied' })
  })

  it('was aborted because the customer wrote more meanwhile', async () => {
    const asked = Promise.withResolvers<void>()
    stage.model = (request) => {
      asked.resolve()
      stage.model = echo
      return new Promise((_, reject) => {
        request.signal.addEventListener('abort', () => reject(request.signal.reason))
      })
    }
    await stage.sends(plain, chat, 'Two tickets')
    await asked.promise
    await stage.says(plain, chat, 'No, three')
    const [broken] = await stage.records(plain, chat)
    expect(broken).toMatchObject({ outcome: 'superseded', attempts: [{ failure: 'aborted' }] })
    await stage.expectExplained(plain, chat, { outcome: 'replied' })
  })

  it('is weak because the knowledge contains little', async () => {
    const shop = await stage.openShop()
    const { http } = shop.owner
    const { _id: knowledgeSpaceId } = await http.mutation(api.knowledge.spaces.create, { name: 'Shop' })
    const note = { knowledgeSpaceId, name: 'Returns', content: 'Returns are accepted within 30 days.' }
    await http.mutation(api.knowledge.fragments.create, note)
    await http.mutation(api.knowledge.spaces.linkAgent, { knowledgeSpaceId, agentId: shop.agentId })
    await stage.app.settle()
    await stage.says(shop, chat, 'Who composed the opera Aida?')
    const { searches } = await stage.expectExplained(shop, chat, { outcome: 'replied' })
    expect(searches).toMatchObject([{ query: 'Who composed the opera Aida?', isWeak: true }])
    await stage.says(shop, chat, 'How long are returns accepted?')
    const strong = await stage.expectExplained(shop, chat, { outcome: 'replied' })
    expect(strong.searches).toMatchObject([{ isWeak: false, results: [{ source: 'Returns' }] }])
  })
})

/** Moves everything about the pending turn of the chat into the past. */
async function moveBack(seconds: number): Promise<void> {
  await stage.app.database.system('test: time passes', (db) =>
    sql`update turns t set waiting_since = t.waiting_since - ${seconds} * interval '1 second' from conversations c
      where c.id = t.conversation_id and c.external_chat_id = ${String(chat)} and t.status = 'pending'`.execute(db),
  )
}

describe('a reminder', () => {
  const followUps: AgentSettings['followUps'] = {
    isOn: true,
    steps: [{ afterMinutes: 30, mode: 'text', text: REMINDER }],
    quietHours: null,
    maxPerCustomerADay: 1,
  }

  it('was sent because the customer was silent', async () => {
    const shop = await stage.openShop({ followUps })
    await stage.says(shop, chat, 'Hello')
    await stage.wait(chat)
    expect(stage.heard(chat)).toEqual(['You said: Hello', REMINDER])
    const trace = await stage.expectExplained(shop, chat, { outcome: 'replied' })
    expect(trace).toMatchObject({ kind: 'follow_up', attempts: [] })
    expect(trace.gates).toContainEqual({
      gate: 'follow_up',
      hasPassed: true,
      facts: { followUp: 1, sentToday: 0, followUpsADay: 1 },
    })
  })

  it('was not sent because it was night', async () => {
    const { hour } = wallClock(Date.now(), 'UTC')
    const shop = await stage.openShop({ followUps: { ...followUps, quietHours: { from: hour, to: (hour + 3) % 24 } } })
    await stage.says(shop, chat, 'Hello')
    await stage.wait(chat)
    expect(stage.heard(chat)).toEqual(['You said: Hello'])
    await stage.expectExplained(shop, chat, {
      outcome: 'follow_up_later',
      stoppedAt: 'follow_up',
      facts: { followUp: 1, waitsUntil: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
    })
  })
})

describe('an answer that could not be sent or stored', () => {
  it('because the agent was removed', async () => {
    const shop = await stage.openShop({ buffer: { seconds: 60 } })
    await stage.says(shop, chat, 'Hello')
    await shop.owner.http.mutation(api.agents.remove, { id: shop.agentId })
    await stage.wait(chat)
    await stage.expectExplained(shop, chat, {
      outcome: 'agent_deleted',
      stoppedAt: 'agent',
      lines: ['agent_deleted'],
    })
  })

  it('because the channel was disconnected', async () => {
    const shop = await stage.openShop({ buffer: { seconds: 60 } })
    await stage.says(shop, chat, 'Hello')
    await shop.owner.http.action(api.channels.telegram.disconnect, { connectionId: shop.connectionId })
    await stage.wait(chat)
    await stage.expectExplained(shop, chat, {
      outcome: 'connection_off',
      stoppedAt: 'connection',
      lines: ['connection_off'],
    })
  })

  it('because Telegram rejects the token: the answer shows it, and so does the next question', async () => {
    const shop = await stage.openShop()
    const { webhook } = stage.telegram.bot(shop.token)
    if (!webhook) throw new Error('the bot has no webhook')
    const reached = stage.telegram.reachable(webhook)
    const [first, second] = ['Hello', 'Anybody?'].map((text) => stage.telegram.textUpdate(shop.token, chat, text))
    stage.telegram.revoke(shop.token)
    await postUpdate(reached, first)
    await stage.app.settle()
    await stage.expectExplained(shop, chat, { outcome: 'replied' })
    const answer = (await stage.messages(shop, chat)).at(-1)
    expect(answer?.deliveries).toMatchObject([{ status: 'queued', error: expect.stringMatching(/^unauthorized: /) }])
    await postUpdate(reached, second)
    await stage.app.settle()
    await stage.expectExplained(shop, chat, {
      outcome: 'connection_error',
      stoppedAt: 'connection',
      lines: ['connection_error'],
    })
  })

  it('because the customer has blocked the bot', async () => {
    stage.telegram.block(chat)
    await stage.says(plain, chat, 'Hello')
    await stage.expectExplained(plain, chat, { outcome: 'replied' })
    const answer = (await stage.messages(plain, chat)).at(-1)
    expect(answer?.deliveries).toMatchObject([{ status: 'failed', error: expect.stringMatching(/^blocked: /) }])
  })

  it('because it crashed every server that tried', async () => {
    const shop = await stage.openShop({ buffer: { seconds: 60 } })
    await stage.says(shop, chat, 'Hello')
    await stage.app.database.system('test: as dying servers left it', (db) =>
      db.updateTable('turns').set({ crashes: 8 }).where('status', '=', 'pending').execute(),
    )
    await stage.wait(chat)
    expect(stage.heard(chat)).toEqual([])
    await stage.expectExplained(shop, chat, {
      outcome: 'gave_up',
      stoppedAt: 'attempts',
      facts: { crashes: 8 },
      lines: ['gave_up'],
    })
  })
})
