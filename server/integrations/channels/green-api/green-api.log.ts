// What GREEN-API reports about an instance's texts: a log of those that were sent, for a day and up to two minutes late, and a queue of
// those that wait.
// @source green-api.com/en/docs/api/journals/LastOutgoingMessages, /queues/ShowMessagesQueue
import { z } from 'zod'
import type { SendLog, TakenText } from '#server/integrations/channels/contract/capabilities.ts'
import type { Ask } from './green-api.call.ts'

const MINUTE_MS = 60_000
const KEPT_MINUTES = 1440
/** Nothing waits for it: a request that hangs is repeated a minute later. */
const LIMIT_MS = 8000

const text = z.string().catch('')
/** A text with a link is in another field than one without. */
const sent = z
  .object({
    idMessage: z.string(),
    chatId: z.string(),
    sendByApi: z.literal(true),
    textMessage: text,
    extendedTextMessage: z.object({ text }).catch({ text: '' }),
  })
  .transform(({ idMessage, chatId, textMessage, extendedTextMessage }) => ({
    externalMessageId: idMessage,
    chatId,
    text: textMessage || extendedTextMessage.text,
  }))
const waiting = z
  .object({ messageID: z.string(), body: z.object({ chatId: z.string(), message: text }) })
  .transform(({ messageID, body }) => ({ externalMessageId: messageID, chatId: body.chatId, text: body.message }))

/** Reads both. */
export function createLog(ask: Ask): SendLog {
  return {
    of: 'account',
    async list({ token }, since, signal) {
      const minutes = Math.min(Math.ceil((Date.now() - since) / MINUTE_MS) + 1, KEPT_MINUTES)
      const usual = { isSlow: true, limitMs: LIMIT_MS, ...(signal && { signal }) }
      const log = { method: 'lastOutgoingMessages', rest: `?minutes=${minutes}`, ...usual }
      // The queue first: a text that leaves it in the meantime is in the log.
      const queued = await ask(token, { method: 'showMessagesQueue', ...usual }, listOf(waiting))
      return [...queued, ...(await ask(token, log, listOf(sent)))]
    },
  }
}

/** The valid entries of a list: an invalid one does not hide the others. */
function listOf(entry: z.ZodType<TakenText>) {
  return z.array(z.unknown()).transform((entries) => entries.flatMap((each) => entry.safeParse(each).data ?? []))
}
