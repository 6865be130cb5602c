// Finds out that a tool has changed before a customer does: servers with allowed tools are looked at every hour.

import { isFlagOnFor } from '#server/domain/flags/flags.store.ts'
import type { Services } from '#server/functions/services.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { runAtOnce } from '#server/platform/lib/scheduling/at-once.ts'
import { lookAtServer } from './look.ts'
import { listDue, type SealedServer } from './servers.store.ts'

type LookContext = Pick<Services, 'database' | 'secrets' | 'outbound'>

/** A little less than the time between two runs. */
const EVERY_MS = 55 * 60_000
/** Servers of one run, and those that are asked at once. */
const BATCH = 500
const AT_ONCE = 5

/** A server that is away shows how it failed, and is asked again in the next hour. */
export const lookAtServersJob = defineJob<object, LookContext>({
  name: 'mcp-servers.look',
  limitSeconds: 1800,
  concurrency: 1,
  schedule: '23 * * * *',
  async run(ctx, _, signal) {
    const before = new Date(Date.now() - EVERY_MS)
    const due = await ctx.database.system('MCP servers: due', (db) => listDue({ db }, before, BATCH), {
      readOnly: true,
    })
    const failures = await runAtOnce(due, { atOnce: AT_ONCE, signal, run: (each) => look(ctx, each, signal) })
    if (failures.length > 0) throw new AggregateError(failures, 'some MCP servers were not looked at')
  },
})

async function look(ctx: LookContext, server: SealedServer, signal: AbortSignal): Promise<void> {
  const { organizationId } = server
  const isOn = await ctx.database.organization(organizationId, (db) => isFlagOnFor({ db, organizationId }, 'mcp_tools'))
  if (isOn) await lookAtServer(ctx, server, signal)
}
