// Why did it not answer? Because a machine writes, such as the auto-reply of another bot, and the two would never stop.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AGENT_DAILY_LIMIT_DEFAULT, CUSTOMER_DAILY_LIMIT_DEFAULT } from '#shared/limits.ts'
import { api } from '#tests/app.ts'
import { echo } from '#tests/pipeline-world.ts'
import { type Cause, type Shop, Stage } from './stage.ts'

/** Long enough to be recognized although it comes as slowly as a person might write. */
const AWAY = 'Thank you for your message! We are open from 9 to 18 and will answer you then.'
/** Identical exchanges after which the customer is taken for a machine. */
const IN_A_ROW = 8

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

/** Two auto-replies: the same texts come back ten seconds after anything the agent sends. */
async function loop(shop: Shop, messages: number): Promise<void> {
  for (let message = 0; message < messages; message++) {
    await stage.says(shop, chat, AWAY)
    await stage.app.database.system('test: time passes', (db) =>
      sql`update messages set created_at = created_at - interval '10 seconds'
        where conversation_id = (select id from conversations where external_chat_id = ${String(chat)})`.execute(db),
    )
  }
}

const cause: Cause = {
  outcome: 'machine_talk',
  stoppedAt: 'machine_talk',
  facts: { machineSign: 'same_text', inARow: IN_A_ROW },
  lines: ['machine_talk'],
  pausedFor: 'machine_talk',
}

describe('an auto-reply that answers the agent', () => {
  it('is no longer answered, and a person is called to check it', async () => {
    const shop = await stage.openShop()
    await loop(shop, IN_A_ROW + 5)
    expect(stage.heard(chat)).toHaveLength(IN_A_ROW)
    await stage.expectExplained(shop, chat, cause)
    expect(await stage.conversation(shop, chat)).toMatchObject({ needsPerson: true, resumeAt: null })
  })

  it('does not resume the agent by a phrase that it contains; all its messages are stored', async () => {
    const shop = await stage.openShop()
    await loop(shop, IN_A_ROW + 1)
    await stage.says(shop, chat, 'Press start to continue')
    expect(stage.heard(chat)).toHaveLength(IN_A_ROW)
    expect((await stage.messages(shop, chat)).at(-1)?.text).toBe('Press start to continue')
    await stage.expectExplained(shop, chat, cause)
  })

  it('was a person: an operator resumes the agent, which answers open messages and is not stopped again at once', async () => {
    const shop = await stage.openShop()
    await loop(shop, IN_A_ROW + 1)
    const { _id: conversationId } = await stage.conversation(shop, chat)
    await shop.owner.http.mutation(api.conversations.resume, { conversationId })
    await stage.app.settle()
    expect(stage.heard(chat)).toHaveLength(IN_A_ROW + 1)
    await stage.says(shop, chat, AWAY)
    expect(stage.heard(chat)).toHaveLength(IN_A_ROW + 2)
    await stage.expectExplained(shop, chat, { outcome: 'replied', lines: ['machine_talk'] })
  })

  it('stays answered if an operator allows it', async () => {
    const shop = await stage.openShop({ machineTalk: { isOn: false } })
    await loop(shop, IN_A_ROW + 2)
    expect(stage.heard(chat)).toHaveLength(IN_A_ROW + 2)
    await stage.expectExplained(shop, chat, { outcome: 'replied' })
  })
})

describe('an agent with default limits', () => {
  it('has one per customer: after all answers of the day they get none', async () => {
    const shop = await stage.openShop()
    await stage.says(shop, chat, 'One')
    await stage.app.database.system('test: a day of answers', (db) =>
      db
        .updateTable('conversations')
        .set({ answers_count: CUSTOMER_DAILY_LIMIT_DEFAULT })
        .where('external_chat_id', '=', String(chat))
        .execute(),
    )
    await stage.says(shop, chat, 'Two')
    await stage.expectExplained(shop, chat, {
      outcome: 'customer_limit',
      stoppedAt: 'spam',
      facts: { customerAnswers: CUSTOMER_DAILY_LIMIT_DEFAULT, customerLimit: CUSTOMER_DAILY_LIMIT_DEFAULT },
      lines: ['customer_limit'],
    })
  })

  it('has a total one, which only adds cost to the first answer of the day', async () => {
    const shop = await stage.openShop()
    const held: (string | null)[] = []
    stage.model = async (request) => {
      const turns = await stage.app.database.system('test: look', (db) =>
        db
          .selectFrom('turns')
          .where('organization_id', '=', shop.organizationId)
          .where('status', '=', 'running')
          .select('reserved_day')
          .execute(),
      )
      held.push(...turns.map((turn) => turn.reserved_day))
      return echo(request)
    }
    for (const text of ['One', 'Two', 'Three']) await stage.says(shop, chat, text)
    expect(held).toEqual([expect.stringContaining(shop.agentId), null, null])
    const trace = await stage.expectExplained(shop, chat, { outcome: 'replied' })
    const facts = { agentAnswers: 2, agentLimit: AGENT_DAILY_LIMIT_DEFAULT }
    expect(trace.gates).toContainEqual(expect.objectContaining({ gate: 'spam', facts: expect.objectContaining(facts) }))
  })

  it('has none if a user has removed it', async () => {
    const shop = await stage.openShop({
      spam: { agentDailyLimit: null, customerDailyLimit: null, warningPercent: 80, text: '' },
    })
    await stage.says(shop, chat, 'One')
    const trace = await stage.expectExplained(shop, chat, { outcome: 'replied' })
    expect(trace.gates).toContainEqual({ gate: 'spam', hasPassed: true, facts: {} })
  })
})
