// Removes what organizations keep for a limited time, in small steps: a conversation or a few hundred rows at a time.

import type { Services } from '#server/functions/services.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import type { Id } from '#shared/ids.ts'
import type { LeftAlone, Removal, RetentionCounts, RetentionSettings } from '#shared/messaging/retention.ts'
import { removeUnusedLater } from '../files/uploads.job.ts'
import * as store from './retention.store.ts'

type Parts = Pick<Services, 'database' | 'jobs'>
/** One step of the work, in a transaction of its own. */
type Step = <T>(run: (ctx: OrgStoreContext) => Promise<T>) => Promise<T>

const DAY_MS = 86_400_000
const CONVERSATIONS_A_LOOK = 50
const ROWS_A_STEP = 300

/** Daily. */
export const retentionJob = defineJob<object, Parts>({
  name: 'conversations.retention',
  limitSeconds: 3 * 3600,
  concurrency: 1,
  schedule: '53 2 * * *',
  run: (services, _, signal) => keepForATime(services, new Date(), signal),
})

/** What is older than these moments is removed. */
export function cutoffsOf(days: RetentionSettings, now: Date): store.Cutoffs {
  const before = (count: number | null) => (count === null ? null : new Date(now.getTime() - count * DAY_MS))
  return { messages: before(days.messages), attachments: before(days.attachments), traces: before(days.traces) }
}

/** Removes counts that no limit needs any more, then what has expired in one organization after the other; records what was removed and what was left alone. Safe to repeat; resumes after an interruption. */
export async function keepForATime(services: Parts, now: Date, signal: AbortSignal): Promise<void> {
  const { database } = services
  await database.system('conversations: counts of files', (db) => store.deleteOldFileCounts({ db }, now))
  const limited = await database.system('conversations: what is kept for a time', (db) => store.listLimited({ db }), {
    readOnly: true,
  })
  for (const { id, ...days } of limited) await keepOfOne(services, id, cutoffsOf(days, now), signal)
}

async function keepOfOne(
  { database, jobs }: Parts,
  organizationId: Id<'organizations'>,
  cutoffs: store.Cutoffs,
  signal: AbortSignal,
): Promise<void> {
  const step: Step = (run) => {
    signal.throwIfAborted()
    return database.organization(organizationId, (db) => run({ db, organizationId }), { isolation: 'read committed' })
  }
  const counts: Removal['counts'] & RetentionCounts = { messages: 0, attachments: 0, traces: 0 }
  try {
    if (cutoffs.messages) counts.messages = await removeMessages(step, jobs, cutoffs.messages)
    if (cutoffs.attachments) counts.attachments = await removeAttachments(step, jobs, cutoffs.attachments)
    if (cutoffs.traces) counts.traces = await removeTraces(step, cutoffs.traces)
    const left = await step((ctx) => store.countLeftAlone(ctx, cutoffs))
    if (sumOf(left) > 0) counts.left = left
  } finally {
    await database.organization(organizationId, (db) => writeDown({ db, organizationId }, counts))
  }
}

/** What was removed, and what was left alone. A run that removes nothing is recorded only when it leaves others alone than the last one did. */
async function writeDown(ctx: OrgStoreContext, counts: Removal['counts'] & RetentionCounts): Promise<void> {
  const isNews = async () => counts.left && JSON.stringify(counts.left) !== textOf(await store.findLastLeft(ctx))
  if (counts.messages + counts.attachments + counts.traces === 0 && !(await isNews())) return
  await store.insertRemoval(ctx, { kind: 'retention', userId: null, counts })
}

function textOf(left: LeftAlone | null): string | null {
  return left && JSON.stringify({ paused: left.paused, waiting: left.waiting, sending: left.sending, held: left.held })
}

function sumOf({ paused, waiting, sending, held = 0 }: LeftAlone): number {
  return paused + waiting + sending + held
}

async function removeMessages(step: Step, jobs: Parts['jobs'], cutoff: Date): Promise<number> {
  let removed = 0
  for (let after: store.CursorPosition | null | undefined; after !== null; ) {
    const from: store.CursorPosition | null = after ?? null
    const some = await step((ctx) => store.listWithOldMessages(ctx, cutoff, from, CONVERSATIONS_A_LOOK))
    for (const { id } of some) removed += await removeFrom(step, jobs, id, cutoff)
    after = some.at(-1) ?? null
  }
  while ((await step((ctx) => store.emptyOldInbound(ctx, cutoff, ROWS_A_STEP))) > 0);
  return removed
}

async function removeFrom(step: Step, jobs: Parts['jobs'], id: Id<'conversations'>, cutoff: Date): Promise<number> {
  let removed = 0
  for (let isDone = false; !isDone; ) {
    const count = await step(async (ctx) => {
      if (!(await store.holdCalm(ctx, id))) return 0
      const old = await store.deleteOldMessages(ctx, id, cutoff, ROWS_A_STEP)
      await removeUnusedLater({ ...ctx, jobs }, old.keys)
      if (old.removed < ROWS_A_STEP) await store.deleteEmptied(ctx, id, cutoff)
      return old.removed
    })
    removed += count
    isDone = count < ROWS_A_STEP
  }
  return removed
}

async function removeAttachments(step: Step, jobs: Parts['jobs'], cutoff: Date): Promise<number> {
  let removed = 0
  for (let isDone = false; !isDone; ) {
    const count = await step(async (ctx) => {
      const old = await store.emptyOldAttachments(ctx, cutoff, ROWS_A_STEP)
      await removeUnusedLater({ ...ctx, jobs }, old.keys)
      return old.removed
    })
    removed += count
    isDone = count === 0
  }
  return removed
}

async function removeTraces(step: Step, cutoff: Date): Promise<number> {
  let removed = 0
  for (let isDone = false; !isDone; ) {
    const count = await step((ctx) => store.deleteOldTraces(ctx, cutoff, ROWS_A_STEP))
    removed += count
    isDone = count === 0
  }
  return removed
}
