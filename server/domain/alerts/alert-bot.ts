// The bot that alerts people of the team in Telegram: links a chat by the code that a member opens, and unlinks it on request. Polled by
// one process of the installation.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '#server/functions/services.ts'
import { AdapterError } from '#server/integrations/channels/contract/channel.ts'
import type { BotMessage, TelegramBot } from '#server/integrations/channels/telegram/telegram.bot.ts'
import { runInOneProcess } from '#server/platform/db/acquire-lock.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import { BOT_WORDS } from './alerts.words.ts'
import { isBotConnected, isChatKnown, joinByCode, leaveChat } from './chats.store.ts'

const WAIT_SECONDS = 25
const BACKOFF_MS = [1000, 2000, 5000, 10_000, 30_000]
const WRITE = { isolation: 'read committed' } as const
const READ = { ...WRITE, readOnly: true } as const

type Parts = { database: Services['database']; bot: TelegramBot; log: Logger }

export interface AlertBot {
  /** Asks no more. Safe to repeat. */
  stop(): Promise<void>
}

/** The bot, unless it is a channel already: then the updates of its customers would come here. Null until the next start. */
export async function unlessConnected({ database, bot, log }: Parts): Promise<TelegramBot | null> {
  const { accountId } = bot
  const isChannel = await database.system('alert bot: is it a channel', (db) => isBotConnected({ db }, accountId), READ)
  if (!isChannel) return bot
  log.error({ accountId }, 'ALERT_BOT_TOKEN is that of a connected channel: alerts are off. Make another bot.')
  return null
}

/** Asks from its making until it is stopped, as soon as no other process does. */
export function startAlertBot(parts: Parts): AlertBot {
  const stopping = new AbortController()
  const { database, log } = parts
  const onError = (error: unknown) => log.error({ err: error }, 'asking the alert bot was broken off')
  const running = runInOneProcess({ database, name: 'alert bot', signal: stopping.signal, onError }, (signal) =>
    ask(parts, signal),
  )
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** The stored form of a code. */
export function hashOfCode(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}

async function ask(parts: Parts, signal: AbortSignal): Promise<void> {
  let offset = 0
  let failures = 0
  while (!signal.aborted) {
    try {
      const { messages, nextOffset } = await parts.bot.receive(offset, WAIT_SECONDS, signal)
      for (const message of messages) await answer(parts, message)
      offset = nextOffset // only now: a message without an answer is received again
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      parts.log.warn({ err: error }, 'the alert bot was not heard')
      const retryAfterMs = error instanceof AdapterError ? error.retryAfterMs : null
      const waitMs = retryAfterMs ?? BACKOFF_MS[Math.min(failures++, BACKOFF_MS.length - 1)] ?? 1000
      await sleep(waitMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
}

async function answer({ database, bot, log }: Parts, message: BotMessage): Promise<void> {
  const text = await handleMessage(database, message)
  if (text === null) return
  await bot
    .send(message.chatId, text)
    .catch((error: unknown) => log.warn({ err: error }, 'the alert bot did not answer'))
}

/** @returns the answer; null: none */
async function handleMessage(
  database: Parts['database'],
  { chatId, name, text, language }: BotMessage,
): Promise<string | null> {
  const words = BOT_WORDS[language?.startsWith('ru') ? 'ru' : 'en']
  if (text === null || text.trim() === '/stop') {
    await database.system('alert bot: leave chat', (db) => leaveChat({ db }, chatId), WRITE)
    return text === null ? null : words.left
  }
  const code = /^\/start\s+(\S+)$/.exec(text.trim())?.[1]
  const shown = code ? { hash: hashOfCode(code), chatId, name } : null
  const joined = shown && (await database.system('alert bot: join chat', (db) => joinByCode({ db }, shown), WRITE))
  if (joined) return (joined.language ? BOT_WORDS[joined.language] : words).joined(joined.organization)
  // A code that was shown already, when its answer was lost, too.
  const isKnown = await database.system('alert bot: who is it', (db) => isChatKnown({ db }, chatId), READ)
  return isKnown ? words.known : words.unknown
}
