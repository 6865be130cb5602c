// A pipeline with a database and the fake Telegram around it, and a model that answers as the test decides. For tests of the
// pipeline's own promises; what a client sees is tested through the whole server.

import type { JSONValue } from 'convex/values'
import { Hono } from 'hono'
import { sql } from 'kysely'
import { randomSecret, seal } from '#server/domain/channels/connections/access.ts'
import { insertConnection, setConnected } from '#server/domain/channels/connections/connections.store.ts'
import { isStanding } from '#server/domain/messaging/conversations/writes/follow-ups.store.ts'
import { createPipeline, type Pipeline } from '#server/domain/messaging/pipeline/pipeline.ts'
import type { Services } from '#server/functions/services.ts'
import { createHttpChannel } from '#server/integrations/channels/http-channel/http-channel.ts'
import { createChannels } from '#server/integrations/channels/registry.ts'
import { createTelegramChannel } from '#server/integrations/channels/telegram/telegram.ts'
import { createOutbound } from '#server/integrations/http/outbound.ts'
import type { GenerateRequest, Generation, Llm, ModelCall } from '#server/integrations/llm/llm.ts'
import type { Database, Db } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { createLogger } from '#server/platform/lib/logger.ts'
import { FairScheduler } from '#server/platform/lib/scheduling/fair-scheduler.ts'
import { createSecrets } from '#server/platform/lib/secrets.aes.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import type { Id } from '#shared/ids.ts'
import { UNREACHED } from '#tests/unreached-channels.ts'
import { callDirectly } from './direct-call.ts'
import { type FakeTelegram, postUpdate, randomToken } from './fakes/telegram/telegram.ts'
import { FLOODED } from './flood.ts'
import { listenOnLoopback } from './loopback.ts'

/** What the model does with one request. */
export type Model = (request: GenerateRequest) => Promise<string> | string

export type Bot = {
  token: string
  connectionId: Id<'channelConnections'>
  organizationId: Id<'organizations'>
  agentId: Id<'agents'>
}

export const MODEL_CALL: ModelCall = {
  provider: 'test',
  model: 'test/echo',
  inputTokens: 10,
  outputTokens: 5,
  costMicroUsd: 42,
  priceVersion: 'test',
  latencyMs: 1,
  firstTokenMs: 1,
}

/** A send must not time out on a busy machine: its outcome would be unknown, although it was shown. */
const PATIENT_MS = 60_000

/** Label of this pipeline's metrics. */
export const METRICS_TOKEN = 'the token of the metrics'

/** Answers with what was asked. */
export const echo: Model = (request) => `You said: ${request.messages.at(-1)?.text ?? ''}`

/** One server process: its own pipeline over a database and a Telegram that others may share. */
export class PipelineWorld {
  model: Model = echo
  readonly requests: GenerateRequest[] = []
  readonly services: Services
  readonly telegram: FakeTelegram
  pipeline: Pipeline
  url = ''
  private closeServer: () => Promise<void> = async () => undefined

  constructor(database: Database, telegram: FakeTelegram) {
    this.telegram = telegram
    const outbound = createOutbound({ isAllowed: () => true })
    this.services = {
      database,
      channels: {
        ...createChannels(UNREACHED, { outbound, linkTo: () => null }),
        telegram: createTelegramChannel({ apiRoot: telegram.url, callTimeoutMs: PATIENT_MS }),
        http: createHttpChannel({ outbound, callTimeoutMs: PATIENT_MS }),
      },
      googleCalendar: null,
      salesEmail: undefined,
      greenApiUrl: 'http://127.0.0.1:9',
      demonstration: null,
      secrets: createSecrets('a secret of the tests, long enough'),
      llm: scriptedLlm((request) => {
        this.requests.push(request)
        return this.model(request)
      }),
      media: notUsed<Services['media']>('media'),
      embeddings: null,
      reranker: null,
      webSearch: null,
      retrieval: notUsed<Services['retrieval']>('retrieval'),
      searches: new FairScheduler({ places: Infinity, most: () => 1, isBackground: () => false, budget: null }),
      jobs: { send: async () => undefined, sendAll: async () => undefined },
      files: notUsed<Services['files']>('files'),
      outbound: notUsed<Services['outbound']>('outbound'),
      mailer: notUsed<Services['mailer']>('mailer'),
      proofs: notUsed<Services['proofs']>('proofs'),
      alertBot: null,
      webPush: notUsed<Services['webPush']>('webPush'),
      selfClient: notUsed<Services['selfClient']>('selfClient'),
      publicUrl: 'http://localhost',
    }
    this.pipeline = createPipeline({
      services: this.services,
      logger: createLogger(process.env.LOG_LEVEL ?? 'silent'),
      addressOf: () => '',
      metricsToken: METRICS_TOKEN,
      stopSendsMs: PATIENT_MS,
    })
  }

  async start(): Promise<void> {
    const app = new Hono().route('/', this.pipeline.routes)
    const server = await listenOnLoopback((request) => app.fetch(request))
    this.url = server.url
    this.closeServer = server.close
    await this.pipeline.start()
  }

  async stop(): Promise<void> {
    await this.closeServer()
    await this.pipeline.stop()
  }

  /** An organization with one agent and a bot, as `channels/telegram:provision` leaves them. */
  async addBot(delivery: 'webhook' | 'polling' = 'webhook', settings: Partial<AgentSettings> = {}): Promise<Bot> {
    const token = randomToken()
    const bot = this.telegram.addBot(token)
    const organizationId = await this.addOrganization()
    const agentId = newId('agents')
    const id = newId('channelConnections')
    const credentials = { token, webhookSecret: randomSecret() }
    const webhookPath = randomSecret()
    const { database, secrets } = this.services
    await database.organization(organizationId, async (db) => {
      const ctx = { db, organizationId }
      await db
        .insertInto('agents')
        .values({
          id: agentId,
          organization_id: organizationId,
          slug: 'helper',
          name: 'Helper',
          avatar: null,
          deleted_at: null,
        })
        .execute()
      await db
        .insertInto('agent_versions')
        .values({
          id: newId('agentVersions'),
          organization_id: organizationId,
          agent_id: agentId,
          number: 1,
          settings: JSON.stringify({ systemPrompt: 'Be brief.', model: 'test/echo', ...FLOODED, ...settings }),
          author_id: null,
          restored_from: null,
        })
        .execute()
      const stored = {
        ...seal(secrets, id, credentials),
        organizationId,
        agentId,
        channel: 'telegram' as const,
        delivery,
        identifier: bot.username,
        externalAccountId: String(bot.id),
        webhookPath,
        tokenTail: token.slice(-4),
        state: null,
      }
      await insertConnection(ctx, stored, new Date())
      await setConnected(ctx, id, new Date())
      // A world has no public address: without this its bots would be polled after the next start.
      await db.updateTable('channel_connections').set({ delivery_chosen: true }).where('id', '=', id).execute()
    })
    const url = delivery === 'webhook' ? `${this.url}/webhooks/telegram/${webhookPath}` : null
    await this.services.channels.telegram.connect(credentials, url)
    return { token, connectionId: id, organizationId, agentId }
  }

  async addOrganization(): Promise<Id<'organizations'>> {
    const [userId, organizationId] = [newId('users'), newId('organizations')]
    await this.services.database.system('test: an organization', async (db) => {
      const user = { id: userId, name: 'Owner', email: `${userId}@example.com`, email_verified: true, image: null }
      await db.insertInto('users').values(user).execute()
      await db
        .insertInto('organizations')
        .values({
          id: organizationId,
          name: 'Shop',
          display_name: null,
          logo_url: null,
          support_email: null,
          plan: 'parking',
          monthly_limit: null,
          owner_id: userId,
        })
        .execute()
      await db
        .insertInto('members')
        .values({ user_id: userId, organization_id: organizationId, role: 'admin' })
        .execute()
    })
    return organizationId
  }

  /** Calls a mutation of the public contract without a socket, as a member of the organization. */
  call(organizationId: Id<'organizations'>, mutation: unknown, args: Record<string, unknown>): Promise<unknown> {
    return callDirectly(this.services, { userId: null, organizationId }, mutation, args as JSONValue)
  }

  /** From now on the agent of a bot has these settings. */
  async setSettings({ organizationId, agentId }: Bot, settings: Partial<AgentSettings>): Promise<void> {
    await this.services.database.organization(organizationId, (db) =>
      db
        .updateTable('agent_versions')
        .set({ settings: JSON.stringify({ systemPrompt: 'Be brief.', model: 'test/echo', ...FLOODED, ...settings }) })
        .where('agent_id', '=', agentId)
        .execute(),
    )
  }

  /** Brings an update that Telegram made before it forgot the bot. */
  async deliver(webhook: { url: string; secret: string } | null, update: unknown): Promise<void> {
    if (!webhook || !(await postUpdate(webhook, update))) throw new Error('the update was not taken')
  }

  /** The conversation of a chat, with its rating and its follow-up, as far as that stands. */
  async conversation(chatId: number | string) {
    return this.read((db) =>
      db
        .selectFrom('conversations as c')
        .leftJoin('conversation_ratings as r', 'r.conversation_id', 'c.id')
        .leftJoin('conversation_follow_ups as f', 'f.conversation_id', 'c.id')
        .where('c.external_chat_id', '=', String(chatId))
        .selectAll('c')
        .select(['c.organization_id as organizationId', 'r.score as rating_score', 'r.comment as rating_comment'])
        .select(['r.ask_at as rating_ask_at', 'r.question_id as rating_question_id'])
        .select(sql<Date | null>`case when ${isStanding} then f.due_at end`.as('follow_up_at'))
        .select(sql<number>`case when ${isStanding} then f.step else 0 end`.as('follow_up_step'))
        .executeTakeFirstOrThrow(),
    )
  }

  async messages(chatId: number) {
    const { id } = await this.conversation(chatId)
    return this.read((db) =>
      db.selectFrom('messages').where('conversation_id', '=', id).selectAll().orderBy('sequence').execute(),
    )
  }

  async turns(chatId: number) {
    const { id } = await this.conversation(chatId)
    return this.read((db) =>
      db.selectFrom('turns').where('conversation_id', '=', id).selectAll().orderBy('created_at').execute(),
    )
  }

  async parts(chatId: number) {
    const { id } = await this.conversation(chatId)
    return this.read((db) =>
      db.selectFrom('outbox').where('conversation_id', '=', id).selectAll().orderBy('sequence').execute(),
    )
  }

  /** Usage of a bot's organization; of one chat when given. */
  async usage(bot: Bot, chatId?: number) {
    const events = await this.read((db) =>
      db.selectFrom('usage_events').where('organization_id', '=', bot.organizationId).selectAll().execute(),
    )
    if (chatId === undefined) return events
    const turns = new Set((await this.turns(chatId)).map((turn) => turn.id as string))
    return events.filter((event) => turns.has(event.source_id.split('/')[0] ?? ''))
  }

  async count(
    table: 'customers' | 'conversations' | 'inbound_events' | 'turns',
    where: Record<string, string>,
  ): Promise<number> {
    return this.read(async (db) => {
      let query = db.selectFrom(table).selectAll()
      for (const [column, value] of Object.entries(where)) query = query.where(sql.ref(column), '=', value)
      return (await query.execute()).length
    })
  }

  read<T>(run: (db: Db) => Promise<T>): Promise<T> {
    return this.services.database.system('test: look', run, { readOnly: true })
  }
}

/** A model that says what the test wants and uses every passage it is given; the answer also arrives as a stream unless the test streams it itself. */
export function scriptedLlm(model: Model): Llm {
  return {
    models: () => [],
    defaultModel: () => 'test/echo',
    cheapestModel: () => 'test/echo',
    answerMs: 55_000,
    assertKnown: () => undefined,
    generate: async (request): Promise<Generation> => {
      try {
        const text = await model(request)
        request.signal.throwIfAborted()
        return { text, call: MODEL_CALL, usedPassageIds: request.passages.map((passage) => passage.id) }
      } finally {
        request.onCall?.(MODEL_CALL)
      }
    },
  }
}

function notUsed<T extends object>(name: string): T {
  return new Proxy({} as T, {
    get() {
      throw new Error(`this test does not expect ${name} to be used`)
    },
  })
}
