// Composition root: creates every long-lived part of the server once, in order, and closes them in reverse.
import path from 'node:path'
import type { Context } from 'hono'
import type { Brand } from '#shared/organizations/branding.ts'
import { policyOf } from '#shared/organizations/permissions.ts'
import { modules } from './api.ts'
import type { Config } from './config.ts'
import { createServices, type Overrides, openBasis, type Start } from './create-services.ts'
import { startAlertBot } from './domain/alerts/alert-bot.ts'
import { type AlertRunner, startAlerts } from './domain/alerts/alerts.runner.ts'
import { announceVersion, ownVersion } from './domain/alerts/versions.ts'
import { keepBrand } from './domain/branding/keep-brand.ts'
import { lookAtWebhooks } from './domain/channels/health/webhooks.job.ts'
import { isFlagOn } from './domain/flags/flags.store.ts'
import { sendLetter } from './domain/letters/letters.job.ts'
import { createPipeline, type Pipeline } from './domain/messaging/pipeline/pipeline.ts'
import { hasOpenInvite } from './domain/organizations/invites.store.ts'
import { leaveOrganizations } from './domain/organizations/membership.ts'
import { removeOrganization } from './domain/organizations/removal.ts'
import { startWebhooks, type WebhookRunner } from './domain/webhooks/webhooks.runner.ts'
import { createHandlers } from './functions/handlers.ts'
import type { Services } from './functions/services.ts'
import { createHttp } from './http.ts'
import type { SecretRing } from './platform/auth/application-secret.ts'
import { type Auth, createAuth } from './platform/auth/auth.ts'
import { createUseRecorder, endUnusedSessions } from './platform/auth/session-use.ts'
import type { Database } from './platform/db/database.ts'
import { passingFailure } from './platform/db/engine/engine.ts'
import { createProgramCalls, type ProgramCalls } from './platform/functions/program-calls.ts'
import { createRegistry } from './platform/functions/registry.ts'
import { pruneOutcomes } from './platform/functions/retention.ts'
import { createFunctionHost, type FunctionParts } from './platform/functions/run.ts'
import type { Jobs } from './platform/jobs/pg-boss.ts'
import { setFailure } from './platform/lib/failpoints.ts'
import { countedAddress } from './platform/lib/http/client-address.ts'
import { type Bindings, type HttpListener, listen } from './platform/lib/http/http-listener.ts'
import { isOwnOrigin } from './platform/lib/http/origins.ts'
import { loadStaticFiles } from './platform/lib/http/static-files.ts'
import { createLogger } from './platform/lib/logger.ts'
import { announceServer } from './platform/servers/announce.ts'
import { createSync, type Sync } from './platform/sync/sync.ts'
import { findRequester, findRequestingPerson, type OnUse } from './requesters.ts'
import { createRoutes } from './routes.ts'
import { jobs as allJobs } from './work.ts'

const WEB_FOLDER = path.resolve(import.meta.dirname, '../dist/web')
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
  const kept = await keepBrand(services.database, parts.log)
  parts.later(kept.stop)
  const { brand } = kept
  const auth = await createSignIn(parts, services, { ring: basis.ring, brand })
  const pipeline = createPipeline({
    services,
    logger: parts.log,
    addressOf: addressBy(config),
    metricsToken: config.metricsToken,
    waitShare: given.overrides.waitShare,
  })
  const onUse = createUseRecorder(services.database, parts.log)
  const functions = functionParts(parts, services, { auth, onUse })
  const sync = createRealtime(parts, functions)
  parts.later(pruneOutcomes(services.database, parts.log))
  parts.later(endUnusedSessions(services.database, parts.log))
  parts.later(await announceServer({ database: services.database, version: ownVersion(), log: parts.log }))
  const phase: Phase = { now: 'starting' }
  const alerts = startAlerts(services, parts.log)
  const webhooks = startWebhooks(services, parts.log)
  const { database, alertBot: bot } = services
  const alertBot = bot && startAlertBot({ database, bot, log: parts.log })
  parts.later(() => listener.close(DRAIN_MS))
  parts.later(async () => {
    await Promise.all([sync.close(), pipeline.stop(), jobs.stop(), alerts.stop(), webhooks.stop(), alertBot?.stop()])
  })
  parts.later(() => {
    phase.now = 'stopping'
  })
  await announceVersion(services.database, ownVersion())
  await jobs.start(allJobs, services) // before the doors open: what comes in through them queues jobs
  const routes = await openDoors(parts, listener, {
    ...{ auth, services, pipeline, sync, phase, onUse, brand },
    callAs: createProgramCalls(functions),
  })
  await pipeline.start()
  phase.now = 'serving'
  parts.later(lookAtWebhooks(services, parts.log))
  parts.log.info(
    { url: config.publicUrl, database: config.databaseUrl === undefined ? 'embedded' : 'external' },
    'Parley is ready',
  )
  return {
    url,
    database: services.database,
    services,
    routes,
    settle: () => settle({ jobs, pipeline, alerts, webhooks }),
  }
}

function createSignIn(
  { config, overrides, log }: Start,
  services: Services,
  { ring, brand }: { ring: SecretRing; brand: () => Brand },
): Promise<Auth> {
  const { database, secrets, jobs, proofs } = services
  return createAuth({
    config,
    origins: originsOf(config),
    database,
    secrets,
    ring,
    leaveOrganizations: (db, userId) => leaveOrganizations({ db }, userId),
    sendLetter: (db, letter) => sendLetter({ db, jobs, secrets }, letter),
    removeOrganization: (db, organizationId) => removeOrganization({ db, jobs }, organizationId),
    findWorkplace: async (session) => (await findRequestingPerson(database, session))?.organizationId ?? null,
    isSignUpAllowed: () => isFlagOn({ db: database.root }, 'open_sign_up'),
    productName: () => brand().name,
    hasOpenInvite: (email) => hasOpenInvite({ db: database.root }, email, new Date()),
    passwords: overrides.passwords,
    proofs,
    log,
  })
}

function functionParts(
  { log }: Start,
  services: Services,
  { auth, onUse }: { auth: Auth; onUse: OnUse },
): FunctionParts {
  return {
    registry: createRegistry(modules, policyOf),
    handlers: createHandlers(services),
    database: services.database,
    searches: services.searches,
    logger: log,
    verifyToken: (token) => auth.verifyToken(token),
    onUse,
  }
}

function createRealtime({ config, log }: Start, functions: FunctionParts): Sync {
  const origins = originsOf(config)
  return createSync(createFunctionHost(functions), {
    logger: log,
    isAllowedOrigin: (origin, name) => isOwnOrigin(origins, origin, name),
    addressOf: (request) => countedAddress(request, config.trustProxy),
  })
}

type Doors = {
  auth: Auth
  services: Services
  pipeline: Pipeline
  sync: Sync
  phase: Phase
  onUse: OnUse
  callAs: ProgramCalls
  brand: () => Brand
}

async function openDoors({ config, log }: Start, listener: HttpListener, doors: Doors): Promise<App['routes']> {
  const { services, pipeline, sync, phase } = doors
  const rooms = await createRoutes(services, {
    callerOf: (request) => findRequester(doors, request),
    addressOf: addressBy(config),
    callAs: doors.callAs,
    showsLetters: config.showsLetters,
    log,
  })
  const http = createHttp({
    config,
    auth: doors.auth,
    web: await loadStaticFiles(WEB_FOLDER),
    brand: doors.brand,
    isStopping: () => phase.now === 'stopping',
    isReady: async () => phase.now === 'serving' && (await services.database.isWritable()),
    isDatabaseWritable: () => services.database.isWritable(),
    passingFailure,
    routes: [sync.http, pipeline.routes, ...rooms],
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

type Working = { jobs: Jobs; pipeline: Pipeline; alerts: AlertRunner; webhooks: WebhookRunner }

/** Jobs may cause replies, and replies jobs; both may raise alerts, and are events of webhooks. */
async function settle({ jobs, pipeline, alerts, webhooks }: Working): Promise<void> {
  await jobs.settle()
  await pipeline.settle()
  await jobs.settle()
  await alerts.settle()
  await webhooks.settle()
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
