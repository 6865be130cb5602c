// The channel MAX: the one place that knows its Bot API. Updates are read in max.parse.ts, failures in max.call.ts, files in max.media.ts.
// @source dev.max.ru/docs-api

import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { ChannelPace, Polling } from '#server/integrations/channels/contract/capabilities.ts'
import type { AdapterWith, CredentialFormChannel } from '#server/integrations/channels/contract/channel.ts'
import type { Sent } from '#server/integrations/channels/contract/credentials.ts'
import { pressOf } from '#server/integrations/channels/contract/rating-press.ts'
import type { Outbound } from '#server/integrations/http/outbound.ts'
import { constantTimeEqual } from '#server/platform/lib/constant-time-equal.ts'
import { sentText } from '#server/platform/lib/text/sent-text.ts'
import { CHANNELS } from '#shared/channels/manifests.ts'
import { type Ask, createMaxApi } from './max.call.ts'
import { type MaxText, maxText } from './max.format.ts'
import { createMedia } from './max.media.ts'
import { PROBE_TYPE, parseUpdate, UPDATE_TYPES } from './max.parse.ts'

const CALL_TIMEOUT_MS = 20_000
/** Added to the time that MAX itself waits in a long poll. */
const POLL_GRACE_MS = 15_000
/** At most two polls a second, with a hundred updates each. */
const POLL_PAUSE_MS = 500
const POLL_LIMIT = 100
const SECOND_MS = 1000
const SECRET_HEADER = 'x-max-bot-api-secret'
/** Requests a second, of all kinds. */
const ALL = { count: 30, perMs: SECOND_MS }
const PACE: ChannelPace = { all: ALL, of: (chat) => ({ chat, pace: ALL }) }
/** Prefix of a user's id, for a message to a user whose chat id is not known. */
const PERSON_PREFIX = 'user:'

const done = z.object({ success: z.literal(true) })
const me = z.object({ user_id: z.number().int(), username: z.string().nullish(), first_name: z.string().nullish() })
const subscription = z.object({
  url: z.string(),
  time: z.number().catch(0),
  /** Null: all. */
  update_types: z.array(z.string()).nullish().catch(null),
})
const subscriptions = z.object({ subscriptions: z.array(subscription) })
const batch = z.object({ updates: z.array(z.unknown()), marker: z.number().int().nullish() })
const posted = z.object({ message: z.object({ body: z.object({ mid: z.string() }) }) })

type Max = CredentialFormChannel & AdapterWith<'polling' | 'inspect' | 'probe' | 'buttons'>
type Batch = { updates: unknown[]; marker?: number | null | undefined }
/**
 * Where polling of bots starts, by their tokens. A first poll returns the latest update alone, so the offset is noted when a bot is
 * connected, and nothing written from then on is missed. The offset is stored with the connection, for whichever process polls.
 */
type Begun = Map<string, Batch>

/** `apiUrl`: without a trailing slash. `secondMs`: how long a second of waiting is; tests have shorter ones. */
export type MaxOptions = {
  apiUrl: string
  outbound: Outbound
  callTimeoutMs?: number
  secondMs?: number
  /** Keeps to the rate limit of MAX; by default, where `apiUrl` is MAX itself. */
  isPaced?: boolean
}

/** A channel that talks to the Bot API at `apiUrl`, and to the addresses of files that it names. */
export function createMaxChannel(options: MaxOptions): Max {
  const { apiUrl, outbound, callTimeoutMs: timeoutMs = CALL_TIMEOUT_MS, secondMs = SECOND_MS } = options
  const isPaced = options.isPaced ?? /(?:^|\.)max\.ru$/.test(new URL(apiUrl).hostname)
  const { ask, upload } = createMaxApi({ apiUrl, timeoutMs })
  const post = (token: string, chatId: string, content: object) => sendMessage(ask, token, chatId, content)
  const begun: Begun = new Map()
  return {
    showing: CHANNELS.max.showing,
    traits: { isVerifiedByHeaders: true },
    ...(isPaced && { pace: PACE }),
    media: createMedia({ ask, upload, outbound, post, secondMs }),
    ...createAccess(ask),
    ...createDelivery(ask, begun),
    polling: createPolling(ask, begun, isPaced ? POLL_PAUSE_MS : 0),
    ...createSending(ask, post),

    verify: ({ webhookSecret }, headers) =>
      webhookSecret !== '' && constantTimeEqual(headers.get(SECRET_HEADER) ?? '', webhookSecret),

    parse: (body, { identifier }) => parseUpdate(body, identifier ?? null),

    probe: ({ webhookSecret }, nonce) => ({
      headers: { [SECRET_HEADER]: webhookSecret },
      body: { update_type: PROBE_TYPE, timestamp: Date.now(), nonce },
    }),
  }
}

/** Who the bot is. Its token is all that a person enters. */
function createAccess(ask: Ask): Pick<Max, 'credentialsFrom' | 'withEntered' | 'identify'> {
  const from = ({ token = '' }: Readonly<Record<string, string>>) => ({ token, tail: token })
  return {
    credentialsFrom: from,
    withEntered: (_, entered) => from(entered),

    async identify(token) {
      const { user_id: id, username, first_name: name } = await ask(token, { path: '/me' }, me)
      return { externalAccountId: String(id), identifier: username || name || String(id), state: null }
    },
  }
}

/** Where MAX delivers: to one address, ours. After eight hours of failed deliveries it stops until it is subscribed again. */
function createDelivery(ask: Ask, begun: Begun): Pick<Max, 'connect' | 'disconnect' | 'inspect'> {
  const list = async (token: string) => (await ask(token, { path: '/subscriptions' }, subscriptions)).subscriptions
  const forget = async (token: string, isLeft: (url: string) => boolean) => {
    for (const { url } of await list(token)) {
      if (!isLeft(url)) continue
      await ask(token, { verb: 'DELETE', path: `/subscriptions?url=${encodeURIComponent(url)}` }, done)
    }
  }
  return {
    async connect({ token, webhookSecret: secret }, url) {
      if (url !== null) {
        const body = { url, secret, update_types: UPDATE_TYPES }
        await ask(token, { verb: 'POST', path: '/subscriptions', body }, done)
      }
      await forget(token, (each) => each !== url)
      if (url === null) begun.set(token, await ask(token, { path: pathOfUpdates(null, 0) }, batch))
    },

    async disconnect({ token }, url) {
      const path = secretPathOf(url)
      if (path) await forget(token, (each) => secretPathOf(each) === path)
    },

    // The newest subscription gets the deliveries, though it may be another program's. One that lacks a kind of ours counts as none.
    async inspect({ token }) {
      const [newest] = (await list(token)).toSorted((a, b) => b.time - a.time)
      const types = newest?.update_types
      const isWhole = !types || UPDATE_TYPES.every((type) => types.includes(type))
      return { url: (isWhole && newest?.url) || null, pending: null, lastError: null }
    },
  }
}

/** The last path segment of an address, which is random and so identifies ours whatever the installation's host. */
function secretPathOf(url: string | null): string | undefined {
  return URL.parse(url ?? '')
    ?.pathname.split('/')
    .at(-1)
}

function createPolling(ask: Ask, begun: Begun, pauseMs: number): Polling {
  const askedAt = new Map<string, number>()
  /** Keeps to the rate limit of each bot. */
  const pause = async (token: string, signal: AbortSignal) => {
    const waitMs = (askedAt.get(token) ?? 0) + pauseMs - performance.now()
    if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    askedAt.set(token, performance.now())
  }
  return {
    async poll({ token }, offset, waitSeconds, signal) {
      await pause(token, signal)
      if (offset === null || waitSeconds === 0) await assertNotDelivered(ask, token, signal)
      const first = begun.get(token)
      begun.delete(token)
      if (first?.marker && (offset === null || offset === first.marker))
        return { updates: first.updates, nextOffset: first.marker }
      const limitMs = waitSeconds * SECOND_MS + POLL_GRACE_MS
      // The offset has to be known before the poll waits.
      const path = pathOfUpdates(offset, offset === null ? 0 : waitSeconds)
      const { updates, marker } = await ask(token, { path, limitMs, signal }, batch)
      return { updates, nextOffset: marker ?? offset }
    },

    async beginPolling({ token }) {
      const first = begun.get(token) ?? (await ask(token, { path: pathOfUpdates(null, 0) }, batch))
      begun.set(token, first)
      return first.marker ?? null
    },
  }
}

function pathOfUpdates(offset: number | null, waitSeconds: number): string {
  const query = new URLSearchParams({
    limit: String(POLL_LIMIT),
    timeout: String(waitSeconds),
    types: UPDATE_TYPES.join(','),
    ...(offset !== null && { marker: String(offset) }),
  })
  return `/updates?${query}`
}

/** A poll returns nothing while a webhook is set, and may do so without an error. @throws AdapterError conflict */
async function assertNotDelivered(ask: Ask, token: string, signal: AbortSignal): Promise<void> {
  const { subscriptions: found } = await ask(token, { path: '/subscriptions', signal }, subscriptions)
  if (found.length > 0) throw new AdapterError('conflict', 'MAX delivers to another program')
}

function createSending(
  ask: Ask,
  post: (token: string, chatId: string, content: object) => Promise<Sent>,
): Pick<Max, 'buttons' | 'send' | 'showTyping'> {
  return {
    async send({ token }, chatId, text, _partId, { isPlain = false, choices = [], ratingId } = {}) {
      const keyboard = choices.length > 0 ? { attachments: [keyboardOf(choices, ratingId)] } : {}
      const say = (formatted: MaxText) => post(token, chatId, { ...formatted, ...keyboard })
      const formatted = maxText(text, isPlain)
      return say(formatted).catch((error: unknown) => {
        // A refused message has definitely not arrived: it is sent again without formatting.
        if (formatted.format && error instanceof AdapterError && error.kind === 'permanent')
          return say({ text: sentText(text, 'entities') })
        throw error
      })
    },

    async showTyping({ token }, chatId) {
      if (!/^-?\d+$/.test(chatId)) return
      const call = { verb: 'POST', path: `/chats/${chatId}/actions`, body: { action: 'typing_on' } } as const
      await ask(token, call, done).catch(() => undefined)
    },

    buttons: {
      hasScores: true,
      // The next message in the chat answers the press; MAX accepts no empty answer.
      async answerPress({ token }, answerId, text) {
        if (text === null) return
        const path = `/answers?callback_id=${encodeURIComponent(answerId)}`
        await ask(token, { verb: 'POST', path, body: { notification: text } }, done).catch(() => undefined)
      },
    },
  }
}

/** Choices one per row, scores side by side and bound to their question. */
function keyboardOf(choices: string[], ratingId: string | undefined): object {
  const button = (text: string, payload: string) => ({ type: 'callback', text, payload })
  const buttons = ratingId
    ? [choices.map((score) => button(score, pressOf(ratingId, score)))]
    : choices.map((choice) => [button(choice, choice)])
  return { type: 'inline_keyboard', payload: { buttons } }
}

async function sendMessage(ask: Ask, token: string, chatId: string, content: object): Promise<Sent> {
  const to = chatId.startsWith(PERSON_PREFIX)
    ? `user_id=${encodeURIComponent(chatId.slice(PERSON_PREFIX.length))}`
    : `chat_id=${encodeURIComponent(chatId)}`
  const { message } = await ask(token, { verb: 'POST', path: `/messages?${to}`, body: content }, posted)
  return { externalMessageId: message.body.mid }
}
