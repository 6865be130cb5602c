// What functions, jobs and routes share: each long-lived part is created once.
import type { OutgoingFile } from '#server/integrations/channels/contract/channel.media.ts'
import { SEARCHES_AT_ONCE } from '#shared/limits.ts'
import type { Config } from './config.ts'
import { unlessConnected } from './domain/alerts/alert-bot.ts'
import { createRetrieval } from './domain/knowledge/search/create-retrieval.ts'
import { sentFileLink } from './domain/messaging/files/sent-files.links.ts'
import { keepPrices } from './domain/models/keep-prices.ts'
import type { Services } from './functions/services.ts'
import { createChannels } from './integrations/channels/registry.ts'
import { createTelegramBot } from './integrations/channels/telegram/telegram.bot.ts'
import { createGoogleCalendar } from './integrations/google-calendar/google-calendar.ts'
import { createOutbound } from './integrations/http/outbound.ts'
import { createLlm } from './integrations/llm/create.ts'
import { createEmbeddings } from './integrations/llm/embeddings.ts'
import { Prices } from './integrations/llm/prices.ts'
import { createReranker } from './integrations/llm/rerank.ts'
import { createMailer } from './integrations/mail/email.ts'
import { createMedia } from './integrations/media/create.ts'
import { createWebPush } from './integrations/web-push/web-push.ts'
import { createWebSearch } from './integrations/web-search/create.ts'
import { checkApplicationSecret, loadApplicationSecret, loadPushKey } from './platform/auth/application-secret.ts'
import { createProofs, type PasswordHashing } from './platform/auth/factors/proof.ts'
import type { Database } from './platform/db/database.ts'
import { openDatabase } from './platform/db/engine/open.ts'
import { createDiskStore } from './platform/files/disk-store.ts'
import { watchFileStores } from './platform/files/watch-stores.ts'
import { createJobs, type Jobs, type Life } from './platform/jobs/pg-boss.ts'
import type { Logger } from './platform/lib/logger.ts'
import { FairScheduler } from './platform/lib/scheduling/fair-scheduler.ts'
import { createSecrets } from './platform/lib/secrets.aes.ts'

/** Searches take memory and, in this process, CPU time. Each also waits for a connection, of which there are few. */
const SEARCH_LIMITS = { places: Infinity, most: () => SEARCHES_AT_ONCE, isBackground: () => false, budget: null }

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

/** What the parts of the server are created from. `later` registers the undo of a step; they run in reverse order. */
export type Start = { config: Config; overrides: Overrides; log: Logger; later(undo: () => Promise<void> | void): void }

/** The database, and what is encrypted in it. */
export async function openBasis({ config, overrides, log, later }: Start) {
  const database = overrides.database ?? (await openDatabase(config, log))
  if (!overrides.database) later(() => database.close())
  const ring = await loadApplicationSecret(config, database, log)
  const secrets = createSecrets(ring.current, ring.previous)
  await checkApplicationSecret(database, secrets)
  return { database, secrets, ring, pushKey: await loadPushKey(database, secrets, ring) }
}

/** The parts that functions, jobs and routes share. */
export async function createServices(
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
  const prices = new Prices()
  later(await keepPrices(basis.database, prices, log))
  const services: Services = {
    ...basis,
    files,
    jobs,
    retrieval,
    searches: new FairScheduler(SEARCH_LIMITS),
    llm: overrides.llm ?? createLlm({ ...config, prices }, log),
    media: overrides.media ?? createMedia(config),
    embeddings: config.embeddings ? createEmbeddings(config.embeddings) : null,
    reranker: config.rerank ? createReranker(config.rerank) : null,
    webSearch: config.webSearch ? createWebSearch(config.webSearch) : null,
    outbound,
    mailer: createMailer(config.mail, log),
    proofs: createProofs(basis.database, overrides.passwords),
    alertBot: bot && (await unlessConnected({ database: basis.database, bot, log })),
    webPush: createWebPush({ key: pushKey, publicUrl: config.publicUrl, outbound }),
    selfClient: overrides.selfClient ?? createOutbound({ isAllowed: () => true }),
    channels: overrides.channels ?? createChannels(config, { outbound, linkTo }),
    googleCalendar: config.googleCalendar ? createGoogleCalendar(config.googleCalendar) : null,
    salesEmail: config.salesEmail,
    greenApiUrl: config.greenApiUrl,
    publicUrl: config.publicUrl,
    demonstration,
  }
  services.llm.models() // has a server of the operator's own asked what it serves before the first agent is made
  return { services, jobs }
}
