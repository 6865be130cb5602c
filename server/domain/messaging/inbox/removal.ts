// Deleted conversations: restoring them, and removing them for good, with their files, when their time is over.

import type { OrgMutationContext } from '#server/functions/context.ts'
import type { Services } from '#server/functions/services.ts'
import type { Database } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { DELETED_DAYS } from '#shared/limits.ts'
import { keepHoldsAsTheyAre } from '../customers/legal-hold.store.ts'
import { removeUnusedLater } from '../files/uploads.job.ts'
import { listFileKeys } from '../files/uploads.store.ts'
import { speakAgain } from '../handoff/withheld.store.ts'
import { requestTurns } from '../turns/turn-requests.store.ts'
import { listWithOpenQuestions } from './conversations.store.ts'
import * as store from './removal.store.ts'
import type { HeldConversation } from './status.ts'

const AT_ONCE = 20

/** Reopens what the deletion had withheld; a customer who waits is answered where the agent is active. The caller holds the rows. */
export async function bringBack(
  ctx: Pick<OrgMutationContext, 'db' | 'organizationId'>,
  conversations: HeldConversation[],
): Promise<void> {
  // Under a pause it stays withheld until that is over, after an end for good.
  const ids = conversations.filter(({ status }) => status === 'active').map(({ id }) => id)
  await speakAgain(ctx, ids)
  await requestTurns(ctx, await listWithOpenQuestions(ctx, ids))
}

/** Daily. */
export const removeDeletedJob = defineJob<object, Pick<Services, 'database' | 'jobs'>>({
  name: 'conversations.remove-deleted',
  limitSeconds: 1800,
  concurrency: 1,
  schedule: '41 3 * * *',
  run: (services, _, signal) => removeDeleted(services, new Date(), signal),
})

/** Removes for good what has been deleted for long enough, a few at a time, but nothing of customers on legal hold. Safe to repeat; resumes after an interruption. */
export async function removeDeleted(
  { database, jobs }: Pick<Services, 'database' | 'jobs'>,
  now: Date,
  signal: AbortSignal,
): Promise<void> {
  const before = new Date(now.getTime() - DELETED_DAYS * 86_400_000)
  for (let some = await listOverdue(database, before, ''); some.length > 0; ) {
    for (const { id, organizationId } of some) {
      signal.throwIfAborted()
      await database.organization(
        organizationId,
        async (db) => {
          const ctx = { db, organizationId, jobs }
          await keepHoldsAsTheyAre(ctx)
          const keys = await listFileKeys(ctx, id, 0)
          if (await store.removeConversation(ctx, id, before)) await removeUnusedLater(ctx, keys)
        },
        { isolation: 'read committed' },
      )
    }
    some = await listOverdue(database, before, some.at(-1)?.id ?? '')
  }
}

/** `after`: the last of those listed before, some of which stay. */
function listOverdue(database: Database, before: Date, after: string) {
  return database.system('conversations: deleted long ago', (db) => store.listOverdue({ db }, before, after, AT_ONCE), {
    readOnly: true,
  })
}
