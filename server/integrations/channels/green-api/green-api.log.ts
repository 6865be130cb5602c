// What GREEN-API tells of the texts that an instance was given: a log of those that have left, for a day and up to two minutes late,
// and a queue of those that wait.
// @source green-api.com/en/docs/api/journals/LastOutgoingMessages, /queues/ShowMessagesQueue
import { z } from 'zod'
import type { SendLog, TakenText } from '#server/integrations/channels/contract/capabilities.ts'
import type { Ask } from './green-api.call.ts'

const MINUTE_MS = 60_000
const KEPT_MINUTES = 1440
/** Nobody waits for it: one that hangs is asked again a minute later. */
const LIMIT_MS = 8000

const text = z.string().catch('')
/** A text with a link stands in another place than one without. */
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
      // The queue first: a text that leaves it in between is in the log.
      const queued = await ask(token, { method: 'showMessagesQueue', ...usual }, listOf(waiting))
      return [...queued, ...(await ask(token, log, listOf(sent)))]
    },
  }
}

/** Of a list, what can be read: one entry that cannot does not hide the others. */
function listOf(entry: z.ZodType<TakenText>) {
  return z.array(z.unknown()).transform((entries) => entries.flatMap((each) => entry.safeParse(each).data ?? []))
}
