// Sends customers a message about what has come of a booking that was not certain when they last heard of it: the calendar did not answer.
import { recordUsage } from '#server/domain/billing/billing.store.ts'
import { type Booking, listOwed, readTimeZone, takeOwed } from '#server/domain/integrations/bookings/bookings.store.ts'
import { answerLanguageFor } from '#server/integrations/llm/language.ts'
import type { Database, OrgStoreContext } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { runAtOnce } from '#server/platform/lib/scheduling/at-once.ts'
import { textLimitOf } from '#server/platform/lib/text/split-text.ts'
import { CHANNELS } from '#shared/channels/manifests.ts'
import { addNotice } from '../outbox/notices.store.ts'
import { readWords } from '../outbox/reroute.store.ts'
import { splitReply } from '../outbox/split.ts'
import { outcomeOf } from './booking-words.rules.ts'
import { lockChat } from './follow-up.store.ts'

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
    const owed = await database.system('pipeline: bookings to tell of', (db) => listOwed({ db }, BATCH), {
      readOnly: true,
    })
    const run = ({ id, organizationId, conversationId }: Booking) =>
      database.organization(organizationId, (db) => tell({ db, organizationId }, conversationId, id), WRITE)
    const failures = await runAtOnce(owed, { atOnce: AT_ONCE, signal, run })
    if (failures.length > 0) throw new AggregateError(failures, 'some customers have not heard of their bookings')
  },
})

/** In one transaction: another server finds nothing owed any more. */
async function tell(ctx: OrgStoreContext, conversationId: Booking['conversationId'], id: Booking['id']): Promise<void> {
  const chat = await lockChat(ctx, conversationId)
  const booking = await takeOwed(ctx, id)
  if (!booking || !chat) return
  const { connectionId, chatId, agentId, channel } = chat
  const { words, language } = await readWords(ctx, conversationId)
  const text = outcomeOf(booking, answerLanguageFor('', { earlier: words, tag: language }), await readTimeZone(ctx))
  const parts = splitReply(text, textLimitOf(CHANNELS[channel].showing))
  const messageId = await addNotice(ctx, conversationId, { connectionId, chatId }, { text, parts, reason: 'booking' })
  await recordUsage(ctx, {
    ...{ sourceId: `${messageId}/notice`, agentId, category: 'system_message', channel, messages: 1, call: null },
    occurredAt: new Date(),
  })
}
