// A pipeline over a real database, a channel without a network and a model that errs: the environment in which seeds are played.
import type { JSONValue } from 'convex/values'
import { sql } from 'kysely'
import { createPipeline, type Pipeline } from '#server/domain/messaging/pipeline/pipeline.ts'
import type { Services } from '#server/functions/services.ts'
import { createChannels } from '#server/integrations/channels/registry.ts'
import type { Database, Db } from '#server/platform/db/database.ts'
import { isConflict } from '#server/platform/db/engine/engine.ts'
import { createSignals } from '#server/platform/db/live/signals.ts'
import { createLogger } from '#server/platform/lib/logger.ts'
import { FairScheduler } from '#server/platform/lib/scheduling/fair-scheduler.ts'
import { createSecrets } from '#server/platform/lib/secrets.aes.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import type { Id } from '#shared/ids.ts'
import { callDirectly } from '#tests/direct-call.ts'
import { scriptedLlm } from '#tests/pipeline-world.ts'
import { UNREACHED } from '#tests/unreached-channels.ts'
import { MemoryChannel } from './channel.ts'
import { addFixtures, type Fixture } from './fixture.ts'
import { moodyModel } from './model.ts'
import { asRequest, observed } from './observed.ts'
import { Poller, type Standing } from './poller.ts'
import { type Play, Stage } from './stage.ts'

/** A step of another actor that concerns a conversation. */
const OTHERS_REPLACE = 'others have the server replaced'
const WRITE = { isolation: 'read committed' } as const

/** A mutation of the public contract, and which member calls it. */
export type Call = { mutation: unknown; args: Record<string, JSONValue>; by: Id<'users'> }

/** One server process and everything around it. */
export class SimulationWorld {
  readonly stage = new Stage()
  readonly database: Database
  readonly #lookout: Poller
  readonly #services: Services
  readonly #wakes = createSignals()
  #pipeline: Pipeline
  /** Resolves when no server is being replaced. */
  #replaced: Promise<void> = Promise.resolve()
  /** Resolves when no call of an operator is under way. */
  #called: Promise<unknown> = Promise.resolve()

  constructor(database: Database) {
    this.database = database
    this.#lookout = new Poller(database)
    this.#services = servicesFor(observed(database, this.stage, this.#wakes), this.stage)
    this.#pipeline = this.#createPipeline()
  }

  start(): Promise<void> {
    return this.#pipeline.start()
  }

  async stop(): Promise<void> {
    await this.#replaced
    await this.#pipeline.stop()
  }

  /** Adds a conversation. In a replay, only the record triggers what others did in it. */
  enter(play: Play): void {
    this.stage.enter(play)
    play.order.onOthers(OTHERS_REPLACE, () => void this.#replace(() => undefined))
    play.order.onAdvance(() => this.#wakes.fire())
    const { station } = play
    play.order.onHurry(
      () => void this.database.organization(station.organizationId, (db) => endWaits(db, station), WRITE),
    )
  }

  /** Starts another server on the same database, then stops this one in the middle of its work. */
  async replace(play: Play): Promise<void> {
    let replaced = Promise.resolve()
    const replace = (stopping: () => void) => {
      replaced = this.#replace(stopping)
    }
    await play.order.act('the server is replaced', () => new Promise<void>(replace))
    for (const other of this.stage.all()) if (other !== play) other.order.note(OTHERS_REPLACE)
    await replaced
  }

  /** A notification of the provider, delivered any number of times. @throws when it was not accepted */
  async deliver({ station, order }: Play, body: unknown): Promise<void> {
    const request = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const path = `/webhooks/telegram/${station.webhookPath}`
    const answer = await order.act('webhook', () => asRequest(async () => this.#pipeline.routes.request(path, request)))
    if (answer.status !== 200) throw new Error(`the webhook answered ${answer.status}`)
  }

  /**
   * Calls a function of the public contract without a socket, as a member of the organization. Calls of all conversations go one after
   * another: they are serializable, and would mostly retry each other for nothing.
   */
  async call(play: Play, called: Call): Promise<unknown> {
    const calling = this.#called.then(() => play.order.act('call', () => this.#run(play, called)))
    this.#called = calling.catch(() => undefined)
    try {
      return await calling
    } catch (error) {
      if (!isConflict(error)) throw error
      return this.call(play, called)
    }
  }

  /** The state of a conversation. */
  look({ station }: Play, chatId: string): Promise<Standing> {
    return this.#lookout.look({ connectionId: station.connectionId, chatId })
  }

  /** Its state after a poll interval. */
  async lookAgain(play: Play, chatId: string): Promise<Standing> {
    await this.#lookout.again()
    return this.look(play, chatId)
  }

  read<T>(run: (db: Db) => Promise<T>): Promise<T> {
    return this.database.system('simulation: look', run, { ...WRITE, readOnly: true })
  }

  /** One connection for each kind of agent. */
  addStations(manners: Partial<AgentSettings>[]): Promise<Fixture[]> {
    return addFixtures(this.database, this.#services.secrets, manners)
  }

  /** Ends the waits of a conversation: buffers, pauses between parts, retries and, on request, the timers of pauses. */
  async passTime({ station, order }: Play, { isTimersToo }: { isTimersToo: boolean }): Promise<void> {
    const pass = (db: Db) => (isTimersToo ? endTimers(db, station) : endWaits(db, station))
    const transact = () => this.database.organization(station.organizationId, pass, WRITE)
    if (isTimersToo) await order.act('timers run out', transact)
    else await order.act('waits are over', transact, { concerns: (ended) => ended > 0 })
  }

  /** Expires the lease of the server that works on a conversation: another takes its turn over, and a late result is rejected. */
  async loseOwner({ station, order }: Play): Promise<void> {
    await order.act('the owner is lost', () =>
      this.database.organization(
        station.organizationId,
        (db) => sql`update turns set owner = ${DEAD}::int where status = 'running'`.execute(db),
        WRITE,
      ),
    )
  }

  /** One at a time. `stopping` is called when the former server begins to stop. */
  async #replace(stopping: () => void): Promise<void> {
    const former = this.#replaced
    const next = Promise.withResolvers<void>()
    this.#replaced = next.promise
    await former
    const old = this.#pipeline
    const created = this.#createPipeline()
    await created.start()
    this.#pipeline = created
    stopping()
    await old.stop()
    next.resolve()
  }

  #run({ station: { organizationId } }: Play, { mutation, args, by }: Call): Promise<unknown> {
    return callDirectly(this.#services, { userId: by, organizationId }, mutation, args)
  }

  #createPipeline(): Pipeline {
    return createPipeline({
      services: this.#services,
      logger: createLogger(process.env.LOG_LEVEL ?? 'silent'),
      addressOf: () => '',
    })
  }
}

/** The id of a server that does not exist. */
const DEAD = 1_999_999_999

/** @returns how many */
async function endWaits(db: Db, { organizationId }: Fixture): Promise<number> {
  const turns = sql`update turns set not_before = now()
    where organization_id = ${organizationId} and status = 'pending' and not_before > now()`.execute(db)
  const parts = sql`update outbox set not_before = now()
    where organization_id = ${organizationId} and status = 'queued' and not_before > now()`.execute(db)
  const ended = await Promise.all([turns, parts])
  return ended.reduce((sum, { numAffectedRows }) => sum + Number(numAffectedRows ?? 0), 0)
}

async function endTimers(db: Db, station: Fixture): Promise<number> {
  const isOver = (timer: string) => sql`case when ${sql.ref(timer)} > now() then now() else ${sql.ref(timer)} end`
  const { organizationId } = station
  await sql`update conversations set resume_at = ${isOver('resume_at')} where organization_id = ${organizationId}`.execute(
    db,
  )
  await sql`update conversation_follow_ups set due_at = ${isOver('due_at')} where organization_id = ${organizationId}`.execute(
    db,
  )
  await sql`update conversation_ratings set ask_at = ${isOver('ask_at')} where organization_id = ${organizationId}`.execute(
    db,
  )
  return endWaits(db, station)
}

function servicesFor(database: Database, stage: Stage): Services {
  const unused = new Proxy({}, { get: (_, name) => fail(`services.${String(name)} is not simulated`) })
  return {
    database,
    channels: {
      ...createChannels(UNREACHED, { outbound: unused as Services['outbound'], linkTo: () => null }),
      telegram: new MemoryChannel(stage),
    },
    googleCalendar: null,
    salesEmail: undefined,
    greenApiUrl: 'http://127.0.0.1:9',
    demonstration: null,
    secrets: createSecrets('a secret of the simulation, long enough'),
    llm: scriptedLlm(moodyModel(stage)),
    media: unused as Services['media'],
    embeddings: null,
    reranker: null,
    webSearch: null,
    retrieval: unused as Services['retrieval'],
    searches: new FairScheduler({ places: Infinity, most: () => 1, isBackground: () => false, budget: null }),
    jobs: { send: async () => undefined, sendAll: async () => undefined },
    files: unused as Services['files'],
    outbound: unused as Services['outbound'],
    mailer: unused as Services['mailer'],
    proofs: unused as Services['proofs'],
    alertBot: null,
    webPush: unused as Services['webPush'],
    selfClient: unused as Services['selfClient'],
    publicUrl: 'http://localhost',
  }
}

function fail(message: string): never {
  throw new Error(message)
}
