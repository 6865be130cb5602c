// The Telegram channel: the one place that knows the Bot API. Receiving is in telegram.parse.ts, errors in telegram.call.ts.
import { Api, InputFile, type RawApi } from 'grammy'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { Polling } from '#server/integrations/channels/contract/capabilities.ts'
import type { ChannelMedia } from '#server/integrations/channels/contract/channel.media.ts'
import type { AdapterWith, SendOptions } from '#server/integrations/channels/contract/channel.ts'
import type { OfferedCommand } from '#server/integrations/channels/contract/commands.ts'
import type { Credentials } from '#server/integrations/channels/contract/credentials.ts'
import { pressOf } from '#server/integrations/channels/contract/rating-press.ts'
import { constantTimeEqual } from '#server/platform/lib/constant-time-equal.ts'
import { type Formatted, formatMarkdown } from '#server/platform/lib/text/formatted-text.ts'
import { CHANNELS } from '#shared/channels/manifests.ts'
import { TELEGRAM_TEXT_MAX } from '#shared/limits.ts'
import { chatOf, type TelegramChat } from './telegram.address.ts'
import { callBotApi, sendTo } from './telegram.call.ts'
import type { Bot } from './telegram.groups.ts'
import { createTransport } from './telegram.http.ts'
import { TELEGRAM_PACE, TELEGRAM_ROOT } from './telegram.pace.ts'
import { parseUpdate, updateId } from './telegram.parse.ts'
import { ALLOWED_UPDATES } from './telegram.schema.ts'

const CALL_TIMEOUT_MS = 20_000
/** A file has to be uploaded completely before the answer. */
const FILE_TIMEOUT_MS = 60_000
/** Added to the time that Telegram itself waits in a long poll. */
const POLL_GRACE_MS = 15_000

/** A bot that offers commands. */
type Telegram = AdapterWith<'polling'> & {
  /** Replaces the commands that Telegram offers to customers. @throws AdapterError */
  setCommands(credentials: Credentials, commands: OfferedCommand[]): Promise<void>
}

/** `isPaced`: keeps to Telegram's rate limits; by default, where `apiRoot` is Telegram itself. */
type TelegramOptions = { apiRoot: string; callTimeoutMs?: number; isPaced?: boolean }

/** A Telegram channel that talks to the Bot API at `apiRoot` (no trailing slash) and to no other host. */
export function createTelegramChannel(options: TelegramOptions): Telegram {
  const timeoutMs = options.callTimeoutMs ?? CALL_TIMEOUT_MS
  const transport = createTransport()
  /** One call; grammY's own signals and timeouts are not used: they are of another type and less exact. */
  const call = <T>(token: string, run: (raw: RawApi) => Promise<T>, limitMs = timeoutMs, signal?: AbortSignal) =>
    callBotApi(
      (deadline) => run(new Api(token, { apiRoot: options.apiRoot, fetch: transport.fetch(deadline) }).raw),
      limitMs,
      signal,
    )

  return {
    showing: CHANNELS.telegram.showing,
    traits: { isVerifiedByHeaders: true },
    ...((options.isPaced ?? options.apiRoot === TELEGRAM_ROOT) && { pace: TELEGRAM_PACE }),
    ...createTrying(call),
    ...createPressing(call),
    media: createMedia(call, (path, maxBytes, signal) => {
      const url = `${options.apiRoot}/file/${path}`
      return callBotApi((deadline) => transport.download(url, maxBytes, deadline), timeoutMs, signal)
    }),

    async identify(token) {
      const me = await call(token, (raw) => raw.getMe())
      return { externalAccountId: String(me.id), identifier: me.username, state: null }
    },

    async connect(credentials, webhookUrl) {
      if (webhookUrl === null) {
        await call(credentials.token, (raw) => raw.deleteWebhook({ drop_pending_updates: false }))
        return
      }
      const settings = {
        url: webhookUrl,
        secret_token: credentials.webhookSecret,
        allowed_updates: [...ALLOWED_UPDATES],
        drop_pending_updates: false,
      }
      await call(credentials.token, (raw) => raw.setWebhook(settings))
    },

    async disconnect(credentials) {
      await call(credentials.token, (raw) => raw.deleteWebhook({ drop_pending_updates: false }))
    },

    verify: ({ webhookSecret }, headers) =>
      constantTimeEqual(headers.get('x-telegram-bot-api-secret-token') ?? '', webhookSecret),
    parse: (body, credentials) => parseUpdate(body, botOf(credentials)),

    polling: createPolling(call),

    ...createSending(call),

    async showTyping(credentials, chatId) {
      await call(credentials.token, (raw) => raw.sendChatAction({ ...chatOf(chatId), action: 'typing' })).catch(
        () => undefined,
      )
    },
  } satisfies Telegram
}

/** Polls for updates, which confirms earlier ones. */
function createPolling(call: Call): Polling {
  return {
    async poll(credentials, offset, waitSeconds, signal) {
      const request = {
        ...(offset === null ? {} : { offset }),
        timeout: waitSeconds,
        limit: 100,
        allowed_updates: [...ALLOWED_UPDATES],
      }
      const limitMs = waitSeconds * 1000 + POLL_GRACE_MS
      const updates = await call(credentials.token, (raw) => raw.getUpdates(request), limitMs, signal)
      const last = updates.reduce<number | null>((newest, update) => Math.max(newest ?? 0, updateId(update) ?? 0), null)
      return { updates, nextOffset: last === null ? null : last + 1 }
    },
  }
}

/** Checking deliveries. */
function createTrying(call: Call): Pick<Telegram, 'inspect' | 'probe'> {
  return {
    async inspect({ token }) {
      const info = await call(token, (raw) => raw.getWebhookInfo())
      const { last_error_date: at, last_error_message: text } = info
      return {
        url: info.url || null,
        pending: info.pending_update_count,
        lastError: at === undefined ? null : { at: at * 1000, text: text ?? '' },
      }
    },

    // Numbers of updates are positive.
    probe: ({ webhookSecret }, nonce) => ({
      headers: { 'x-telegram-bot-api-secret-token': webhookSecret },
      body: { update_id: -nonce, poll: {} },
    }),
  }
}

/** Languages with a list of their own; for all others the English one is shown. */
const MENU_LANGUAGES = ['ru', 'en'] as const

/** Commands in the menu, and buttons. */
function createPressing(call: Call): Pick<Telegram, 'buttons' | 'setCommands'> {
  return {
    buttons: {
      hasScores: true,
      async answerPress({ token }, answerId, text) {
        const answer = { callback_query_id: answerId, ...(text !== null && { text }) }
        await call(token, (raw) => raw.answerCallbackQuery(answer)).catch(() => undefined)
      },
    },

    /** @source core.telegram.org/bots/api#setmycommands */
    async setCommands({ token }, commands) {
      const listIn = (language: (typeof MENU_LANGUAGES)[number]) =>
        commands.map(({ command, description }) => ({ command, description: description[language] }))
      await call(token, (raw) => raw.setMyCommands({ commands: listIn('en') }))
      for (const language of MENU_LANGUAGES) {
        await call(token, (raw) => raw.setMyCommands({ commands: listIn(language), language_code: language }))
      }
    },
  }
}

/** One per row: a press sends the label itself, so that a button under an old message still works. */
function keyboardOf(choices: string[]) {
  return { inline_keyboard: choices.map((choice) => [{ text: choice, callback_data: choice }]) }
}

/** Side by side, and bound to their question: a press alone does not name it. */
function scoresOf(choices: string[], ratingId: string) {
  return { inline_keyboard: [choices.map((score) => ({ text: score, callback_data: pressOf(ratingId, score) }))] }
}

/** Sends texts. */
function createSending(call: Call): Pick<Telegram, 'send'> {
  return {
    async send({ token }, chatId, text, _partId, options = {}) {
      const { choices = [], ratingId } = options
      const extras = {
        link_preview_options: { is_disabled: true },
        ...(choices.length > 0 && { reply_markup: ratingId ? scoresOf(choices, ratingId) : keyboardOf(choices) }),
      }
      const send = (message: Formatted) =>
        sendTo(chatId, (chat) => call(token, (raw) => raw.sendMessage({ ...chat, ...message, ...extras })))
      const message = formatted(text, options)
      const sent = await send(message).catch((error: unknown) => {
        if (message.entities.length > 0 && isFormatRefused(error)) return send({ ...message, entities: [] })
        throw error
      })
      return { externalMessageId: String(sent.message_id) }
    },
  }
}

/** Where formatting would make a text longer than one message holds, it is sent as it was written. */
function formatted(text: string, { isPlain }: SendOptions): Formatted {
  const message = isPlain ? { text, entities: [] } : formatMarkdown(text)
  return message.text.length > TELEGRAM_TEXT_MAX ? { text, entities: [] } : message
}

/** A refused message has definitely not arrived: it is sent again without formatting. */
function isFormatRefused(error: unknown): boolean {
  return error instanceof AdapterError && error.kind === 'permanent' && /entit/i.test(error.message)
}

/** Larger pictures go as files. @source core.telegram.org/bots/api#sendphoto */
const PHOTO_MAX_BYTES = 10 * 1024 * 1024
const PHOTO_TYPES: ReadonlySet<string | null> = new Set(['image/jpeg', 'image/png', 'image/webp'])

/** A token begins with the number of its bot. */
function botOf({ token, identifier }: Pick<Credentials, 'token' | 'identifier'>): Bot {
  return { id: Number(token.split(':')[0]), username: identifier ?? null }
}

type Call = <T>(token: string, run: (raw: RawApi) => Promise<T>, limitMs?: number, signal?: AbortSignal) => Promise<T>

/** @param download fetches a path relative to the address of files */
function createMedia(
  call: Call,
  download: (path: string, maxBytes: number, signal: AbortSignal) => Promise<Uint8Array>,
): ChannelMedia {
  return {
    async download({ token }, fileId, maxBytes, signal) {
      const file = await call(token, (raw) => raw.getFile({ file_id: fileId }), undefined, signal)
      if (!file.file_path) throw new AdapterError('permanent', 'the file is not given out')
      return download(`bot${token}/${file.file_path}`, maxBytes, signal)
    },

    async sendVoice(credentials, chatId, audio) {
      const fresh = () => new InputFile(audio, 'voice.ogg')
      const send = (chat: TelegramChat) => call(credentials.token, (raw) => raw.sendVoice({ ...chat, voice: fresh() }))
      const sent = await sendTo(chatId, send)
      return { externalMessageId: String(sent.message_id) }
    },

    async sendFile({ token }, chatId, { name, mimeType, bytes }) {
      const fresh = () => new InputFile(bytes, quoted(name))
      const send = (method: (raw: RawApi, chat: TelegramChat) => Promise<{ message_id: number }>) =>
        sendTo(chatId, (chat) => call(token, (raw) => method(raw, chat), FILE_TIMEOUT_MS))
      const asPhoto = () => send((raw, chat) => raw.sendPhoto({ ...chat, photo: fresh() }))
      const asDocument = () => send((raw, chat) => raw.sendDocument({ ...chat, document: fresh() }))
      const isPhoto = PHOTO_TYPES.has(mimeType) && bytes.length <= PHOTO_MAX_BYTES
      const sent = isPhoto ? await asPhoto().catch(insteadOfPhoto(asDocument)) : await asDocument()
      return { externalMessageId: String(sent.message_id) }
    },
  }
}

/** grammY writes names into the form as they are: without quotes a name ends at its first semicolon. @source RFC 7578, section 4.2 */
function quoted(name: string): string {
  return `"${name.replaceAll(/["\\]/g, '_')}"`
}

/** A picture that is too wide, or not really one, is refused as a photo, and has definitely not arrived. */
function insteadOfPhoto<T>(send: () => Promise<T>): (error: unknown) => Promise<T> {
  return (error) => {
    if (error instanceof AdapterError && error.kind === 'permanent') return send()
    throw error
  }
}
