// An organization whose conversations are written row by row at any moment, as the pipeline writes them, and measured through the server.
import { sql } from 'kysely'
import { recordUsage } from '#server/domain/billing/billing.store.ts'
import type { Db } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { AnalyticsFilters, AnalyticsOverview, AnalyticsRange, BreakdownBy } from '#shared/analytics/analytics.ts'
import { behind, behindRow, type Measured } from '#shared/analytics/links.ts'
import type { Channel } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import type { ConversationFilter } from '#shared/messaging/conversations.ts'
import { api, type Person, type TestApp } from '#tests/app.ts'

type ConversationId = Id<'conversations'>
type Beginning = { channel?: Channel; agentId?: Id<'agents'>; customerId?: Id<'customers'> }
/** `notice`: of the agent, without a model. */
export type Author = 'customer' | 'agent' | 'operator' | 'notice' | 'rating'

export class AnalyticsWorld {
  readonly person: Person
  readonly agentId: Id<'agents'>
  readonly #app: TestApp
  readonly #connectionId: Id<'channelConnections'>

  private constructor(app: TestApp, person: Person, agentId: Id<'agents'>, connectionId: Id<'channelConnections'>) {
    this.#connectionId = connectionId
    this.#app = app
    this.person = person
    this.agentId = agentId
  }

  static async open(app: TestApp, timeZone = 'UTC'): Promise<AnalyticsWorld> {
    const person = await app.signUp()
    const { _id } = await person.http.mutation(api.agents.create, { name: 'First' })
    const shop = { agentId: _id, name: 'Shop', url: 'https://analytics.example' }
    const { connection } = await person.http.action(api.channels.http.provision, shop)
    const world = new AnalyticsWorld(app, person, _id, connection._id)
    await world.moveTo(timeZone)
    return world
  }

  get organizationId(): Id<'organizations'> {
    return this.person.organization._id
  }

  /** The organization's time zone. */
  async moveTo(timeZone: string): Promise<void> {
    await this.person.http.mutation(api.organizations.update, { patch: { timeZone } })
  }

  /** In a transaction like those of the pipeline. */
  write<T>(run: (db: Db) => Promise<T>): Promise<T> {
    return this.#app.database.organization(this.organizationId, run, { isolation: 'read committed' })
  }

  /** A conversation that begins, without a message yet. `customerId`: of a customer who is known already. */
  async begin(
    at: string | number,
    { channel = 'telegram', agentId = this.agentId, customerId }: Beginning = {},
  ): Promise<{ conversationId: ConversationId; customerId: Id<'customers'> }> {
    const { organizationId } = this
    const id = newId('conversations')
    const own = customerId ?? newId('customers')
    await this.write(async (db) => {
      await sql`insert into customers (id, organization_id, connection_id, external_id, name)
        values (${own}, ${organizationId}, ${this.#connectionId}, ${own}, 'Anna') on conflict do nothing`.execute(db)
      await sql`insert into conversations (id, organization_id, agent_id, channel, connection_id, external_chat_id, customer_id, created_at,
          last_message_at)
        values (${id}, ${organizationId}, ${agentId}, ${channel}, ${this.#connectionId}, ${id}, ${own}, ${new Date(at)}, ${new Date(at)})`.execute(
        db,
      )
    })
    return { conversationId: id, customerId: own }
  }

  /** A message, and what it changes in its conversation. Nothing waits for an answer: the server's own agent stays out of it. */
  async says(id: ConversationId, author: Author, at: string | number): Promise<Id<'messages'>> {
    const messageId = newId('messages')
    const stored = author === 'notice' ? 'agent' : author === 'rating' ? 'customer' : author
    const isQuestion = author === 'customer'
    await this.write(async (db) => {
      await sql`update conversations set message_count = message_count + 1, last_message_author = ${stored}, last_message_at = ${new Date(at)},
          unread_count = unread_count + ${isQuestion ? 1 : 0}::int,
          status = case when ${isQuestion}::boolean and status = 'ended' then 'active' else status end
        where organization_id = ${this.organizationId} and id = ${id}`.execute(db)
      await sql`insert into messages (id, organization_id, conversation_id, author, text, model, reason, created_at)
        values (${messageId}, ${this.organizationId}, ${id}, ${stored}, 'words', ${author === 'agent' ? 'gpt' : null},
          ${author === 'rating' ? 'rating' : null}, ${new Date(at)})`.execute(db)
      await sql`update conversations set answered_through = (select max(sequence) from messages where conversation_id = ${id})
        where organization_id = ${this.organizationId} and id = ${id}`.execute(db)
    })
    return messageId
  }

  /** A message was written at another moment. */
  async moves(id: Id<'messages'>, at: number): Promise<void> {
    await this.write((db) => sql`update messages set created_at = ${new Date(at)} where id = ${id}`.execute(db))
  }

  /** What a model call in a conversation cost; null: of unknown price. */
  async spends(id: ConversationId, costMicroUsd: number | null, at: string | number): Promise<void> {
    await this.write((db) =>
      recordUsage(
        { db, organizationId: this.organizationId },
        {
          ...{ sourceId: newId(), agentId: this.agentId, category: 'agent_response', channel: 'telegram', messages: 1 },
          spent: { conversationId: id, purpose: 'reply' },
          call: { provider: 'openai', model: 'm', inputTokens: 1, outputTokens: 1, costMicroUsd, priceVersion: '1' },
          occurredAt: new Date(at),
        },
      ),
    )
  }

  async rates(id: ConversationId, score: number): Promise<void> {
    await this.write((db) =>
      sql`insert into conversation_ratings (organization_id, conversation_id, score, rated_at)
        values (${this.organizationId}, ${id}, ${score}, now())
        on conflict (organization_id, conversation_id) do update set score = excluded.score`.execute(db),
    )
  }

  /** What the customer asks is looked up. */
  async asks(id: ConversationId, gist: string, hasFoundLittle: boolean): Promise<void> {
    await this.write((db) =>
      sql`insert into knowledge_queries (organization_id, turn_id, position, conversation_id, channel, space_ids, query, gist, is_weak, found,
          has_found_little)
        values (${this.organizationId}, ${newId()}, 0, ${id}, 'telegram', '[]', ${`${gist}?`}, ${gist}, ${hasFoundLittle}, '[]', ${hasFoundLittle})`.execute(
        db,
      ),
    )
  }

  overview(range: AnalyticsRange, filters: AnalyticsFilters = {}, interval: 'hour' | 'day' | 'week' | 'month' = 'day') {
    return this.person.http.query(api.analytics.overview, { range, interval, filters })
  }

  breakdown(by: BreakdownBy, range: AnalyticsRange, filters: AnalyticsFilters = {}) {
    return this.person.http.query(api.analytics.breakdown, { by, range, filters })
  }

  async count(filter: ConversationFilter): Promise<number> {
    return (await this.person.http.query(api.conversations.count, filter)).count
  }

  /** Every number of an overview, and those of its bars and of all breakdowns that are not zero, if it does not equal what the inbox lists behind it. */
  async unequal(range: AnalyticsRange, filters: AnalyticsFilters = {}): Promise<string[]> {
    const overview = await this.overview(range, filters)
    const findings: string[] = []
    const compare = async (name: string, shown: number, filter: ConversationFilter) => {
      const listed = await this.count(filter)
      if (listed !== shown) findings.push(`${name}: ${shown} shown, ${listed} listed`)
    }
    for (const [what, shown] of numbersOf(overview.figures))
      await compare(what, shown, behind(what, overview.range, filters))
    for (const [what, shown] of numbersOf(overview.figuresBefore))
      await compare(`before ${what}`, shown, behind(what, overview.before, filters))
    await compare('written', overview.figures.messages.conversations, behind('written', overview.range, filters))
    for (const bar of overview.bars)
      for (const what of BAR_NUMBERS.filter((each) => bar[each] > 0))
        await compare(`${bar.start} ${what}`, bar[what], behind(what, bar, filters))
    for (const by of BREAKDOWNS) {
      const { rows, range: period } = await this.breakdown(by, range, filters)
      for (const row of rows)
        for (const [what, shown] of numbersOf(row).filter(([, number]) => number > 0))
          await compare(`${by} ${row.key} ${what}`, shown, behindRow({ by, key: row.key }, what, period, filters))
    }
    return findings
  }
}

const BREAKDOWNS = ['agent', 'channel', 'operator', 'tag', 'reason', 'rating', 'hour', 'question'] as const
const BAR_NUMBERS = ['conversations', 'resolved', 'handedOff', 'reopened', 'unanswered'] as const

type Numbers = Omit<AnalyticsOverview['figures'], 'messages'>

function numbersOf(figures: Numbers): [Exclude<Measured, 'written'>, number][] {
  return [
    ...BAR_NUMBERS.map((what): [Exclude<Measured, 'written'>, number] => [what, figures[what]]),
    ['everReopened', figures.everReopened],
    ['didNotKnow', figures.didNotKnow],
    ['answered', figures.firstResponse.count],
    ['settled', figures.resolution.count],
    ['rated', figures.ratings.count],
    ['unpriced', figures.cost.unpricedConversations],
  ]
}
