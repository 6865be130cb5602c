// Carries out what the team has approved, and sends customers a word about what has become of it.
import { recordUsage } from '#server/domain/billing/billing.store.ts'
import {
  type Approval,
  closeLeft,
  findConversationId,
  listApproved,
  listOwed,
  takeOwed,
} from '#server/domain/tools/approvals.store.ts'
import type { Services } from '#server/functions/services.ts'
import { answerLanguageFor } from '#server/integrations/llm/language.ts'
import type { Database, OrgStoreContext } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { runAtOnce } from '#server/platform/lib/scheduling/at-once.ts'
import { textLimitOf } from '#server/platform/lib/text/split-text.ts'
import { CHANNELS } from '#shared/channels/manifests.ts'
import type { Id } from '#shared/ids.ts'
import { lockChat } from '../follow-ups/follow-up.store.ts'
import { addNotice } from '../outbox/notices.store.ts'
import { readWords } from '../outbox/reroute.store.ts'
import { splitReply } from '../outbox/split.ts'
import { outcomeOf } from './approval-words.rules.ts'
import { type CarryOutParts, carryOut } from './carry-out.ts'

/** A call that was begun so long ago has lost its server. */
const LEFT_MS = 120_000
/** So long a turn may say itself what has become of a call: the answer of the customer who has agreed. */
const TURN_MS = 120_000
/** An approved call that was not begun since then has lost its job. */
const APPROVED_MS = 60_000
const BATCH = 200
const AT_ONCE = 5
const WRITE = { isolation: 'read committed' } as const

type ApprovedCall = Pick<Approval, 'id' | 'organizationId'>

/** One call that a member of the team has approved. Run again, it finds nothing to begin. */
export const approvedCallJob = defineJob<
  { organizationId: Id<'organizations'>; id: Id<'toolApprovals'> },
  CarryOutParts
>({
  name: 'pipeline.approved-call',
  limitSeconds: 90,
  concurrency: 5,
  async run(parts, call) {
    await carryOut(parts, call)
    await tell(parts.database, call)
  },
})

/** Every minute: what was left in the middle, what was not decided in time, and words that are owed. */
export const approvalsJob = defineJob<object, Pick<Services, 'database' | 'jobs'>>({
  name: 'pipeline.approvals',
  limitSeconds: 55,
  concurrency: 1,
  schedule: '* * * * *',
  isBrief: true,
  async run({ database, jobs }, _, signal) {
    const now = Date.now()
    const owed = await database.system('pipeline: approvals', async (db) => {
      await closeLeft({ db }, new Date(now - LEFT_MS))
      const approved = await listApproved({ db }, new Date(now - APPROVED_MS), BATCH)
      await jobs.sendAll(
        db,
        approvedCallJob,
        approved.map(({ id, organizationId }) => ({ id, organizationId })),
      )
      return listOwed({ db }, new Date(now - TURN_MS), BATCH)
    })
    const failures = await runAtOnce(owed, { atOnce: AT_ONCE, signal, run: (call) => tell(database, call) })
    if (failures.length > 0)
      throw new AggregateError(failures, 'some customers have not heard of what they had asked for')
  },
})

/** Sends the word about a call that owes it. */
function tell(database: Database, { id, organizationId }: ApprovedCall): Promise<void> {
  return database.organization(organizationId, (db) => sendWord({ db, organizationId }, id), WRITE)
}

/** In one transaction: another server finds nothing owed any more. */
async function sendWord(ctx: OrgStoreContext, id: Approval['id']): Promise<void> {
  const conversationId = await findConversationId(ctx, id)
  if (!conversationId) return
  const chat = await lockChat(ctx, conversationId)
  const approval = await takeOwed(ctx, id)
  if (!approval || !chat) return
  const { connectionId, chatId, agentId, channel } = chat
  const { words, language } = await readWords(ctx, conversationId)
  const text = outcomeOf(approval, answerLanguageFor('', { earlier: words, tag: language }))
  if (text === '') return
  const parts = splitReply(text, textLimitOf(CHANNELS[channel].showing))
  const messageId = await addNotice(ctx, conversationId, { connectionId, chatId }, { text, parts, reason: 'approval' })
  await recordUsage(ctx, {
    ...{ sourceId: `${messageId}/notice`, agentId, category: 'system_message', channel, messages: 1, call: null },
    occurredAt: new Date(),
  })
}
