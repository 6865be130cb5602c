// Why did it not answer? Because it must not: closed hours, daily limits, spending ceilings, the plan.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { wallClock } from '#server/platform/lib/zoned-time.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import { api } from '#tests/app.ts'
import { echo } from '#tests/pipeline-world.ts'
import { type Shop, Stage } from './stage.ts'

const CLOSED = 'We open on Monday.'
const ENOUGH = 'Enough for today.'
const NEVER: number[][] = Array.from({ length: 7 }, () => [])

let stage: Stage
let chat: number

beforeAll(async () => {
  stage = await Stage.open()
})
afterAll(() => stage.close())
beforeEach(() => {
  stage.model = echo
  chat = stage.newChat()
})

/** Sets what only the platform sets: the monthly messages of the plan. */
async function setAllowance(shop: Shop, messages: number): Promise<void> {
  await stage.app.database.system('test: a plan', (db) =>
    db.updateTable('organizations').set({ monthly_limit: messages }).where('id', '=', shop.organizationId).execute(),
  )
}

function closed(outside: AgentSettings['availability']['outside']): Partial<AgentSettings> {
  return { availability: { isLimited: true, hours: NEVER, outside, text: CLOSED } }
}

function spam(limits: Partial<AgentSettings['spam']>): Partial<AgentSettings> {
  return { spam: { agentDailyLimit: null, customerDailyLimit: null, warningPercent: 100, text: ENOUGH, ...limits } }
}

describe('a message outside of the hours', () => {
  it.each([
    ['silent', { heard: [] }],
    ['text', { heard: [CLOSED] }],
    ['handoff', { heard: [CLOSED], pausedFor: 'availability' as const }],
  ] as const)('is met with what the settings say (%s), because of the hour', async (outside, { heard, ...pause }) => {
    const shop = await stage.openShop(closed(outside))
    await stage.says(shop, chat, 'Are you open?')
    expect(stage.heard(chat)).toEqual(heard)
    await stage.expectExplained(shop, chat, {
      outcome: 'outside_hours',
      stoppedAt: 'availability',
      facts: { day: wallClock(Date.now(), 'UTC').day, timeZone: 'UTC' },
      lines: ['outside_hours'],
      ...pause,
    })
  })
})

describe('a limit of the day', () => {
  it('of the customer: beyond it they get one notice', async () => {
    const shop = await stage.openShop(spam({ customerDailyLimit: 1 }))
    await stage.says(shop, chat, 'One')
    await stage.says(shop, chat, 'Two')
    expect(stage.heard(chat)).toEqual(['You said: One', ENOUGH])
    await stage.expectExplained(shop, chat, {
      outcome: 'customer_limit',
      stoppedAt: 'spam',
      facts: { customerAnswers: 1, customerLimit: 1 },
      lines: ['customer_limit_near', 'customer_limit'],
    })
  })

  it('of the agent: other customers may have used it up', async () => {
    const shop = await stage.openShop(spam({ agentDailyLimit: 1 }))
    await stage.says(shop, chat, 'Me first')
    await stage.expectExplained(shop, chat, { outcome: 'replied', lines: ['agent_limit_near'] })
    chat = stage.newChat()
    await stage.says(shop, chat, 'And me?')
    expect(stage.heard(chat)).toEqual([ENOUGH])
    await stage.expectExplained(shop, chat, {
      outcome: 'agent_limit',
      stoppedAt: 'spam',
      facts: { agentAnswers: 1, agentLimit: 1 },
      lines: ['agent_limit'],
    })
  })
})

describe('a ceiling of spending', () => {
  it('of the organization stops all of its agents', async () => {
    const shop = await stage.openShop()
    const patch = { monthlySpendLimitUsd: 0.00004, limitText: 'Later, please.' }
    await shop.owner.http.mutation(api.organizations.update, { patch })
    await stage.says(shop, chat, 'One')
    await stage.says(shop, chat, 'Two')
    expect(stage.heard(chat)).toEqual(['You said: One', 'Later, please.'])
    await stage.expectExplained(shop, chat, {
      outcome: 'spending_limit',
      stoppedAt: 'spending',
      facts: { spentUsd: 0.000042, limitUsd: 0.00004 },
      lines: ['spending_limit'],
    })
  })

  it('of the agent stops this one', async () => {
    const shop = await stage.openShop({ spending: { monthlyLimitUsd: 0.00004 } })
    await stage.says(shop, chat, 'One')
    await stage.says(shop, chat, 'Two')
    await stage.expectExplained(shop, chat, {
      outcome: 'spending_limit',
      stoppedAt: 'spending',
      facts: { agentSpentUsd: 0.000042, agentLimitUsd: 0.00004 },
      lines: ['spending_limit'],
    })
  })
})

describe("the plan's messages, all used", () => {
  it('no customer is answered, and each gets a polite notice', async () => {
    const shop = await stage.openShop()
    await setAllowance(shop, 1)
    await stage.says(shop, chat, 'One')
    await stage.says(shop, chat, 'Two')
    expect(stage.heard(chat)).toEqual(['You said: One', expect.stringMatching(/^Thank you for your message/)])
    await stage.expectExplained(shop, chat, {
      outcome: 'allowance_used_up',
      stoppedAt: 'allowance',
      facts: { allowance: 1, used: 1, reserved: 0 },
      lines: ['allowance_used_up'],
    })
  })

  it('every customer is answered if the organization allows overage', async () => {
    const shop = await stage.openShop()
    await setAllowance(shop, 0)
    await shop.owner.http.mutation(api.organizations.update, { patch: { atLimit: 'overage' } })
    await stage.says(shop, chat, 'One')
    const trace = await stage.expectExplained(shop, chat, { outcome: 'replied' })
    expect(trace.gates).toContainEqual({
      gate: 'allowance',
      hasPassed: true,
      facts: { allowance: 0, isOverage: true },
    })
  })

  it('a person is called if the organization has chosen so', async () => {
    const shop = await stage.openShop()
    await setAllowance(shop, 0)
    await shop.owner.http.mutation(api.organizations.update, { patch: { atLimit: 'handoff' } })
    await stage.says(shop, chat, 'One')
    await stage.expectExplained(shop, chat, {
      outcome: 'allowance_used_up',
      stoppedAt: 'allowance',
      lines: ['allowance_used_up'],
      pausedFor: 'limit',
    })
  })
})
