// A bot that is not a channel: it receives what people write to it and writes to them. No other program uses its token.
import { Api, type RawApi } from 'grammy'
import type { Update } from 'grammy/types'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import { callBotApi } from './telegram.call.ts'
import { createTransport } from './telegram.http.ts'

/** What a person did in the private chat with the bot. `text` null: they have blocked it. */
export type BotMessage = { chatId: string; name: string; language: string | null; text: string | null }

export interface TelegramBot {
  /** The id of the account, in the format of channels. */
  readonly accountId: string
  /** Its public name, without "@". @throws AdapterError */
  name(): Promise<string>
  /**
   * New updates, waiting up to `waitSeconds` for them. `offset` confirms everything before it; 0: there is nothing to confirm.
   * @throws AdapterError; the signal's reason when it aborts
   */
  receive(offset: number, waitSeconds: number, signal: AbortSignal): Promise<Received>
  /** @throws AdapterError `blocked` when the person has blocked the bot */
  send(chatId: string, text: string): Promise<void>
}
type Received = { messages: BotMessage[]; nextOffset: number }

const CALL_TIMEOUT_MS = 20_000
/** Added to the time that Telegram itself waits in a long poll. */
const POLL_GRACE_MS = 15_000

/** A bot that talks to the Bot API at `apiRoot` (no trailing slash). Nothing is called yet. */
export function createTelegramBot({ apiRoot, token }: { apiRoot: string; token: string }): TelegramBot {
  const transport = createTransport()
  const call = <T>(run: (raw: RawApi) => Promise<T>, limitMs = CALL_TIMEOUT_MS, signal?: AbortSignal) =>
    callBotApi((deadline) => run(new Api(token, { apiRoot, fetch: transport.fetch(deadline) }).raw), limitMs, signal)
  const take = (offset: number, timeout: number, signal: AbortSignal) =>
    call(
      (raw) => raw.getUpdates({ offset, timeout, allowed_updates: ['message', 'my_chat_member'] }),
      timeout * 1000 + POLL_GRACE_MS,
      signal,
    )
  return {
    accountId: token.split(':', 1)[0] ?? '',
    name: async () => (await call((raw) => raw.getMe())).username,

    async receive(offset, waitSeconds, signal) {
      const updates = await take(offset, waitSeconds, signal).catch(async (error: unknown) => {
        if (!(error instanceof AdapterError) || error.kind !== 'conflict') throw error
        await call((raw) => raw.deleteWebhook({ drop_pending_updates: false })) // of a program that had the token before
        return take(offset, 0, signal)
      })
      // Computed from these updates alone: after a quiet week the numbering restarts anywhere, and a stored offset would hide new updates.
      const nextOffset = updates.reduce((next, { update_id: id }) => Math.max(next, id + 1), 0)
      return { messages: updates.flatMap((update) => messageOf(update) ?? []), nextOffset }
    },

    async send(chatId, text) {
      await call((raw) =>
        raw.sendMessage({ chat_id: Number(chatId), text, link_preview_options: { is_disabled: true } }),
      )
    },
  }
}

/** Private chats only; null: any other update. */
function messageOf({ message, my_chat_member: member }: Update): BotMessage | null {
  const { chat, from, text } = message ?? { ...member, text: null }
  if (chat?.type !== 'private' || !from || text === undefined) return null
  if (member && member.new_chat_member.status !== 'kicked') return null
  const name = [from.first_name, from.last_name].filter(Boolean).join(' ')
  return { chatId: String(chat.id), name, language: from.language_code ?? null, text }
}
