// Ends an access when its time is over: open screens leave the organization then, and its members see that it has ended.
import type { Database } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import type { Id } from '#shared/ids.ts'
import { expireAccess } from './support.store.ts'

/** Sent with the time at which it ends. Calls are refused from then on, whenever this runs. */
export const endSupportJob = defineJob<{ accessId: Id<'supportAccesses'> }, { database: Database }>({
  name: 'support.end',
  limitSeconds: 30,
  concurrency: 1,
  async run({ database }, { accessId }) {
    await database.system('support: end an access', (db) => expireAccess({ db }, accessId))
  },
})
