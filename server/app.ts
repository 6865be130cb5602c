// Composition root: makes every long-lived part of the server once, in order, and takes them down in reverse.
import path from 'node:path'
import type { Context } from 'hono'
import type { OutgoingFile } from '#server/adapters/channel.media.ts'
import { createInstagramChannel } from '#server/adapters/instagram/instagram.ts'
import { SEARCHES_AT_ONCE } from '#shared/limits.ts'
import { createAvitoChannel } from './adapters/avito/avito.ts'
import { createMailer } from './adapters/email/email.ts'
import { createWhatsappChannel } from './adapters/green-api/green-api.ts'
import { createHttpChannel } from './adapters/http-channel/http-channel.ts'
import { createMaxChannel } from './adapters/max/max.ts'
import { createOutbound } from './adapters/outbound.ts'
import { createTelegramBot } from './adapters/telegram/telegram.bot.ts'
import { createTelegramChannel } from './adapters/telegram/telegram.ts'
import { createVkChannel } from './adapters/vk/vk.ts'
import { createWebPush } from './adapters/web-push/web-push.ts'
import { createWebchatChannel } from './adapters/webchat/webchat.ts'
import { createWhatsappCloudChannel } from './adapters/whatsapp-cloud/whatsapp-cloud.ts'
import { modules } from './api.ts'
import {
  checkApplicationSecret,
  loadApplicationSecret,
  loadPushKey,
  type SecretRing,
} from './auth/application-secret.ts'
import { type Auth, createAuth, type PasswordHashing } from './auth/auth.ts'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import { isOutage } from './db/engine.ts'
import { openDatabase } from './db/open.ts'
import { avatarRoutes } from './features/agents/avatars.http.ts'
import { startAlertBot, unlessConnected } from './features/alerts/alert-bot.ts'
import { type AlertRunner, startAlerts } from './features/alerts/alerts.runner.ts'
import { apiRoutes } from './features/api/api.http.ts'
import { checkWebhooks } from './features/channels/webhooks.job.ts'
import { widgetRoutes } from './features/channels/widget.http.ts'
import { attachmentRoutes } from './features/conversations/attachments.http.ts'
import { customerRoutes } from './features/conversations/customers.http.ts'
import { exportRoutes } from './features/conversations/exports.http.ts'
import { sentFileRoutes } from './features/conversations/sent-files.http.ts'
import { sentFileLink } from './features/conversations/sent-files.links.ts'
import { uploadRoutes } from './features/conversations/uploads.http.ts'
import { documentRoutes } from './features/knowledge/documents.http.ts'
import { originalRoutes } from './features/knowledge/originals.http.ts'
import { tableRoutes } from './features/knowledge/tables.http.ts'
import { removeOrganization } from './features/organizations/removal.ts'
import { createDiskStore } from './files/disk-store.ts'
import { watchFileStores } from './files/watch-stores.ts'
import { findCaller } from './functions/callers.store.ts'
import type { Caller } from './functions/context.ts'
import { createRegistry } from './functions/registry.ts'
import { pruneOutcomes } from './functions/retention.ts'
import { createFunctionHost } from './functions/run.ts'
import type { Services } from './functions/services.ts'
import { createHttp } from './http.ts'
import { createJobs, type Jobs, type Life } from './jobs/pg-boss.ts'
import { countedAddress } from './lib/client-address.ts'
import { setFailure } from './lib/failpoints.ts'
import { FairScheduler } from './lib/fair-scheduler.ts'
import { type Bindings, type HttpListener, listen } from './lib/http-listener.ts'
import { createLogger, type Logger } from './lib/logger.ts'
import { isOwnOrigin } from './lib/origins.ts'
import { createSecrets } from './lib/secrets.aes.ts'
import { loadStaticFiles } from './lib/static-files.ts'
import { createLlm } from './llm/create.ts'
import { createEmbeddings } from './llm/embeddings.ts'
import { createReranker } from './llm/rerank.ts'
import { createMedia } from './media/create.ts'
import { createPipeline, type Pipeline } from './pipeline/pipeline.ts'
import { createRetrieval } from './retrieval/create-retrieval.ts'
import { createSync, type Sync } from './sync/sync.ts'
import { createWebSearch } from './websearch/create.ts'
import { jobs as allJobs } from './work.ts'

const WEB_FOLDER = path.resolve(import.meta.dirname, '../dist/web')
const WIDGET_FOLDER = path.resolve(import.meta.dirname, '../dist/widget')
/** Searches take memory and, in this process, processor time. Each waits for a connection as well, of which there are few. */
const SEARCH_LIMITS = { places: Infinity, most: () => SEARCHES_AT_ONCE, isBackground: () => false, budget: null }
/** How long running answers may take after a stop was asked for. */
const DRAIN_MS = 1000

export interface App {
  /** Where this process answers. */
  url: string
  database: Database
  services: Services
  /** Every route of the HTTP door, and what stands before several: their paths end in a star. */
  routes: readonly { method: string; path: string }[]
  /** Resolves when no job, turn or part is due or under way. */
  settle(): Promise<void>
  /** Stops taking work, hands back what is unfinished, closes the database. Safe to repeat. */
  close(): Promise<void>
}

/** Parts that tests and the demo bring themselves. */
export type Overrides = Partial<
  Pick<Services, 'llm' | 'media' | 'outbound' | 'ourselves' | 'channels' | 'files' | 'demonstration'>
> & {
  log?: Logger
  /** Opened and closed by who brings it. */
  database?: Database
  /** A hash that costs little, for accounts that guard nothing. */
  passwords?: PasswordHashing | undefined
  /** As of `PipelineContext`. */
  waitShare?: number
  /** How soon the jobs of a server that died are taken over. */
  jobLife?: Life
}

/** What the parts below are made from. `later` takes what undoes a step; the last step is undone first. */
type Start = { config: Config; overrides: Overrides; log: Logger; later(undo: () => Promise<void> | void): void }
/** State that routes and probes ask for. */
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
    ourselves: overrides.ourselves ?? createOutbound({ isAllowed: () => true }),
    channels: overrides.channels ?? {
      telegram: createTelegramChannel({ apiRoot }),
      whatsapp: createWhatsappChannel({ outbound, partner: config.greenApiPartner }),
      whatsappCloud: createWhatsappCloudChannel({ graphUrl: config.whatsappGraphUrl }),
      max: createMaxChannel({ apiUrl: config.maxApiUrl, outbound }),
      vk: createVkChannel({ apiUrl: config.vkApiUrl, outbound }),
      avito: createAvitoChannel({ apiUrl: config.avitoApiUrl, outbound }),
      instagram: createInstagramChannel({ ...config.instagramGraph, outbound, linkTo }),
      http: createHttpChannel({ outbound }),
      webchat: createWebchatChannel(),
    },
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
  const host = createFunctionHost({ services, registry, logger: log, verifyToken: (token) => auth.verifyToken(token) })
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

/** Who sends a plain HTTP request, with the rights of this moment; null for nobody. */
async function findRequester(auth: Auth, database: Database, request: Request): Promise<Caller | null> {
  const identity = await auth.identify(request)
  if (!identity) return null
  const options = { isolation: 'read committed', readOnly: true } as const
  return (await database.transaction({ kind: 'none' }, (db) => findCaller({ db }, identity), options)) ?? null
}

/** Jobs may cause replies, and replies jobs; all of it may call people. */
async function settle(jobs: Jobs, pipeline: Pipeline, alerts: AlertRunner): Promise<void> {
  await jobs.settle()
  await pipeline.settle()
  await jobs.settle()
  await alerts.settle()
}

/** Where a request of our own routes comes from. */
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
