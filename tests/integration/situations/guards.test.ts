// Why did it not send its answer, or not take a question up? Because the organization has forbidden it, or because of a promise.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ASKING_SENTENCES, HANDOFF_SENTENCES } from '#server/domain/messaging/turns/notice-text.ts'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import type { Id } from '#shared/ids.ts'
import { api } from '#tests/app.ts'
import { echo } from '#tests/pipeline-world.ts'
import { type Shop, Stage } from './stage.ts'

const { guards } = agentSettings.parse({ model: 'test/echo' })
const ACTIONS = ['text', 'handoff', 'silent'] as const

let stage: Stage
/** Agents by their settings for politics in a question and discounts in an answer. */
const shops = new Map<(typeof ACTIONS)[number], Shop>()
let chat: number

beforeAll(async () => {
  stage = await Stage.open()
  for (const action of ACTIONS) {
    const text = action === 'text' ? 'Let us talk about flowers.' : ''
    const questions = { phrases: ['politics'], action, text }
    const answers = { phrases: ['discount'], action, text }
    shops.set(action, await stage.openShop({ guards: { ...guards, questions, answers } }))
  }
})
afterAll(() => stage.close())
beforeEach(() => {
  stage.model = echo
  chat = stage.newChat()
})

function shopOf(action: (typeof ACTIONS)[number]): Shop {
  const shop = shops.get(action)
  if (!shop) throw new Error(`no shop for ${action}`)
  return shop
}

describe('a question that the agent declines', () => {
  it.each([
    ['text', ['Let us talk about flowers.'], null],
    ['handoff', [HANDOFF_SENTENCES.en], 'guard'],
    ['silent', [], null],
  ] as const)('(%s) never reaches the model', async (action, heard, pausedFor) => {
    stage.model = () => Promise.reject(new Error('a model was asked'))
    await stage.says(shopOf(action), chat, 'What do you think of politics?')
    expect(stage.heard(chat)).toEqual(heard)
    await stage.expectExplained(shopOf(action), chat, {
      outcome: 'guarded_question',
      stoppedAt: 'guard_question',
      facts: { found: 'politics' },
      lines: ['guarded_question'],
      ...(pausedFor && { pausedFor }),
    })
  })

  it('is settled: the customer’s next question is answered alone', async () => {
    await stage.says(shopOf('silent'), chat, 'What do you think of politics?')
    await stage.says(shopOf('silent'), chat, 'And of roses?')
    expect(stage.heard(chat)).toEqual(['You said: And of roses?'])
  })
})

describe('a forbidden answer', () => {
  it.each([
    ['text', ['Let us talk about flowers.'], 'replied', [], null],
    ['handoff', [HANDOFF_SENTENCES.en], 'replied', ['handed_off_guard'], 'guard'],
    ['silent', [], 'guarded_answer', ['guarded_answer'], null],
  ] as const)('(%s) never goes out, and is paid for', async (action, heard, outcome, lines, pausedFor) => {
    stage.model = () => 'You get a discount of half the price.'
    await stage.says(shopOf(action), chat, 'Any news?')
    expect(stage.heard(chat)).toEqual(heard)
    const cause = { stoppedAt: 'guard_answer', facts: { found: 'discount' }, ...(pausedFor && { pausedFor }) } as const
    const trace = await stage.expectExplained(shopOf(action), chat, { outcome, lines: [...lines], ...cause })
    expect(trace.attempts).toMatchObject([{ failure: null, costMicroUsd: 42 }])
  })
})

describe('an answer that promises', () => {
  it('of a callback is sent, and a person is called for it', async () => {
    stage.model = () => 'Good question. I will check and get back to you.'
    await stage.says(shopOf('text'), chat, 'Is it in stock?')
    expect(stage.heard(chat)).toEqual(['Good question. I will check and get back to you.'])
    await stage.expectExplained(shopOf('text'), chat, {
      outcome: 'replied',
      stoppedAt: 'promise',
      lines: ['handed_off_promise'],
      pausedFor: 'promise',
    })
    expect(await stage.conversation(shopOf('text'), chat)).toMatchObject({
      needsPerson: true,
      handoffNote: 'I will check and get back to you',
    })
  })
})

describe('an answer with an unsupported figure', () => {
  const ACTIONS_OF_UNFOUNDED = ['allow', 'ask', 'handoff'] as const
  const informed = new Map<(typeof ACTIONS_OF_UNFOUNDED)[number], Shop>()
  const WRONG = 'Delivery to Omsk costs 900 roubles.'

  beforeAll(async () => {
    const steps = [{ afterMinutes: 30, mode: 'generated' as const, text: 'Remind them of the delivery.' }]
    const followUps = { isOn: true, steps, quietHours: null, maxPerCustomerADay: 1 }
    for (const action of ACTIONS_OF_UNFOUNDED) {
      const shop = await stage.openShop({ unfounded: { action, text: '' }, followUps })
      const { http } = shop.owner
      const { _id: knowledgeSpaceId } = await http.mutation(api.knowledge.spaces.create, { name: 'Shop' })
      const content = 'Delivery to Omsk costs 500 roubles and takes 3 days.'
      await http.mutation(api.knowledge.fragments.create, { knowledgeSpaceId, name: 'Delivery', content })
      await http.mutation(api.knowledge.spaces.linkAgent, { knowledgeSpaceId, agentId: shop.agentId })
      informed.set(action, shop)
    }
  })
  beforeEach(() => {
    stage.model = () => `${WRONG} It takes three days.`
  })

  function shopWith(action: (typeof ACTIONS_OF_UNFOUNDED)[number]): Shop {
    const shop = informed.get(action)
    if (!shop) throw new Error(`no shop for ${action}`)
    return shop
  }

  it('is sent, and the team sees the sentence', async () => {
    await stage.says(shopWith('allow'), chat, 'How much is delivery to Omsk?')
    expect(stage.heard(chat)).toEqual([`${WRONG} It takes three days.`])
    const answer = (await stage.messages(shopWith('allow'), chat)).at(-1)
    expect(answer?.unfounded).toEqual([WRONG])
    const trace = await stage.expectExplained(shopWith('allow'), chat, { outcome: 'replied' })
    expect(trace.sentences).toMatchObject([
      { text: WRONG, verdict: 'unfounded', unfounded: ['900 roubles'] },
      { verdict: 'knowledge', sources: [trace.searches[0]?.results[0]?.id] },
    ])
  })

  it('is counted in the knowledge review, with a link to the conversation', async () => {
    const { owner } = shopWith('allow')
    const [space] = await owner.http.query(api.knowledge.spaces.list, {})
    const knowledgeSpaceId = space?._id as Id<'knowledgeSpaces'>
    await stage.says(shopWith('allow'), chat, 'How much is delivery to Omsk?')
    const { _id: conversationId } = await stage.conversation(shopWith('allow'), chat)
    const { newest } = await owner.http.query(api.knowledge.review.unfounded, { knowledgeSpaceId })
    expect(newest[0]).toMatchObject({ conversationId, agentName: 'Helper', sentences: [WRONG] })
  })

  it('(ask) is withheld for a question, and for a person the second time', async () => {
    await stage.says(shopWith('ask'), chat, 'How much is delivery to Omsk?')
    expect(stage.heard(chat)).toEqual([ASKING_SENTENCES.en])
    await stage.expectExplained(shopWith('ask'), chat, {
      outcome: 'replied',
      stoppedAt: 'grounding',
      facts: { unfounded: 1 },
    })
    expect((await stage.messages(shopWith('ask'), chat)).at(-1)?.unfounded).toEqual([])
    await stage.says(shopWith('ask'), chat, 'Delivery of a sofa to Omsk.')
    expect(stage.heard(chat)).toEqual([ASKING_SENTENCES.en, HANDOFF_SENTENCES.en])
  })

  it('(handoff) is withheld, and a person is called who sees the withheld answer', async () => {
    await stage.says(shopWith('handoff'), chat, 'How much is delivery to Omsk?')
    expect(stage.heard(chat)).toEqual([HANDOFF_SENTENCES.en])
    await stage.expectExplained(shopWith('handoff'), chat, {
      outcome: 'replied',
      stoppedAt: 'grounding',
      lines: ['handed_off_missing_knowledge'],
      pausedFor: 'missing_knowledge',
    })
    expect(await stage.conversation(shopWith('handoff'), chat)).toMatchObject({ handoffNote: WRONG })
  })

  it.each(['ask', 'handoff'] as const)('(%s) is withheld silently in a follow-up', async (action) => {
    stage.model = () => 'Delivery to Omsk is 500 ₽.'
    await stage.says(shopWith(action), chat, 'How much is delivery to Omsk?')
    stage.model = () => WRONG
    await stage.wait(chat)
    expect(stage.heard(chat)).toEqual(['Delivery to Omsk is 500 ₽.'])
    const trace = await stage.expectExplained(shopWith(action), chat, {
      outcome: 'guarded_answer',
      stoppedAt: 'grounding',
      facts: { unfounded: 1 },
      lines: ['guarded_answer'],
    })
    expect(trace.kind).toBe('follow_up')
    expect(await stage.conversation(shopWith(action), chat)).toMatchObject({ needsPerson: false })
  })

  it('is sent unmarked if the agent has no knowledge to compare with', async () => {
    await stage.says(shopOf('text'), chat, 'How much is delivery to Omsk?')
    expect((await stage.messages(shopOf('text'), chat)).at(-1)?.unfounded).toEqual([])
  })

  it('is sent if a source contains the figure', async () => {
    stage.model = () => 'Delivery to Omsk is 500 ₽.'
    await stage.says(shopWith('handoff'), chat, 'How much is delivery to Omsk?')
    expect(stage.heard(chat)).toEqual(['Delivery to Omsk is 500 ₽.'])
    await stage.expectExplained(shopWith('handoff'), chat, { outcome: 'replied' })
  })
})
