// A server with customers who write by Telegram, a model that answers as the test decides, and receivers of webhooks. For tests of webhooks.
import { sql } from 'kysely'
import { createOutbound, type Outbound } from '#server/integrations/http/outbound.ts'
import type { Id } from '#shared/ids.ts'
import { OFFERED_TYPES, type OfferedType } from '#shared/webhooks/webhooks.ts'
import { api, type Person, startApp, type TestApp } from './app.ts'
import type { TestDatabase } from './database.ts'
import { type FakeTelegram, startFakeTelegram } from './fakes/telegram/telegram.ts'
import { type FakeWebhookReceiver, startFakeWebhookReceiver } from './fakes/webhook-receiver.ts'
import { scriptedLlm } from './pipeline-world.ts'

/** An organization with an agent behind a bot. */
export type WebhookShop = { owner: Person; token: string; organizationId: Id<'organizations'> }
/** A receiver, and the endpoint that leads to it. */
export type Subscribed = { receiver: FakeWebhookReceiver; endpointId: Id<'webhookEndpoints'> }

export class WebhooksWorld {
  app!: TestApp
  telegram!: FakeTelegram
  answer: () => string = () => 'Hello'
  readonly #receivers: FakeWebhookReceiver[] = []
  #chat = 9000

  /** @param outbound by default one that reaches this machine */
  static async open(given: { outbound?: Outbound; database?: TestDatabase } = {}): Promise<WebhooksWorld> {
    const { outbound = createOutbound({ isAllowed: () => true }), ...rest } = given
    const world = new WebhooksWorld()
    world.telegram = await startFakeTelegram()
    const overrides = { outbound, llm: scriptedLlm(() => world.answer()) }
    world.app = await startApp({ telegram: world.telegram, overrides, ...rest })
    return world
  }

  async close(): Promise<void> {
    await this.app.close()
    await this.telegram.close()
    for (const receiver of this.#receivers) await receiver.close()
  }

  async openShop(): Promise<WebhookShop> {
    const owner = await this.app.signUp()
    const { _id: agentId } = await owner.http.mutation(api.agents.create, { name: 'Helper' })
    const { token } = this.telegram.addBot()
    await owner.http.action(api.channels.telegram.provision, { agentId, botToken: token })
    return { owner, token, organizationId: owner.organization._id }
  }

  /** A new receiver that hears of these types. */
  async subscribe(
    { owner }: Pick<WebhookShop, 'owner'>,
    { types = [...OFFERED_TYPES], perMinute = null }: { types?: OfferedType[]; perMinute?: number | null } = {},
  ): Promise<Subscribed> {
    const receiver = await startFakeWebhookReceiver()
    this.#receivers.push(receiver)
    const settings = { url: `${receiver.url}/hook`, description: '', types, perMinute }
    const { endpointId, secret } = await owner.http.action(api.webhooks.create, settings)
    receiver.secrets.push(secret)
    return { receiver, endpointId }
  }

  newChat(): number {
    return ++this.#chat
  }

  /** A customer writes and, unless the agent is silent, is answered. */
  async says({ token }: Pick<WebhookShop, 'token'>, chat: number, text: string): Promise<void> {
    const update = this.telegram.customerSays(token, { chatId: chat, firstName: 'Anna', language: 'en' }, text)
    await this.telegram.waitFor(() => this.telegram.acknowledged.has(update), 'the message')
    await this.app.settle()
  }

  async conversationOf(chat: number): Promise<Id<'conversations'>> {
    const row = await this.app.database.root
      .selectFrom('conversations')
      .where('external_chat_id', '=', String(chat))
      .select('id')
      .executeTakeFirstOrThrow()
    return row.id
  }

  /** Time passes for everything about deliveries. */
  async moveBack(minutes: number): Promise<void> {
    const by = sql`${minutes}::float8 * interval '1 minute'`
    await sql`update webhook_endpoints set retry_at = retry_at - ${by}, failing_since = failing_since - ${by}, minute_at = minute_at - ${by},
      previous_until = previous_until - ${by}`.execute(this.app.database.root)
    await sql`update webhook_queues set due_at = due_at - ${by}, tried_at = tried_at - ${by}, lease_until = lease_until - ${by}`.execute(
      this.app.database.root,
    )
    await sql`update webhook_deliveries set first_tried_at = first_tried_at - ${by}, last_tried_at = last_tried_at - ${by}`.execute(
      this.app.database.root,
    )
  }

  /** Time passes in steps, and at each what has become due is tried. */
  async pass(minutes: number, step = 15): Promise<void> {
    for (let passed = 0; passed < minutes; passed += step) {
      await this.moveBack(step)
      await this.app.settle()
    }
  }
}
