// Composition root: creates every long-lived part of the server once, in order, and closes them in reverse.
import path from 'node:path'
import type { Context } from 'hono'
import type { OutgoingFile } from '#server/integrations/channels/contract/channel.media.ts'
import { SEARCHES_AT_ONCE } from '#shared/limits.ts'
import { modules } from './api.ts'
import type { Config } from './config.ts'
import { avatarRoutes } from './domain/agents/avatars.http.ts'
import { startAlertBot, unlessConnected } from './domain/alerts/alert-bot.ts'
import { type AlertRunner, startAlerts } from './domain/alerts/alerts.runner.ts'
import { apiRoutes } from './domain/api-tokens/api.http.ts'
import { checkWebhooks } from './domain/channels/health/webhooks.job.ts'
import { widgetRoutes } from './domain/channels/webchat/widget.http.ts'
import { documentRoutes } from './domain/knowledge/documents/documents.http.ts'
import { originalRoutes } from './domain/knowledge/documents/files/originals.http.ts'
import { createRetrieval } from './domain/knowledge/search/create-retrieval.ts'
import { tableRoutes } from './domain/knowledge/tables/tables.http.ts'
import { exportRoutes } from './domain/messaging/compliance/exports.http.ts'
import { customerRoutes } from './domain/messaging/contacts/customers.http.ts'
import { attachmentRoutes } from './domain/messaging/files/attachments.http.ts'
import { sentFileRoutes } from './domain/messaging/files/sent-files.http.ts'
import { sentFileLink } from './domain/messaging/files/sent-files.links.ts'
import { uploadRoutes } from './domain/messaging/files/uploads.http.ts'
import { createPipeline, type Pipeline } from './domain/messaging/pipeline/pipeline.ts'
import { removeOrganization } from './domain/organizations/removal.ts'
import { createHandlers } from './functions/handlers.ts'
import type { Services } from './functions/services.ts'
import { createHttp } from './http.ts'
import { createChannels } from './integrations/channels/registry.ts'
import { createTelegramBot } from './integrations/channels/telegram/telegram.bot.ts'
import { createOutbound } from './integrations/http/outbound.ts'
import { createLlm } from './integrations/llm/create.ts'
import { createEmbeddings } from './integrations/llm/embeddings.ts'
import { createReranker } from './integrations/llm/rerank.ts'
import { createMailer } from './integrations/mail/email.ts'
import { createMedia } from './integrations/media/create.ts'
import { createWebPush } from './integrations/web-push/web-push.ts'
import { createWebSearch } from './integrations/web-search/create.ts'
import {
  checkApplicationSecret,
  loadApplicationSecret,
  loadPushKey,
  type SecretRing,
} from './platform/auth/application-secret.ts'
import { type Auth, createAuth, type PasswordHashing } from './platform/auth/auth.ts'
import type { Database } from './platform/db/database.ts'
import { isOutage } from './platform/db/engine/engine.ts'
import { openDatabase } from './platform/db/engine/open.ts'
import { createDiskStore } from './platform/files/disk-store.ts'
import { watchFileStores } from './platform/files/watch-stores.ts'
import type { Caller } from './platform/functions/caller.ts'
import { findCaller } from './platform/functions/callers.store.ts'
import { createRegistry } from './platform/functions/registry.ts'
import { pruneOutcomes } from './platform/functions/retention.ts'
import { createFunctionHost } from './platform/functions/run.ts'
import { createJobs, type Jobs, type Life } from './platform/jobs/pg-boss.ts'
import { setFailure } from './platform/lib/failpoints.ts'
import { countedAddress } from './platform/lib/http/client-address.ts'
import { type Bindings, type HttpListener, listen } from './platform/lib/http/http-listener.ts'
import { isOwnOrigin } from './platform/lib/http/origins.ts'
import { loadStaticFiles } from './platform/lib/http/static-files.ts'
import { createLogger, type Logger } from './platform/lib/logger.ts'
import { FairScheduler } from './platform/lib/scheduling/fair-scheduler.ts'
import { createSecrets } from './platform/lib/secrets.aes.ts'
import { createSync, type Sync } from './platform/sync/sync.ts'
import { jobs as allJobs } from './work.ts'

const WEB_FOLDER = path.resolve(import.meta.dirname, '../dist/web')
const WIDGET_FOLDER = path.resolve(import.meta.dirname, '../dist/widget')
/** Searches take memory and, in this process, CPU time. Each also waits for a connection, of which there are few. */
const SEARCH_LIMITS = { places: Infinity, most: () => SEARCHES_AT_ONCE, isBackground: () => false, budget: null }
/** How long running requests may take after a stop was requested. */
const DRAIN_MS = 1000

export interface App {
  /** The address at which this process serves. */
  url: string
  database: Database
  services: Services
  /** Every HTTP route, and the middleware in front of several, whose paths end in a star. */
  routes: readonly { method: string; path: string }[]
  /** Resolves when no job, turn or part is due or in progress. */
  settle(): Promise<void>
  /** Stops taking work, returns unfinished work, closes the database. Safe to repeat. */
  close(): Promise<void>
}

/** Parts that tests and the demo supply. */
export type Overrides = Partial<
  Pick<Services, 'llm' | 'media' | 'outbound' | 'selfClient' | 'channels' | 'files' | 'demonstration'>
> & {
  log?: Logger
  /** Opened and closed by the caller. */
  database?: Database
  /** A cheap hash, for accounts of tests and the demo. */
  passwords?: PasswordHashing | undefined
  /** As of `PipelineContext`. */
  waitShare?: number
  /** How soon the jobs of a dead server are taken over. */
  jobLife?: Life
}

/** What the parts below are created from. `later` registers the undo of a step; they run in reverse order. */
type Start = { config: Config; overrides: Overrides; log: Logger; later(undo: () => Promise<void> | void): void }
/** State that routes and probes read. */
type Phase = { now: 'starting' | 'serving' | 'stopping' }

/**
 * Starts the whole server.
 * @throws StartError, or another Error with a message for the operator, when it cannot
 */
export async function createApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const undo: (() => Promise<void> | void)[] = []
  const close = once(async () => {
    for (const step of undo.reverse()) await step()
  })
  const log = overrides.log ?? createLogger(config.logLevel)
  try {
    return { ...(await start({ config, overrides, log, later: (step) => undo.push(step) })), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function start(given: Start): Promise<Omit<App, 'close'>> {
  setFailure(given.config.failure)
  const listener = await listen(given.config)
  given.later(() => listener.close(0))
  const url = `http://localhost:${listener.port}`
  const config = given.config.hasPublicUrl ? given.config : { ...given.config, publicUrl: url }
  const parts = { ...given, config }

  const basis = await openBasis(parts)
  const { services, jobs } = await createServices(parts, basis)
  const auth = await createSignIn(parts, services, basis.ring)
  const pipeline = createPipeline({
    services,
    logger: parts.log,
    addressOf: addressBy(config),
    metricsToken: config.metricsToken,
    waitShare: given.overrides.waitShare,
  })
  const sync = createRealtime(parts, services, auth)
  parts.later(pruneOutcomes(services.database, parts.log))
  const phase: Phase = { now: 'starting' }
  const alerts = startAlerts(services, parts.log)
  const { database, alertBot: bot } = services
  const alertBot = bot && startAlertBot({ database, bot, log: parts.log })
  parts.later(() => listener.close(DRAIN_MS))
  parts.later(async () => {
    await Promise.all([sync.close(), pipeline.stop(), jobs.stop(), alerts.stop(), alertBot?.stop()])
  })
  parts.later(() => {
    phase.now = 'stopping'
  })
  await jobs.start(allJobs, services) // before the doors open: what comes in through them queues jobs
  const routes = await openDoors(parts, listener, { auth, services, pipeline, sync, phase })
  await pipeline.start()
  phase.now = 'serving'
  parts.later(lookAtWebhooks(services, parts.log))
  parts.log.info(
    { url: config.publicUrl, database: config.databaseUrl === undefined ? 'embedded' : 'external' },
    'Parley is ready',
  )
  return { url, database: services.database, services, routes, settle: () => settle(jobs, pipeline, alerts) }
}

/** The database, and what is encrypted in it. */
async function openBasis({ config, overrides, log, later }: Start) {
  const database = overrides.database ?? (await openDatabase(config, log))
  if (!overrides.database) later(() => database.close())
  const ring = await loadApplicationSecret(config, database, log)
  const secrets = createSecrets(ring.current, ring.previous)
  await checkApplicationSecret(database, secrets)
  return { database, secrets, ring, pushKey: await loadPushKey(database, secrets, ring) }
}

function createSignIn({ config, overrides, log }: Start, services: Services, ring: SecretRing): Promise<Auth> {
  const { database, secrets, jobs, mailer } = services
  return createAuth({
    config,
    origins: originsOf(config),
    database,
    secrets,
    ring,
    mailer,
    removeOrganization: (db, organizationId) => removeOrganization({ db, jobs }, organizationId),
    passwords: overrides.passwords,
    log,
  })
}

async function createServices(
  { config, overrides, log, later }: Start,
  { ring: _ring, pushKey, ...basis }: Awaited<ReturnType<typeof openBasis>>,
): Promise<{ services: Services; jobs: Jobs }> {
  const files = overrides.files ?? (await createDiskStore(config.dataDir))
  later(await watchFileStores({ database: basis.database, files, log }))
  const jobs = createJobs({ database: basis.database, fileStoreId: files.id, life: overrides.jobLife, log })
  const retrieval = createRetrieval()
  const outbound = overrides.outbound ?? createOutbound()
  later(() => retrieval.close())
  const { alertBotToken: token, telegramApiRoot: apiRoot } = config
  const bot = token ? createTelegramBot({ apiRoot, token }) : null
  const demonstration = overrides.demonstration ?? null
  const isReachable = config.publicUrl.startsWith('https:') || demonstration !== null
  const linkTo = ({ key, name }: OutgoingFile) =>
    key !== undefined && isReachable ? sentFileLink(basis.secrets, config.publicUrl, { key, name }, Date.now()) : null
  const services: Services = {
    ...basis,
    files,
    jobs,
    retrieval,
    searches: new FairScheduler(SEARCH_LIMITS),
    llm: overrides.llm ?? createLlm(config, log),
    media: overrides.media ?? createMedia(config),
    embeddings: config.embeddings ? createEmbeddings(config.embeddings) : null,
    reranker: config.rerank ? createReranker(config.rerank) : null,
    webSearch: config.webSearch ? createWebSearch(config.webSearch) : null,
    outbound,
    mailer: createMailer(config.mail, log),
    alertBot: bot && (await unlessConnected({ database: basis.database, bot, log })),
    webPush: createWebPush({ key: pushKey, publicUrl: config.publicUrl, outbound }),
    selfClient: overrides.selfClient ?? createOutbound({ isAllowed: () => true }),
    channels: overrides.channels ?? createChannels(config, { outbound, linkTo }),
    greenApiUrl: config.greenApiUrl,
    publicUrl: config.publicUrl,
    demonstration,
  }
  services.llm.models() // has a server of the operator's own asked what it serves before the first agent is made
  return { services, jobs }
}

function createRealtime({ config, log }: Start, services: Services, auth: Auth): Sync {
  const registry = createRegistry(modules)
  const origins = originsOf(config)
  const host = createFunctionHost({
    registry,
    handlers: createHandlers(services),
    database: services.database,
    searches: services.searches,
    logger: log,
    verifyToken: (token) => auth.verifyToken(token),
  })
  return createSync(host, {
    logger: log,
    isAllowedOrigin: (origin, name) => isOwnOrigin(origins, origin, name),
    addressOf: (request) => countedAddress(request, config.trustProxy),
  })
}

type Doors = { auth: Auth; services: Services; pipeline: Pipeline; sync: Sync; phase: Phase }

async function openDoors({ config, log }: Start, listener: HttpListener, doors: Doors): Promise<App['routes']> {
  const { auth, services, pipeline, sync, phase } = doors
  const http = createHttp({
    config,
    auth,
    web: await loadStaticFiles(WEB_FOLDER),
    isStopping: () => phase.now === 'stopping',
    isReady: async () => phase.now === 'serving' && (await services.database.isWritable()),
    isDatabaseWritable: () => services.database.isWritable(),
    isOutage,
    routes: [
      sync.http,
      pipeline.routes,
      documentRoutes(services, (request) => findRequester(auth, services.database, request)),
      tableRoutes(services, (request) => findRequester(auth, services.database, request)),
      originalRoutes(services, (request) => findRequester(auth, services.database, request)),
      sentFileRoutes(services),
      attachmentRoutes(services, (request) => findRequester(auth, services.database, request)),
      customerRoutes(services, (request) => findRequester(auth, services.database, request)),
      exportRoutes(services, (request) => findRequester(auth, services.database, request)),
      uploadRoutes(services, (request) => findRequester(auth, services.database, request)),
      avatarRoutes(services),
      widgetRoutes(services, await loadStaticFiles(WIDGET_FOLDER)),
      apiRoutes(services),
    ],
    log,
  })
  listener.serve({
    fetch: (request, bindings) => http.fetch(request, bindings),
    upgrade: (request, socket, head) => {
      if (!sync.handleUpgrade(request, socket, head)) socket.destroy()
    },
  })
  return http.routes.map(({ method, path }) => ({ method, path }))
}

/** The public address may be another one since the last start: providers deliver to it at once. @returns what breaks the look off */
function lookAtWebhooks(services: Services, log: Logger): () => void {
  const stopping = new AbortController()
  checkWebhooks.run(services, {}, stopping.signal).catch((err: unknown) => {
    if (!stopping.signal.aborted) log.warn({ err }, 'webhooks were not looked at')
  })
  return () => stopping.abort()
}

/** Who sends a plain HTTP request, with their current rights; null when anonymous. */
async function findRequester(auth: Auth, database: Database, request: Request): Promise<Caller | null> {
  const identity = await auth.identify(request)
  if (!identity) return null
  const options = { isolation: 'read committed', readOnly: true } as const
  return (await database.transaction({ kind: 'none' }, (db) => findCaller({ db }, identity), options)) ?? null
}

/** Jobs may cause replies, and replies jobs; both may raise alerts. */
async function settle(jobs: Jobs, pipeline: Pipeline, alerts: AlertRunner): Promise<void> {
  await jobs.settle()
  await pipeline.settle()
  await jobs.settle()
  await alerts.settle()
}

/** The client's address of a request to our own routes. */
function addressBy({ trustProxy }: Config): (c: Context<{ Bindings: Bindings }>) => string {
  return (c) => countedAddress(c.env.incoming, trustProxy)
}

function originsOf(config: Config) {
  return { ...config, acceptsRequestHost: !config.hasPublicUrl }
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= run()
    return running
  }
}
