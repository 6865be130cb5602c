// Telegram's rate limits for a bot's messages. Messages that exceed them all the same are refused with the time to wait.
import type { ChannelPace } from '#server/integrations/channels/contract/capabilities.ts'

/** A self-hosted Bot API server has limits of its own. */
export const TELEGRAM_ROOT = 'https://api.telegram.org'

const SECOND_MS = 1000
const ALL = { count: 30, perMs: SECOND_MS }
const CHAT = { count: 1, perMs: SECOND_MS }
const GROUP = { count: 20, perMs: 60 * SECOND_MS }

/** Topics of a group count together. @source core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this */
export const TELEGRAM_PACE: ChannelPace = {
  all: ALL,
  of(chatId) {
    const chat = Number.parseInt(chatId, 10)
    return { chat: String(chat), pace: chat < 0 ? GROUP : CHAT }
  },
}
