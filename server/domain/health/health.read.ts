// Reads how the installation is: what is cheap in one look at the database, what takes a moment on its own.
import { hostname } from 'node:os'
import type { Services } from '#server/functions/services.ts'
import type { StoreContext } from '#server/platform/db/database.ts'
import { readStatistics } from '#server/platform/db/statistics.ts'
import {
  type FailingJob as FailingRow,
  listFailing,
  listQueues,
  type QueueState,
} from '#server/platform/jobs/queues.store.ts'
import { listServers, type SeenServer } from '#server/platform/servers/servers.store.ts'
import {
  type FailingJob,
  HEALTH_ROWS,
  type Health,
  type QueueHealth,
  type StorageHealth,
} from '#shared/organizations/health.ts'
import { readDeliveries } from './deliveries.store.ts'
import { problemsOf, storageProblemsOf, withReplacements } from './health.rules.ts'
import { readMail } from './mail.store.ts'
import { listLatestQuarantined, readQuarantine } from './quarantine.store.ts'

/** Of one moment, in one round trip. Reads rows of many tables, and locks none. */
export async function readHealth({ database, mailer }: Pick<Services, 'database' | 'mailer'>): Promise<Health> {
  const read = (db: StoreContext['db']) => readAll({ db })
  const { servers, queues, failing, deliveries, quarantine, latest, mail } = await database.system(
    'health: read',
    read,
    {
      readOnly: true,
      statements: 7,
    },
  )
  const health = {
    at: Date.now(),
    servers: withReplacements(servers.map(toServer)),
    queues: queues.map(toQueue),
    failing: failing.map(toFailing),
    deliveries,
    quarantine: { ...quarantine, latest },
    mail: { ...mail, isConfigured: mailer.isConfigured },
  }
  return { ...health, problems: problemsOf(health) }
}

async function readAll(ctx: StoreContext) {
  const [servers, queues, failing, deliveries, quarantine, latest, mail] = await Promise.all([
    listServers(ctx),
    listQueues(ctx),
    listFailing(ctx, HEALTH_ROWS),
    readDeliveries(ctx),
    readQuarantine(ctx),
    listLatestQuarantined(ctx),
    readMail(ctx),
  ])
  return { servers, queues, failing, deliveries, quarantine, latest, mail }
}

/** The size of the database and of the stored files, and what the database takes longest for. */
export async function readStorage({ database, files }: Pick<Services, 'database' | 'files'>): Promise<StorageHealth> {
  const [{ statements, ...size }, measured] = await Promise.all([readStatistics(database), files.measure()])
  return {
    database: size,
    statements,
    files: { ...measured, host: hostname() },
    problems: storageProblemsOf(measured),
  }
}

function toServer({ id, startedAt, seenAt, ...server }: SeenServer) {
  return { ...server, _id: id, startedAt: startedAt.getTime(), seenAt: seenAt.getTime() }
}

function toQueue({ oldestAt, ...queue }: QueueState): QueueHealth {
  return { ...queue, oldestAt: oldestAt?.getTime() ?? null }
}

function toFailing({ id, failedAt, nextAt, ...job }: FailingRow): FailingJob {
  return { ...job, jobId: id, failedAt: failedAt?.getTime() ?? null, nextAt: nextAt?.getTime() ?? null }
}
