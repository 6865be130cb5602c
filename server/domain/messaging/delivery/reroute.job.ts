// Finds, once a minute, conversations that wait for a number that may not send, and for which another one stands in.

import { readSending } from '#server/domain/channels/send-limits/caps.store.ts'
import type { Database, Db } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { runAtOnce } from '#server/platform/lib/scheduling/at-once.ts'
import { type Due, listDue } from '../outbox/reroute.store.ts'
import { roomToTakeOver } from './reroute.rules.ts'
import { reroute } from './reroute.ts'

/** Numbers that take over at once. */
const AT_ONCE = 5
/** Conversations that a number takes over in one run: writing to many strangers at once is what gets numbers restricted. */
const CONVERSATIONS = 20

/** Read committed: what is read after a lock is what was committed before it. */
const WRITE = { isolation: 'read committed' } as const

/** Every minute. An error of one conversation is reported after the others are done; it is tried again in the next run. */
export const rerouteJob = defineJob<object, { database: Database }>({
  name: 'pipeline.reroute',
  limitSeconds: 55,
  concurrency: 1,
  schedule: '* * * * *',
  isBrief: true,
  async run({ database }, _, signal) {
    const due = await database.system('pipeline: conversations to reroute', (db) => listDue({ db }), { readOnly: true })
    const numbers = [...Map.groupBy(due, ({ toId }) => toId).values()]
    const run = (each: Due[]) => takeOver(database, each, signal)
    const failures = await runAtOnce(numbers, { atOnce: AT_ONCE, signal, run })
    if (failures.length > 0) throw new AggregateError(failures, 'some conversations were not rerouted')
  },
})

/** `due`: all of one number that stands in. @throws after all were tried */
async function takeOver(database: Database, due: Due[], signal: AbortSignal): Promise<void> {
  const [first] = due
  if (!first) return
  const { organizationId, toId } = first
  const read = (db: Db) => readSending({ db, organizationId }, toId)
  let room = roomToTakeOver(await database.organization(organizationId, read, { readOnly: true }), Date.now())
  let taken = 0
  const takeOne = async (each: Due) => {
    if (room <= 0 || taken === CONVERSATIONS) return
    const moved = await database.organization(organizationId, (db) => reroute({ db, organizationId }, each), WRITE)
    room -= moved
    if (moved > 0) taken += 1
  }
  const failures = await runAtOnce(due, { atOnce: 1, signal, run: takeOne })
  if (failures.length > 0) throw new AggregateError(failures, 'conversations stay where they are')
}
