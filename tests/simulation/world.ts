// A pipeline over a real database, a channel without a network and a model that errs: the ground on which seeds are played.
import { sql } from 'kysely'
import { createWhatsappChannel } from '#server/adapters/green-api/green-api.ts'
import { createHttpChannel } from '#server/adapters/http-channel/http-channel.ts'
import { createWebchatChannel } from '#server/adapters/webchat/webchat.ts'
import type { Database, Db } from '#server/db/database.ts'
import { randomSecret, seal } from '#server/features/channels/access.ts'
import { insertConnection, setConnected } from '#server/features/channels/connections.store.ts'
import type { FunctionDefinition } from '#server/functions/define.ts'
import type { Services } from '#server/functions/services.ts'
import { newId } from '#server/lib/ids.ts'
import { createLogger } from '#server/lib/logger.ts'
import { createSecrets } from '#server/lib/secrets.aes.ts'
import { createPipeline, type Pipeline } from '#server/pipeline/pipeline.ts'
import type { AgentSettings } from '#shared/agent-settings.ts'
import type { Id } from '#shared/ids.ts'
import { type Model, scriptedLlm } from '#tests/pipeline-world.ts'
import { addOrganization } from '#tests/rows.ts'
import { MemoryChannel } from './channel.ts'

/** An agent behind a connection of its own. */
export type Station = { agentId: Id<'agents'>; connectionId: Id<'channelConnections'>; webhookPath: string }

/** One server process and everything around it. */
export class SimulationWorld {
  readonly channel = new MemoryChannel()
  readonly database: Database
  organizationId = newId<'organizations'>()
  #services: Services
  #pipeline: Pipeline
  /** Resolves when no server is being replaced. */
  #replaced: Promise<void> = Promise.resolve()

  constructor(database: Database, model: Model) {
    this.database = database
    this.#services = servicesFor(database, this.channel, model)
    this.#pipeline = this.#createPipeline()
  }

  async start(): Promise<void> {
    this.organizationId = await addOrganization(this.database)
    await this.#pipeline.start()
  }

  stop(): Promise<void> {
    return this.#pipeline.stop()
  }

  /** Starts another server on the same database, and then stops this one in the middle of whatever it does. One at a time. */
  async replace(): Promise<void> {
    const former = this.#replaced
    const next = Promise.withResolvers<void>()
    this.#replaced = next.promise
    await former
    const old = this.#pipeline
    const created = this.#createPipeline()
    await created.start()
    this.#pipeline = created
    await old.stop()
    next.resolve()
  }

  settle(): Promise<void> {
    return this.#pipeline.settle()
  }

  /** A notification of the provider, as often as the provider likes. @throws when it was not taken */
  async deliver(station: Station, body: unknown): Promise<void> {
    const request = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const answer = await this.#pipeline.routes.request(`/webhooks/telegram/${station.webhookPath}`, request)
    if (answer.status !== 200) throw new Error(`the webhook answered ${answer.status}`)
  }

  /** Calls a mutation of the public contract past the socket, as a member of the organization. */
  call(mutation: unknown, args: Record<string, unknown>): Promise<unknown> {
    const { handler } = mutation as FunctionDefinition
    const run = handler as (ctx: unknown, args: unknown) => Promise<unknown>
    return this.write((db) => run(this.#callContext(db), args))
  }

  write<T>(run: (db: Db) => Promise<T>): Promise<T> {
    return this.database.organization(this.organizationId, run)
  }

  /** An agent with a connection. */
  async addStation(settings: Partial<AgentSettings>): Promise<Station> {
    const agentId = newId('agents')
    const connectionId = newId('channelConnections')
    const webhookPath = randomSecret()
    const organizationId = this.organizationId
    await this.write(async (db) => {
      const agent = { id: agentId, organization_id: organizationId, slug: agentId, name: 'Agent', avatar: null }
      await db
        .insertInto('agents')
        .values({ ...agent, deleted_at: null })
        .execute()
      const version = { agent_id: agentId, number: 1, author_id: null, restored_from: null }
      await db
        .insertInto('agent_versions')
        .values({
          ...version,
          id: newId('agentVersions'),
          organization_id: organizationId,
          settings: JSON.stringify({ model: 'test/model', ...settings }),
        })
        .execute()
      const ctx = { db, organizationId }
      const credentials = { token: connectionId, webhookSecret: randomSecret() }
      const connection = {
        ...seal(this.#services.secrets, connectionId, credentials),
        organizationId,
        agentId,
        channel: 'telegram' as const,
        delivery: 'webhook' as const,
        identifier: 'bot',
        externalAccountId: connectionId,
        webhookPath,
        tokenTail: '0000',
        state: null,
      }
      await insertConnection(ctx, connection, new Date())
      await setConnected(ctx, connectionId, new Date())
    })
    return { agentId, connectionId, webhookPath }
  }

  /** The waits of these conversations are over: buffers, pauses between parts, tries; and, when wished, the timers of pauses. */
  async passTime(conversationIds: string[], { isTimersToo }: { isTimersToo: boolean }): Promise<void> {
    await this.write(async (db) => {
      const these = sql`conversation_id = any (${conversationIds}::text[])`
      await sql`update turns set not_before = now() where status = 'pending' and ${these}`.execute(db)
      await sql`update outbox set not_before = now() where status = 'queued' and ${these}`.execute(db)
      if (!isTimersToo) return
      await sql`update conversations set resume_at = least(resume_at, now()), follow_up_at = least(follow_up_at, now())
        where id = any (${conversationIds}::text[])`.execute(db)
    })
  }

  /** Whether a part is out at the channel at this moment. */
  async isSending(conversationId: string): Promise<boolean> {
    const sending = await this.write((db) =>
      sql`select id from outbox where status = 'sending' and conversation_id = ${conversationId}`.execute(db),
    )
    return sending.rows.length > 0
  }

  /** The server that works on a conversation is thought dead: another takes its turn over, and what it still brings is too late. */
  async loseOwner(conversationId: string): Promise<void> {
    await this.write((db) =>
      sql`update turns set owner = ${DEAD}::int where status = 'running' and conversation_id = ${conversationId}`.execute(
        db,
      ),
    )
  }

  #createPipeline(): Pipeline {
    return createPipeline({
      services: this.#services,
      logger: createLogger(process.env.LOG_LEVEL ?? 'silent'),
      addressOf: () => '',
    })
  }

  #callContext(db: Db) {
    return {
      db,
      organizationId: this.organizationId,
      caller: { userId: null, organizationId: this.organizationId },
      now: new Date(),
      jobs: this.#services.jobs,
      models: this.#services.llm,
    }
  }
}

/** A server that nobody has ever heard of. */
const DEAD = 1_999_999_999

function servicesFor(database: Database, channel: MemoryChannel, model: Model): Services {
  const unused = new Proxy({}, { get: (_, name) => fail(`services.${String(name)} is not simulated`) })
  return {
    database,
    channels: {
      telegram: channel,
      whatsapp: createWhatsappChannel({ outbound: unused as Services['outbound'] }),
      http: createHttpChannel({ outbound: unused as Services['outbound'] }),
      webchat: createWebchatChannel(),
    },
    greenApiUrl: 'http://127.0.0.1:9',
    secrets: createSecrets('a secret of the simulation, long enough'),
    llm: scriptedLlm(model),
    media: unused as Services['media'],
    embeddings: null,
    reranker: null,
    webSearch: null,
    retrieval: unused as Services['retrieval'],
    jobs: { send: async () => undefined },
    files: unused as Services['files'],
    outbound: unused as Services['outbound'],
    publicUrl: 'http://localhost',
  }
}

function fail(message: string): never {
  throw new Error(message)
}
