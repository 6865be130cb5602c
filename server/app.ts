// Composition root: makes every long-lived part of the server once, in order, and takes them down in reverse.
import path from 'node:path'
import { createMailer } from '#server/adapters/email/email.ts'
import { checkApplicationSecret, loadApplicationSecret } from '#server/auth/application-secret.ts'
import { createAuth } from '#server/auth/auth.ts'
import { isReachable } from '#server/auth/installation.store.ts'
import { createOutbound } from './adapters/outbound.ts'
import { createTelegramChannel } from './adapters/telegram/telegram.ts'
import { modules } from './api.ts'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import { openDatabase } from './db/open.ts'
import { avatarRoutes } from './features/agents/avatars.http.ts'
import { createRegistry } from './functions/registry.ts'
import { createFunctionHost } from './functions/run.ts'
import type { Services } from './functions/services.ts'
import { createHttp } from './http.ts'
import { clientAddress } from './lib/client-address.ts'
import { listen } from './lib/http-listener.ts'
import { createLogger, type Logger } from './lib/logger.ts'
import { isOwnOrigin } from './lib/origins.ts'
import { createSecrets } from './lib/secrets.aes.ts'
import { loadStaticFiles } from './lib/static-files.ts'
import { createLlm } from './llm/create.ts'
import { createPipeline } from './pipeline/pipeline.ts'
import { createSync } from './sync/sync.ts'

const WEB_FOLDER = path.resolve(import.meta.dirname, '../dist/web')
/** How long running answers may take after a stop was asked for. */
const DRAIN_MS = 2000

export interface App {
  /** Where this process answers. */
  url: string
  database: Database
  /** Resolves when no reply is due, being written or being sent. */
  settle(): Promise<void>
  /** Stops taking work, hands back what is unfinished, closes the database. Safe to repeat. */
  close(): Promise<void>
}

/** Parts that tests and the demo bring themselves. */
export type Overrides = Partial<Pick<Services, 'llm' | 'outbound'>> & {
  log?: Logger
  /** Opened and closed by who brings it. */
  database?: Database
}

/** Undoes one step of the start. */
type Closer = () => Promise<void> | void

/**
 * Starts the whole server.
 * @throws StartError, or another Error with a message for the operator, when it cannot
 */
export async function createApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const closers: Closer[] = []
  const closing = once(async () => {
    for (const close of closers.reverse()) await close()
  })
  try {
    return { ...(await start(config, overrides, closers)), close: closing }
  } catch (error) {
    await closing()
    throw error
  }
}

async function start(given: Config, overrides: Overrides, closers: Closer[]): Promise<Omit<App, 'close'>> {
  const log = overrides.log ?? createLogger(given.logLevel)
  const listener = await listen(given)
  closers.push(() => listener.close(DRAIN_MS))
  const url = `http://localhost:${listener.port}`
  const config = given.hasPublicUrl ? given : { ...given, publicUrl: url }

  const database = overrides.database ?? (await openDatabase(config, log))
  if (!overrides.database) closers.push(() => database.close())
  const applicationSecret = await loadApplicationSecret(config, database, log)
  const secrets = createSecrets(applicationSecret)
  await checkApplicationSecret(database, secrets)

  const origins = { ...config, acceptsRequestHost: !config.hasPublicUrl }
  const mailer = createMailer(config.mail, log)
  const auth = await createAuth({ config, origins, database, secrets, applicationSecret, mailer, log })

  const services: Services = {
    database,
    secrets,
    llm: overrides.llm ?? createLlm(config, log),
    outbound: overrides.outbound ?? createOutbound(),
    jobs: notYet('jobs'),
    files: notYet('files'),
    retrieval: notYet('retrieval'),
    channels: { telegram: createTelegramChannel({ apiRoot: config.telegramApiRoot }) },
    publicUrl: config.publicUrl,
  }
  const pipeline = createPipeline({ services, logger: log })
  closers.push(() => pipeline.stop())
  const registry = createRegistry(modules)
  const host = createFunctionHost({ services, registry, logger: log, verifyToken: (token) => auth.verifyToken(token) })
  const sync = createSync(host, {
    logger: log,
    isAllowedOrigin: (origin, name) => isOwnOrigin(origins, origin, name),
    addressOf: (request) => clientAddress(request, config.trustProxy),
  })
  closers.push(() => sync.close())

  let isServing = false
  const http = createHttp({
    config,
    auth,
    web: await loadStaticFiles(WEB_FOLDER),
    isReady: async () => isServing && (await isReachable(database.root)),
    routes: [sync.http, avatarRoutes(services), pipeline.routes],
    log,
  })
  listener.serve({
    fetch: (request, bindings) => http.fetch(request, bindings),
    upgrade: (request, socket, head) => {
      if (!sync.handleUpgrade(request, socket, head)) socket.destroy()
    },
  })
  await pipeline.start()
  isServing = true
  closers.push(() => {
    isServing = false
  })
  log.info({ url: config.publicUrl, database: database.engine }, 'Parley is ready')
  return { url, database, settle: () => pipeline.settle() }
}

function notYet<T extends object>(name: string): T {
  return new Proxy({} as T, {
    get() {
      throw new Error(`${name} is not there yet`)
    },
  })
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= run()
    return running
  }
}
