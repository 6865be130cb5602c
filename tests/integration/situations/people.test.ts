// Why did it not answer? Because a person has the conversation, or was called to it: by an operator, by the customer, by the agent.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { HANDOFF_SENTENCES } from '#server/domain/messaging/turns/notice-text.ts'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import { api } from '#tests/app.ts'
import { makeQuestionsDue } from '#tests/conversation-parts.ts'
import { type FakeGreenApi, startFakeGreenApi } from '#tests/fakes/green-api/green-api.ts'
import { presses } from '#tests/fakes/telegram/telegram-scenes.ts'
import { echo } from '#tests/pipeline-world.ts'
import { draw, drawExplanation, LANGUAGES, textAt } from './screen.ts'
import { type Shop, Stage } from './stage.ts'

const { handoff } = agentSettings.parse({ model: 'test/echo' })

let greenApi: FakeGreenApi
let stage: Stage
/** Waits until the customer has finished; operators have phrases. */
let patient: Shop
/** Resumes after an hour. */
let hasty: Shop
/** Default settings of agents. */
let plain: Shop
let chat: number

beforeAll(async () => {
  greenApi = await startFakeGreenApi({ secondMs: 5 })
  stage = await Stage.open({ greenApi })
  greenApi.webhookOrigin = () => stage.app.url
  const phrases = { stop: ['I am here'], resume: ['your turn'] }
  patient = await stage.openShop({ buffer: { seconds: 60 }, handoff: { ...handoff, operator: phrases } })
  hasty = await stage.openShop({ handoff: { ...handoff, autoResumeMs: 3_600_000 } })
  plain = await stage.openShop()
})
afterAll(async () => {
  await stage.close()
  await greenApi.close()
})
beforeEach(() => {
  stage.model = echo
  chat = stage.newChat()
})

async function idOf(shop: Shop) {
  return { conversationId: (await stage.conversation(shop, chat))._id }
}

async function operatorSays(shop: Shop, text: string): Promise<void> {
  await shop.owner.http.mutation(api.conversations.reply, { ...(await idOf(shop)), text })
  await stage.app.settle()
}

async function resume(shop: Shop): Promise<void> {
  await shop.owner.http.mutation(api.conversations.resume, await idOf(shop))
  await stage.app.settle()
}

describe('an operator', () => {
  it('has paused the agent before it began to answer', async () => {
    await stage.says(patient, chat, 'Hello')
    await patient.owner.http.mutation(api.conversations.pause, await idOf(patient))
    await stage.wait(chat)
    expect(stage.heard(chat)).toEqual([])
    await stage.expectExplained(patient, chat, {
      outcome: 'paused',
      stoppedAt: 'conversation',
      facts: { status: 'paused' },
      pausedFor: 'operator',
    })
  })

  it('has paused the agent while it was writing', async () => {
    stage.model = async (request) => {
      await plain.owner.http.mutation(api.conversations.pause, await idOf(plain))
      return echo(request)
    }
    await stage.says(plain, chat, 'Hello')
    expect(stage.heard(chat)).toEqual([])
    await stage.expectExplained(plain, chat, { outcome: 'unwanted', pausedFor: 'operator' })
  })

  it('has answered in place of the agent', async () => {
    await stage.says(patient, chat, 'Hello')
    await operatorSays(patient, 'Good morning')
    await stage.wait(chat)
    expect(stage.heard(chat)).toEqual(['Good morning'])
    await stage.expectExplained(patient, chat, {
      outcome: 'paused',
      stoppedAt: 'conversation',
      pausedFor: 'operator_reply',
    })
  })

  it('has silenced the agent by a phrase, and resumes it by another', async () => {
    await stage.says(patient, chat, 'Hello')
    await operatorSays(patient, 'Hello, I am here')
    await stage.wait(chat)
    await stage.expectExplained(patient, chat, {
      outcome: 'paused',
      stoppedAt: 'conversation',
      pausedFor: 'operator_phrase',
    })
    await operatorSays(patient, 'Now it is your turn')
    await stage.says(patient, chat, 'What does it cost?')
    await stage.wait(chat)
    expect(stage.heard(chat).at(-1)).toBe('You said: What does it cost?')
    await stage.expectExplained(patient, chat, { outcome: 'replied' })
  })

  it('has answered on the phone', async () => {
    const { owner, agentId } = plain
    const instance = greenApi.addInstance()
    const { idInstance, apiToken } = instance
    await owner.http.action(api.channels.whatsapp.provision, { agentId, idInstance, apiToken })
    const phone = String(chat + 77_001_000_000)
    const isTaken = () => greenApi.waitFor(() => instance.queue.length === 0, 'the notifications to be taken')
    stage.model = async (request) => {
      greenApi.phoneSays(idInstance, phone, 'This is Boris, the owner')
      await isTaken()
      return echo(request)
    }
    greenApi.customerSays(idInstance, phone, 'Hello')
    await isTaken()
    await stage.app.settle()
    expect(greenApi.sentTo(phone)).toEqual([])
    await stage.expectExplained(plain, `${phone}@c.us`, { outcome: 'unwanted', pausedFor: 'operator_elsewhere' })
  })
})

describe('a customer who calls a person', () => {
  it.each([
    ['Позовите, пожалуйста, оператора', 'оператор', HANDOFF_SENTENCES.ru],
    ['Can I talk to a human?', 'human', HANDOFF_SENTENCES.en],
  ])('«%s» gets a notice that one will come', async (text, phrase, notice) => {
    await stage.says(plain, chat, text)
    expect(stage.heard(chat)).toEqual([notice])
    await stage.expectExplained(plain, chat, {
      outcome: 'customer_request',
      stoppedAt: 'handoff_phrase',
      facts: { phrase },
      lines: ['customer_request'],
      pausedFor: 'customer_request',
    })
    expect(await stage.conversation(plain, chat)).toMatchObject({ needsPerson: true })
  })

  it('and then asks for the agent is answered by it', async () => {
    await stage.says(plain, chat, 'operator')
    await stage.says(plain, chat, 'All right, continue')
    expect(stage.heard(chat).slice(1)).toEqual(['You said: operator\n\nAll right, continue'])
    await stage.expectExplained(plain, chat, { outcome: 'replied', lines: ['customer_request'] })
  })

  it('is answered when a person hands the conversation back without a message', async () => {
    for (const text of ['Price?', 'Address?', 'operator']) await stage.sends(patient, chat, text)
    await stage.app.settle()
    expect(stage.heard(chat)).toHaveLength(1)
    await resume(patient)
    expect(stage.heard(chat).slice(1)).toEqual(['You said: Price?\n\nAddress?\n\noperator'])
    await stage.expectExplained(patient, chat, { outcome: 'replied', lines: ['customer_request'] })
  })

  it('gets the agent back when no person comes in time, and still needs one', async () => {
    await stage.says(hasty, chat, 'Where is it? operator')
    await stage.wait(chat)
    expect(stage.heard(chat).slice(1)).toEqual(['You said: Where is it? operator'])
    await stage.expectExplained(hasty, chat, { outcome: 'replied', lines: ['customer_request', 'nobody_came'] })
    expect(await stage.conversation(hasty, chat)).toMatchObject({ status: 'active', needsPerson: true })
  })
})

describe('an agent that calls a person', () => {
  it.each(['customer_request', 'missing_knowledge', 'tool_failure', 'policy'] as const)(
    '(%s) says so, answers, and is silent',
    async (reason) => {
      stage.model = async (request) => {
        await request.tools.find(({ name }) => name === 'hand_off')?.run({ reason, note: 'Blue.' }, request.signal)
        return 'A colleague will answer.'
      }
      await stage.says(plain, chat, 'Do you have it in blue?')
      expect(stage.heard(chat)).toEqual(['A colleague will answer.'])
      const { tools } = await stage.expectExplained(plain, chat, {
        outcome: 'replied',
        lines: [`handed_off_${reason}`],
        pausedFor: reason,
      })
      expect(tools).toMatchObject([{ name: 'hand_off', arguments: JSON.stringify({ reason, note: 'Blue.' }) }])
      expect(await stage.conversation(plain, chat)).toMatchObject({ needsPerson: true, handoffNote: 'Blue.' })
    },
  )
})

describe('a conversation that was ended', () => {
  it('while the agent was writing gets nothing more, and is reopened by the next message', async () => {
    stage.model = async (request) => {
      await plain.owner.http.mutation(api.conversations.end, await idOf(plain))
      return echo(request)
    }
    await stage.says(plain, chat, 'Hello')
    expect(stage.heard(chat)).toEqual([])
    await stage.expectExplained(plain, chat, { outcome: 'unwanted' })
    stage.model = echo
    await stage.says(plain, chat, 'Anybody?')
    expect(stage.heard(chat)).toEqual(['You said: Hello\n\nAnybody?'])
    await stage.expectExplained(plain, chat, { outcome: 'replied' })
  })

  it('before the agent began stays unanswered', async () => {
    await stage.says(patient, chat, 'Thank you')
    await patient.owner.http.mutation(api.conversations.end, await idOf(patient))
    await stage.wait(chat)
    await stage.expectExplained(patient, chat, {
      outcome: 'ended',
      stoppedAt: 'conversation',
      facts: { status: 'ended' },
    })
  })
})

describe('"Why?" of a message that no turn was to answer', () => {
  /** Of the customer's last message. */
  async function lastExplained(shop: Shop) {
    const all = await stage.explanations(shop, chat)
    const last = all.findLast(({ message }) => message.author === 'customer')
    if (!last) throw new Error('no customer has written')
    return last.explanation
  }

  it('names who had silenced the agent, since when, and who answered', async () => {
    const { name } = await plain.owner.http.query(api.users.current, {})
    await stage.says(plain, chat, 'Hello')
    await plain.owner.http.mutation(api.conversations.pause, { ...(await idOf(plain)), resumeAfterMs: 3_600_000 })
    await stage.says(plain, chat, 'Anybody?')
    const waiting = await lastExplained(plain)
    const held = { reason: 'operator', since: expect.any(Number), by: name }
    expect(waiting).toMatchObject({ turns: [], held, standing: { kind: 'paused', until: expect.any(Number), ...held } })
    for (const language of LANGUAGES) {
      const text = await drawExplanation(language, waiting)
      expect(text).toContain(textAt(language, 'why.standing.paused'))
      expect(text).toContain(textAt(language, 'conversations.banner.reason.operator'))
      expect(text).toContain(name)
    }
    await operatorSays(plain, 'Good morning')
    const answered = await lastExplained(plain)
    expect(answered).toMatchObject({ turns: [], held, standing: { kind: 'answered', by: 'operator', name } })
    for (const language of LANGUAGES) {
      expect(await drawExplanation(language, answered)).toContain(textAt(language, 'why.held'))
    }
  })

  it('reports that it was held, and opens the answer that it got when the agent resumed', async () => {
    await stage.says(plain, chat, 'operator')
    await stage.says(plain, chat, 'Anybody?')
    await resume(plain)
    const { turns, held, standing } = await lastExplained(plain)
    expect(turns).toMatchObject([{ outcome: 'replied', hasRecord: true }])
    expect(held).toMatchObject({ reason: 'customer_request', by: null })
    expect(standing).toMatchObject({ kind: 'answered', by: 'agent' })
  })

  it('reports until when the agent waits for more, and that it is next', async () => {
    await stage.sends(patient, chat, 'Hello')
    const explanation = await lastExplained(patient)
    expect(explanation).toMatchObject({
      turns: [{ outcome: null, hasRecord: false }],
      held: null,
      standing: { kind: 'waiting', for: 'customer', failure: null },
    })
    for (const language of LANGUAGES) {
      const [before = ''] = textAt(language, 'why.waiting.customer').split('{{time}}')
      expect(await drawExplanation(language, explanation)).toContain(before)
    }
  })

  it('reports that it was taken as a rating, in the conversation and on its own', async () => {
    const rated = await stage.openShop({ ratings: { isOn: true } })
    await stage.says(rated, chat, 'Do you deliver?')
    await rated.owner.http.mutation(api.conversations.end, await idOf(rated))
    await makeQuestionsDue.execute(stage.app.database.root)
    await stage.app.settle()
    const question = stage.telegram.sentTo(chat).at(-1)
    if (!question) throw new Error('nothing was asked')
    presses(stage.telegram, question, '4')
    await stage.telegram.waitFor(() => stage.telegram.isTaken(rated.token), 'the press to be taken')
    await stage.app.settle()
    const explanation = await lastExplained(rated)
    expect(explanation).toMatchObject({ turns: [], standing: { kind: 'rated' } })
    const messages = await stage.messages(rated, chat)
    for (const language of LANGUAGES) {
      expect(await drawExplanation(language, explanation)).toContain(textAt(language, 'why.standing.rated'))
      const { log } = await draw(language, { messages, trace: null })
      expect(log).toContain(textAt(language, 'conversations.message.rating'))
    }
  })
})
