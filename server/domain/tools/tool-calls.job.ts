// Once a day, calls of tools of long ago are forgotten: the page of functions counts days, not months.
import type { Services } from '#server/functions/services.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { forgetCalls } from './tool-calls.store.ts'

const KEEP_MS = 30 * 24 * 3_600_000

/** Over all organizations. */
export const forgetToolCallsJob = defineJob<object, Pick<Services, 'database'>>({
  name: 'tools.forget-calls',
  limitSeconds: 60,
  concurrency: 1,
  schedule: '41 3 * * *',
  run: ({ database }) =>
    database.system('tools: forget calls', (db) => forgetCalls({ db }, new Date(Date.now() - KEEP_MS))),
})
