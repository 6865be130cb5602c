// Scheduled work of webhooks: limits that are near, endpoints for which too much waits, and what is too old to be kept.
import type { Services } from '#server/functions/services.ts'
import type { Database } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import * as store from './events.store.ts'

const WRITE = { isolation: 'read committed' } as const

/** Every minute. */
export const watchWebhooksJob = defineJob<object, Pick<Services, 'database'>>({
  name: 'webhooks.watch',
  limitSeconds: 30,
  concurrency: 1,
  schedule: '* * * * *',
  isBrief: true,
  run: ({ database }) => watchWebhooks(database),
})

/** Hourly. */
export const tidyWebhooksJob = defineJob<object, Pick<Services, 'database'>>({
  name: 'webhooks.tidy',
  limitSeconds: 300,
  concurrency: 1,
  schedule: '17 * * * *',
  run: ({ database }, _, signal) => tidyWebhooks(database, signal),
})

/** Safe to repeat. */
export async function watchWebhooks(database: Database): Promise<void> {
  await database.system('webhooks: limits', (db) => store.emitLimits({ db }), WRITE)
  await database.system('webhooks: full endpoints', (db) => store.markFull({ db }), WRITE)
}

/** Safe to repeat. */
export async function tidyWebhooks(database: Database, signal: AbortSignal): Promise<void> {
  await database.system('webhooks: forget secrets', (db) => store.forgetFormerSecrets({ db }), WRITE)
  await database.system('webhooks: empty queues', (db) => store.deleteEmptyQueues({ db }), WRITE)
  while (!signal.aborted) {
    const deleted = await database.system('webhooks: forget', (db) => store.deleteOldEvents({ db }), WRITE)
    if (deleted === 0) return
  }
}
