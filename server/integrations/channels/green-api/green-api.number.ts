// The settings of an instance, and its queue of messages.
// @source green-api.com/en/docs/api/account/SetSettings, /queues/ShowMessagesQueue, /queues/ClearMessagesQueue
import { z } from 'zod'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { NumberKeeping } from '#server/integrations/channels/contract/whatsapp-numbers.ts'
import type { WhatsappSettings } from '#shared/channels/whatsapp.ts'
import { WHATSAPP_DELAY_MIN_MS } from '#shared/limits.ts'
import { mediaUrlOf, readAccess } from './green-api.access.ts'
import type { Ask, Caller } from './green-api.call.ts'

/** The notifications we subscribe to. Messages sent through the API are left out: we know what we have sent. */
export const NOTIFICATIONS = {
  incomingWebhook: 'yes',
  outgoingMessageWebhook: 'yes',
  outgoingAPIMessageWebhook: 'no',
  outgoingWebhook: 'yes',
  stateWebhook: 'yes',
  editedMessageWebhook: 'yes',
  pollMessageWebhook: 'yes',
} as const
/** Numbers that were connected before polls were subscribed to hear of everything else. */
const LATER: ReadonlySet<string> = new Set(['pollMessageWebhook'])

const yes = z
  .enum(['yes', 'no'])
  .catch('no')
  .transform((value) => value === 'yes')
const setup = z.looseObject({
  webhookUrl: z.string().catch(''),
  delaySendMessagesMilliseconds: z.number().int().catch(WHATSAPP_DELAY_MIN_MS),
  markIncomingMessagesReaded: yes,
  markIncomingMessagesReadedOnReply: yes,
  keepOnlineStatus: yes,
})
const queue = z.array(z.object({ messageID: z.string() }))
const cleared = z.object({ isCleared: z.boolean() })

/** The number behind each instance. */
export function createNumberKeeping(run: Caller, ask: Ask): NumberKeeping {
  return {
    async setup({ token }) {
      const access = readAccess(token)
      const settings = await ask(token, { method: 'getSettings', isSlow: true }, setup)
      return {
        settings: {
          delayMs: settings.delaySendMessagesMilliseconds,
          marksRead: settings.markIncomingMessagesReaded,
          marksReadOnReply: settings.markIncomingMessagesReadedOnReply,
          keepsOnline: settings.keepOnlineStatus,
        },
        apiUrl: access.apiUrl,
        mediaUrl: mediaUrlOf(access),
        webhookUrl: settings.webhookUrl || null,
        isTelling: Object.entries(NOTIFICATIONS).every(([name, value]) => settings[name] === value || LATER.has(name)),
      }
    },

    async configure({ token }, settings) {
      await run(token, { verb: 'POST', method: 'setSettings', body: bodyOf(settings), isSlow: true })
    },

    async waiting({ token }) {
      const messages = await ask(token, { method: 'showMessagesQueue', isSlow: true }, queue)
      return messages.map(({ messageID }) => messageID)
    },

    async clearQueue({ token }) {
      const { isCleared } = await ask(token, { method: 'clearMessagesQueue', isSlow: true }, cleared)
      if (!isCleared) throw new AdapterError('temporary', 'the queue was not cleared')
    },
  }
}

function bodyOf({ delayMs, marksRead, marksReadOnReply, keepsOnline }: WhatsappSettings) {
  const word = (isOn: boolean) => (isOn ? 'yes' : 'no')
  return {
    delaySendMessagesMilliseconds: delayMs,
    markIncomingMessagesReaded: word(marksRead),
    markIncomingMessagesReadedOnReply: word(marksReadOnReply),
    keepOnlineStatus: word(keepsOnline),
  }
}
