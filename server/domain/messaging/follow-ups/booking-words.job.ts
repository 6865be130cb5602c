// Sends customers messages about their visits: what has come of a booking that was not certain when they last heard of it, or that was changed
// in the calendar itself, and reminders.
import { recordUsage } from '#server/domain/billing/billing.store.ts'
import { readTimeZone, takeOwed } from '#server/domain/integrations/bookings/bookings.store.ts'
import { type DueNotice, listDueNotices, takeReminder } from '#server/domain/integrations/bookings/reminders.store.ts'
import { answerLanguageFor } from '#server/integrations/llm/language.ts'
import type { Database, OrgStoreContext } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { runAtOnce } from '#server/platform/lib/scheduling/at-once.ts'
import { textLimitOf } from '#server/platform/lib/text/split-text.ts'
import { CHANNELS } from '#shared/channels/manifests.ts'
import { hasWrittenWithin } from '../delivery/last-customer-message.store.ts'
import { addNotice } from '../outbox/notices.store.ts'
import { readWords } from '../outbox/reroute.store.ts'
import { splitReply } from '../outbox/split.ts'
import { isTooLate, noticeText, outcomeKind } from './booking-words.rules.ts'
import { isWantedBy, lockChat } from './follow-up.store.ts'

type Chat = NonNullable<Awaited<ReturnType<typeof lockChat>>>
type Notice = { kind: Parameters<typeof noticeText>[0]; visit: Parameters<typeof noticeText>[1] }

const BATCH = 200
const AT_ONCE = 5
const WRITE = { isolation: 'read committed' } as const

/** Every minute. An error of one is reported after the others are done; it is tried again in the next run. */
export const bookingWordsJob = defineJob<object, { database: Database }>({
  name: 'pipeline.booking-words',
  limitSeconds: 55,
  concurrency: 1,
  schedule: '* * * * *',
  isBrief: true,
  async run({ database }, _, signal) {
    const due = await database.system('pipeline: notices of bookings', (db) => listDueNotices({ db }, BATCH), {
      readOnly: true,
    })
    const run = (notice: DueNotice) => {
      const { organizationId } = notice
      return database.organization(organizationId, (db) => tell({ db, organizationId }, notice), WRITE)
    }
    const failures = await runAtOnce(due, { atOnce: AT_ONCE, signal, run })
    if (failures.length > 0) throw new AggregateError(failures, 'some customers have not heard of their bookings')
  },
})

/** In one transaction: another server finds nothing due any more. */
async function tell(ctx: OrgStoreContext, { kind, id, conversationId }: DueNotice): Promise<void> {
  const chat = await lockChat(ctx, conversationId)
  const notice = kind === 'outcome' ? await takeOutcome(ctx, id) : await takeDue(ctx, chat, { id, conversationId })
  if (notice && chat) await send(ctx, conversationId, chat, notice)
}

async function takeOutcome(ctx: OrgStoreContext, id: DueNotice['id']): Promise<Notice | null> {
  const booking = await takeOwed(ctx, id)
  return booking && { kind: outcomeKind(booking), visit: booking }
}

/** A reminder that is not sent is taken all the same. */
async function takeDue(
  ctx: OrgStoreContext,
  chat: Chat | null,
  { id, conversationId }: Pick<DueNotice, 'id' | 'conversationId'>,
): Promise<Notice | null> {
  const reminder = await takeReminder(ctx, id)
  if (!reminder || !chat || isTooLate(reminder, Date.now())) return null
  return (await isWantedBy(ctx, conversationId)) ? { kind: 'reminder', visit: reminder } : null
}

/** Where the channel does not let it through any more, delivery says so at the message; it costs nothing then. */
async function send(
  ctx: OrgStoreContext,
  conversationId: DueNotice['conversationId'],
  { connectionId, chatId, agentId, channel }: Chat,
  { kind, visit }: Notice,
): Promise<void> {
  const { words, language } = await readWords(ctx, conversationId)
  const answered = answerLanguageFor('', { earlier: words, tag: language })
  const text = noticeText(kind, visit, answered, await readTimeZone(ctx))
  const { showing, replyWindowMs } = CHANNELS[channel]
  const parts = splitReply(text, textLimitOf(showing))
  const messageId = await addNotice(ctx, conversationId, { connectionId, chatId }, { text, parts, reason: 'booking' })
  if (replyWindowMs !== null && !(await hasWrittenWithin(ctx, conversationId, replyWindowMs))) return
  await recordUsage(ctx, {
    ...{ sourceId: `${messageId}/notice`, agentId, category: 'system_message', channel, messages: 1, call: null },
    occurredAt: new Date(),
  })
}
