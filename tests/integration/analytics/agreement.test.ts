// Analytics, the plan card, the month of the header, the inbox and the recorded usage agree exactly, whatever happens in whatever order.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { restAll } from '#server/domain/analytics/rest.job.ts'
import { recordUsage, uncountMessages } from '#server/domain/billing/billing.store.ts'
import { deletePerson } from '#server/domain/messaging/compliance/erasure.store.ts'
import { deleteEmptied, deleteOldMessages, holdCalm } from '#server/domain/messaging/compliance/retention.store.ts'
import { deleteConversations } from '#server/domain/messaging/conversations/writes/conversation-removal.store.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import {
  begun,
  type Conversation,
  measuresOf,
  outcomesOf,
  type Spending,
  wordsOf,
  write,
} from '#tests/analytics-model.ts'
import { AnalyticsWorld, type Author } from '#tests/analytics-world.ts'
import { api, startApp, type TestApp } from '#tests/app.ts'
import { seededRandom } from '#tests/random.ts'

const EVENTS = Number(process.env.EVENTS ?? 500)
const DAY = 86_400_000
const MINUTE = 60_000
const ZONES = ['UTC', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/New_York', 'Europe/Berlin', 'Pacific/Chatham']
const AUTHORS: Author[] = [
  'customer',
  'customer',
  'customer',
  'agent',
  'agent',
  'agent',
  'operator',
  'notice',
  'rating',
]

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const day = (at: number) => new Date(at).toISOString().slice(0, 10)

it(`agree through ${EVENTS} events`, { timeout: 60_000 + EVENTS * 1000 }, async () => {
  const play = new Play(await AnalyticsWorld.open(app), EVENTS)
  for (let event = 1; event <= EVENTS; event++) {
    await play.happen()
    if (event % Math.ceil(EVENTS / 10) === 0) await play.compare()
  }
  expect(play.happened.size).toBe(Object.keys(play.events).length)
  expect(await play.world.unequal(play.range)).toEqual([])
})

class Play {
  readonly world: AnalyticsWorld
  readonly happened = new Set<string>()
  readonly range: { from: string; to: string }
  readonly #random
  readonly #now = Date.now()
  #conversations: Conversation[] = []
  readonly #spendings: Spending[] = []
  /** Of turns that can be withheld. */
  #messages = 0
  #timeZone = 'UTC'
  #threads = 0

  constructor(world: AnalyticsWorld, seed: number) {
    this.world = world
    this.#random = seededRandom(seed)
    this.range = { from: day(this.#now - 60 * DAY), to: day(this.#now + 2 * DAY) }
  }

  readonly events: Record<string, { weight: number; run: () => Promise<void> }> = {
    begin: { weight: 6, run: () => this.#begin() },
    says: { weight: 30, run: () => this.#says() },
    saysLate: { weight: 4, run: () => this.#saysLate() },
    sayAgain: { weight: 3, run: () => this.#sayAgain() },
    end: { weight: 4, run: () => this.#end() },
    pause: { weight: 2, run: () => this.#pause() },
    resume: { weight: 2, run: () => this.#resume() },
    assign: { weight: 3, run: () => this.#assign() },
    place: { weight: 4, run: () => this.#place() },
    rate: { weight: 3, run: () => this.#rate() },
    ask: { weight: 2, run: () => this.#ask() },
    spend: { weight: 8, run: () => this.#spend() },
    test: { weight: 2, run: () => this.#spendOnTest() },
    withhold: { weight: 2, run: () => this.#withhold() },
    merge: { weight: 2, run: () => this.#merge() },
    retain: { weight: 2, run: () => this.#retain() },
    erase: { weight: 1, run: () => this.#erase() },
    remove: { weight: 1, run: () => this.#remove() },
    move: { weight: 1, run: () => this.#move() },
    pass: { weight: 2, run: () => this.#pass() },
  }

  /** One of the events, more often those that are frequent; without effect where there is nothing for it yet. */
  async happen(): Promise<void> {
    const drawn = Object.entries(this.events).flatMap(([name, { weight }]) => Array<string>(weight).fill(name))
    const name = this.#conversations.length < 3 ? 'begin' : this.#random.pick(drawn)
    this.happened.add(name)
    await this.events[name]?.run()
  }

  get #ctx() {
    const { organizationId } = this.world
    return <T>(
      run: (ctx: {
        db: Parameters<Parameters<AnalyticsWorld['write']>[0]>[0]
        organizationId: Id<'organizations'>
      }) => Promise<T>,
    ) => this.world.write((db) => run({ db, organizationId }))
  }

  #pick(fits: (conversation: Conversation) => boolean = () => true): Conversation | undefined {
    const some = this.#conversations.filter(fits)
    return some.length === 0 ? undefined : this.#random.pick(some)
  }

  #together(conversation: Conversation): Conversation[] {
    const { thread } = conversation
    return thread === null ? [conversation] : this.#conversations.filter((each) => each.thread === thread)
  }

  #moment(): number {
    return this.#now - 55 * DAY + this.#random.below(50 * 24 * 60) * MINUTE
  }

  async #begin(): Promise<void> {
    const at = this.#moment()
    const customerId = this.#random.chance(0.3) ? this.#pick()?.customerId : undefined
    const channel = this.#random.pick(['telegram', 'whatsapp', 'webchat'] as const)
    const id = await this.world.begin(at, { channel, ...(customerId && { customerId }) })
    this.#conversations.push(begun(id.conversationId, id.customerId, at))
  }

  async #says(): Promise<void> {
    const conversation = this.#pick()
    if (!conversation) return
    const author = conversation.messages.length === 0 ? 'customer' : this.#random.pick(AUTHORS)
    const at = conversation.lastAt + this.#random.below(120) * MINUTE + 1
    const id = await this.world.says(conversation.id, author, at)
    write(conversation, { id, author, at })
  }

  /** What is written arrives late, as from a history that is read afterwards: between days that are counted, or before all of them. */
  async #saysLate(): Promise<void> {
    const conversation = this.#pick(({ messages }) => messages.length > 0)
    if (!conversation) return
    const author = this.#random.pick(AUTHORS)
    const at = conversation.lastAt - this.#random.below(5 * 24 * 60) * MINUTE
    const id = await this.world.says(conversation.id, author, at)
    write(conversation, { id, author, at })
  }

  /** A question takes its place behind all others, which may empty its day. */
  async #sayAgain(): Promise<void> {
    const conversation = this.#pick(({ messages }) => messages.some(({ author }) => author === 'customer'))
    const question = conversation?.messages.find(({ author }) => author === 'customer')
    if (!conversation || !question) return
    const at = conversation.lastAt + this.#random.below(48 * 60) * MINUTE + 1
    await this.world.moves(question.id, at)
    Object.assign(question, { at })
    Object.assign(conversation, { lastAt: at, lastWord: 'customer' })
    conversation.questionAt ??= at
  }

  async #end(): Promise<void> {
    const conversation = this.#pick(({ folder }) => folder !== 'deleted')
    if (!conversation) return
    await this.world.person.http.mutation(api.conversations.end, { conversationId: conversation.id })
    for (const each of this.#together(conversation)) each.status = 'ended'
  }

  async #pause(): Promise<void> {
    const conversation = this.#pick(({ folder, status }) => folder !== 'deleted' && status !== 'ended')
    if (!conversation) return
    await this.world.person.http.mutation(api.conversations.pause, { conversationId: conversation.id })
    for (const each of this.#together(conversation).filter(({ status }) => status !== 'ended')) {
      each.status = 'paused'
      each.reason ??= 'operator'
    }
  }

  async #resume(): Promise<void> {
    const conversation = this.#pick(({ folder, status }) => folder !== 'deleted' && status === 'paused')
    if (!conversation) return
    await this.world.person.http.mutation(api.conversations.resume, { conversationId: conversation.id })
    for (const each of this.#together(conversation).filter(({ status }) => status === 'paused')) each.status = 'active'
  }

  async #assign(): Promise<void> {
    const conversation = this.#pick(({ folder }) => folder !== 'deleted')
    if (!conversation) return
    const assigneeId = this.#random.chance(0.6) ? this.world.person.user._id : null
    await this.world.person.http.mutation(api.conversations.bulk.assign, {
      conversationIds: [conversation.id],
      assigneeId,
    })
  }

  async #place(): Promise<void> {
    const conversation = this.#pick()
    if (!conversation) return
    const folder = this.#random.pick(['inbox', 'archived', 'deleted'] as const)
    await this.world.person.http.mutation(api.conversations.bulk.place, { conversationIds: [conversation.id], folder })
    for (const each of this.#together(conversation)) each.folder = folder
  }

  async #rate(): Promise<void> {
    const conversation = this.#pick()
    if (!conversation) return
    const score = 1 + this.#random.below(5)
    await this.world.rates(conversation.id, score)
    conversation.rating = score
  }

  async #ask(): Promise<void> {
    const conversation = this.#pick()
    if (!conversation) return
    const hasFoundLittle = this.#random.chance(0.5)
    await this.world.asks(conversation.id, this.#random.pick(['price', 'parking', 'hours']), hasFoundLittle)
    conversation.didNotKnow ||= hasFoundLittle
  }

  async #spend(): Promise<void> {
    const conversation = this.#pick()
    if (!conversation) return
    const [at, costMicroUsd] = [this.#moment(), this.#random.chance(0.2) ? null : this.#random.below(9000)]
    await this.world.spends(conversation.id, costMicroUsd, at)
    this.#spendings.push({ at, isTest: false, costMicroUsd })
    conversation.costMicroUsd += costMicroUsd ?? 0
    conversation.unpriced += costMicroUsd === null ? 1 : 0
    this.#messages++
  }

  async #spendOnTest(): Promise<void> {
    const [at, costMicroUsd] = [this.#moment(), this.#random.below(9000)]
    await this.#ctx((ctx) =>
      recordUsage(ctx, {
        ...{ sourceId: newId(), agentId: null, category: 'test_message', channel: 'test', messages: 1 },
        call: { provider: 'openai', model: 'm', inputTokens: 1, outputTokens: 1, costMicroUsd, priceVersion: '1' },
        occurredAt: new Date(at),
      }),
    )
    this.#spendings.push({ at, isTest: true, costMicroUsd })
    this.#messages++
  }

  /** The messages of one event are taken back; what it cost stays. */
  async #withhold(): Promise<void> {
    await this.#ctx(async (ctx) => {
      const { rows } = await sql<{
        id: string
      }>`select source_id as id from usage_events e where organization_id = ${ctx.organizationId}
        and messages > 0 and not exists (select from usage_events w where w.source_id = e.source_id || '/withheld')
        order by occurred_at, source_id limit 1`.execute(ctx.db)
      await uncountMessages(
        ctx,
        rows.map(({ id }) => id),
      )
      this.#messages -= rows.length
    })
  }

  async #merge(): Promise<void> {
    const first = this.#pick(({ folder }) => folder !== 'deleted')
    const isOther = (each: Conversation) =>
      each !== first &&
      each.folder !== 'deleted' &&
      each.customerId === first?.customerId &&
      (each.thread === null || each.thread !== first.thread)
    const second = this.#pick(isOther)
    if (!first || !second) return
    const merged = [...this.#together(first), ...this.#together(second)]
    if (merged.some(({ folder }) => folder === 'deleted')) return
    const conversationIds = [first.id, second.id]
    await this.world.person.http.mutation(api.conversations.threads.merge, { conversationIds })
    const thread = ++this.#threads
    for (const each of merged) each.thread = thread
  }

  /** Old messages of one conversation go, and the conversation when none is left. */
  async #retain(): Promise<void> {
    const conversation = this.#pick()
    if (!conversation) return
    const cutoff = conversation.begunAt + this.#random.below(600) * MINUTE
    const isGone = await this.#ctx(async (ctx) => {
      if (!(await holdCalm(ctx, conversation.id))) return null
      await deleteOldMessages(ctx, conversation.id, new Date(cutoff), 1000)
      return deleteEmptied(ctx, conversation.id, new Date(cutoff))
    })
    if (isGone === null) return
    conversation.messages = conversation.messages.filter(({ at }) => at >= cutoff)
    if (isGone) this.#forget([conversation])
  }

  async #erase(): Promise<void> {
    const conversation = this.#pick()
    if (!conversation) return
    const theirs = this.#conversations.filter(({ customerId }) => customerId === conversation.customerId)
    const person = { id: conversation.customerId, connectionId: newId<'channelConnections'>(), externalId: '' }
    await this.#ctx((ctx) => deletePerson(ctx, { people: [person], conversationIds: theirs.map(({ id }) => id) }))
    this.#forget(theirs)
  }

  async #remove(): Promise<void> {
    const conversation = this.#pick(({ folder }) => folder === 'deleted')
    if (!conversation) return
    await this.#ctx((ctx) => deleteConversations(ctx, [conversation.id]))
    this.#forget([conversation])
  }

  #forget(gone: Conversation[]): void {
    this.#conversations = this.#conversations.filter((each) => !gone.includes(each))
  }

  async #move(): Promise<void> {
    this.#timeZone = this.#random.pick(ZONES)
    const patch = { timeZone: this.#timeZone }
    await this.world.person.http.mutation(api.organizations.update, { patch })
  }

  /** Days are over, also those on which more will be written. */
  async #pass(): Promise<void> {
    const now = this.#now - 60 * DAY + this.#random.below(64) * DAY
    await restAll(app.database, new Date(now), new AbortController().signal)
  }

  /** Every number against the model, the plan, and the rows themselves. */
  async compare(): Promise<void> {
    const kept = this.#conversations.filter(({ folder }) => folder !== 'deleted')
    const { figures, bars, range, spend } = await this.world.overview(this.range)
    const { firstResponse, resolution, ratings, cost, messages, ...outcomes } = figures
    expect({
      ...outcomes,
      ...{ answered: firstResponse.count, medianMs: firstResponse.medianMs, settled: resolution.count },
      ...{ scores: ratings.scores, microUsd: cost.microUsd, unpricedCalls: cost.unpricedCalls },
    }).toEqual(measuresOf(kept))
    const written = kept.flatMap((each) => each.messages)
    const speaking = kept.filter((each) => each.messages.length > 0).length
    expect(messages).toEqual({ ...wordsOf(written), conversations: speaking })
    const local = new Intl.DateTimeFormat('en-CA', { timeZone: this.#timeZone, dateStyle: 'short' })
    for (const bar of bars) {
      const { start, end, messages: words, ...counts } = bar
      const isThen = (at: number) => local.format(at) === local.format(start)
      expect(counts).toEqual(outcomesOf(kept.filter(({ begunAt }) => isThen(begunAt))))
      expect(words).toEqual(wordsOf(written.filter(({ at }) => isThen(at))))
      expect(end).toBeGreaterThan(start)
    }
    await this.#comparePlan(range, spend)
  }

  async #comparePlan(
    range: { start: number; end: number },
    spend: Awaited<ReturnType<AnalyticsWorld['overview']>>['spend'],
  ) {
    const total = (spendings: Spending[]) => spendings.reduce((sum, { costMicroUsd }) => sum + (costMicroUsd ?? 0), 0)
    const unpriced = this.#spendings.filter(({ costMicroUsd }) => costMicroUsd === null).length
    expect(spend.customers).toMatchObject({
      costMicroUsd: total(this.#spendings.filter(({ isTest }) => !isTest)),
      unpricedCalls: unpriced,
    })
    expect(spend.test).toMatchObject({
      costMicroUsd: total(this.#spendings.filter(({ isTest }) => isTest)),
      unpricedCalls: 0,
    })
    const { organizationId } = this.world
    const timeRange = { start: range.start, end: range.end }
    const plan = await this.world.person.http.query(api.billing.getOrganizationUsageOverview, {
      organizationId,
      timeRange,
    })
    expect(plan.totals.messages).toBe(this.#messages)
    expect(spend.customers.messages + spend.test.messages).toBe(this.#messages)
    expect(plan.totals.cost).toBeCloseTo(total(this.#spendings) / 1e6, 9)
    expect(plan.totals.unpricedCalls).toBe(unpriced)
    const now = Date.now()
    const header = await this.world.person.http.query(api.billing.getOrganizationUsageOverview, {
      ...{ organizationId, timeRange: { start: now - 60 * DAY, end: now } },
    })
    const month = await this.world.person.http.query(api.billing.getMonthSpend, { month: header.period.key })
    const [recounted] = (
      await this.world.write((db) =>
        sql<{ messages: number }>`select coalesce(sum(messages), 0)::int as messages from usage_events
          where organization_id = ${organizationId} and to_char(occurred_at at time zone ${this.#timeZone}, 'YYYY-MM') = ${header.period.key}`.execute(
          db,
        ),
      )
    ).rows
    expect([header.period.messages, month.total.messages]).toEqual([recounted?.messages, recounted?.messages])
  }
}
