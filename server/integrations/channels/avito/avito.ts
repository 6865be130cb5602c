// The Avito channel: messages of customers under the ads of an account. The one place that knows the calls of its Messenger API;
// notifications are read in avito.parse.ts, failures in avito.refusals.ts, access tokens, chats and files in the files next to it.
//
// Avito signs its notifications with a header whose algorithm is undocumented, and nothing else in them is secret. The only proof of their
// origin is the address they arrive at, which only Avito and this installation know.

import { createHash } from 'node:crypto'
import { z } from 'zod'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { Profiles, SendLog } from '#server/integrations/channels/contract/capabilities.ts'
import type { AdapterWith, CredentialFormChannel } from '#server/integrations/channels/contract/channel.ts'
import type { Credentials, Sent } from '#server/integrations/channels/contract/credentials.ts'
import { createOutbound, type Outbound } from '#server/integrations/http/outbound.ts'
import { sentText } from '#server/platform/lib/text/sent-text.ts'
import { CHANNELS } from '#shared/channels/manifests.ts'
import { avitoToken, readAvitoAccess } from './avito.access.ts'
import { type Ask, createAvitoApi } from './avito.call.ts'
import { createChats, listOwn } from './avito.chats.ts'
import { createMedia } from './avito.media.ts'
import { PROBE_TYPE, parseNotification } from './avito.parse.ts'

const CALL_TIMEOUT_MS = 20_000
/** How often a chat is shown as read at most while an answer is generated. */
const READ_EVERY_MS = 60_000
const MAX_READ = 10_000
/** Marks our subscriptions among others of the account. */
const MARK = 'parley'

const posted = z.object({ id: z.string().min(1) })
const done = z.unknown()
const subscribed = z.object({ subscriptions: z.array(z.object({ url: z.string() })) })

type Avito = CredentialFormChannel &
  AdapterWith<'inspect' | 'probe'> & { profiles: Required<Profiles>; sendLog: Extract<SendLog, { of: 'chat' }> }

/** `apiUrl`: without a trailing slash. `authUrl`: where access tokens are issued, by default the same address. */
export type AvitoOptions = { apiUrl: string; authUrl?: string; callTimeoutMs?: number; outbound?: Outbound }

/** An Avito channel. */
export function createAvitoChannel({ apiUrl, ...options }: AvitoOptions): Avito {
  const { authUrl = apiUrl, callTimeoutMs: timeoutMs = CALL_TIMEOUT_MS } = options
  const { ask, account } = createAvitoApi({ apiUrl, authUrl, timeoutMs })
  const post = (token: string, chatId: string, what: string, body: object) => send(ask, { token, chatId, what, body })
  return {
    showing: CHANNELS.avito.showing,
    traits: { isVerifiedByHeaders: true },
    media: createMedia(ask, options.outbound ?? createOutbound(), (token, chatId, id) =>
      post(token, chatId, 'messages/image', { image_id: id }),
    ),
    ...createReceiving(),
    ...createDelivery(ask),
    showTyping: createReading(ask),
    profiles: createChats(ask),
    sendLog: {
      of: 'chat',
      list: ({ token }, chatId, since, signal) => listOwn(ask, { token, chatId, since }, signal),
    },
    send: ({ token }, chatId, source, _, options) => {
      const text = sentText(source, options?.isPlain ? null : 'plain')
      return post(token, chatId, 'messages', { type: 'text', message: { text } })
    },

    async identify(token) {
      const { id, name } = await account(token)
      return { externalAccountId: String(id), identifier: name || String(id), state: null }
    },

    credentialsFrom: ({ clientId = '', clientSecret = '' }) => ({
      token: avitoToken({ clientId, clientSecret }),
      tail: clientSecret,
    }),

    withEntered(token, entered) {
      const tail = entered.clientSecret
      const made = { token: avitoToken({ ...readAvitoAccess(token), ...entered }) }
      return tail === undefined ? made : { ...made, tail }
    },
  }
}

/** Subscribing to notifications. */
function createReceiving(): Pick<Avito, 'parse' | 'verify' | 'probe'> {
  return {
    parse: (body) => parseNotification(body),
    verify: ({ webhookSecret }) => webhookSecret !== '',
    probe: (_, nonce) => ({
      headers: {},
      body: { id: `probe-${nonce}`, version: 'v3.0.0', timestamp: 0, payload: { type: PROBE_TYPE, value: { nonce } } },
    }),
  }
}

/**
 * Avito delivers to every subscribed address. Ours carry a mark in their query, which is derived from the connection's secret, so that
 * those of other programs, and of other installations on the same account, are left alone.
 */
function createDelivery(ask: Ask): Pick<Avito, 'connect' | 'disconnect' | 'inspect'> {
  const list = async (token: string): Promise<string[]> => {
    const { subscriptions } = await ask(token, { verb: 'POST', path: '/messenger/v1/subscriptions' }, subscribed)
    return subscriptions.map(({ url }) => url)
  }
  const mine = async ({ token, webhookSecret }: Credentials) => {
    const mark = markOf(webhookSecret)
    return (await list(token)).filter((url) => markIn(url) === mark)
  }
  const unsubscribe = (token: string, url: string) =>
    ask(token, { verb: 'POST', path: '/messenger/v1/webhook/unsubscribe', body: { url } }, done)
  return {
    async connect({ token, webhookSecret }, webhookUrl) {
      const mark = markOf(webhookSecret)
      const wanted = webhookUrl === null ? null : `${webhookUrl}?${MARK}=${mark}`
      if (wanted !== null) {
        await ask(token, { verb: 'POST', path: '/messenger/v3/webhook', body: { url: wanted } }, done)
      }
      // An account is connected here once: any other marked subscription besides this address belongs to a deleted connection.
      const isLeft = (url: string) =>
        url !== wanted && (markIn(url) === mark || (markIn(url) !== null && folderOf(url) === folderOf(wanted)))
      for (const url of await list(token)) if (isLeft(url)) await unsubscribe(token, url)
    },

    async disconnect(credentials) {
      for (const url of await mine(credentials)) await unsubscribe(credentials.token, url)
    },

    async inspect(credentials) {
      const [url] = await mine(credentials)
      return { url: url?.replace(/\?.*$/, '') ?? null, pending: null, lastError: null }
    },
  }
}

function markIn(url: string): string | null {
  return URL.parse(url)?.searchParams.get(MARK) ?? null
}

/** An address without its last path segment. */
function folderOf(url: string | null): string | null {
  return url === null ? null : url.replace(/\/[^/]*$/, '')
}

function markOf(secret: string): string {
  return createHash('sha256').update(`avito subscription ${secret}`).digest('base64url').slice(0, 22)
}

/** Avito shows no typing, but customers see that their message was read. */
function createReading(ask: Ask): Avito['showTyping'] {
  const readAt = new Map<string, number>()
  return async ({ token }, chatId) => {
    const key = JSON.stringify([token, chatId])
    if (Date.now() - (readAt.get(key) ?? 0) < READ_EVERY_MS) return
    if (readAt.size >= MAX_READ) readAt.clear()
    readAt.set(key, Date.now())
    await ask(token, { verb: 'POST', path: pathOf(chatId, 'read') }, done).catch(() => undefined)
  }
}

type Posting = { token: string; chatId: string; what: string; body: object }

async function send(ask: Ask, { token, chatId, what, body }: Posting): Promise<Sent> {
  try {
    const { id } = await ask(token, { verb: 'POST', path: pathOf(chatId, what), body }, posted)
    return { externalMessageId: id }
  } catch (error) {
    // "Forbidden" is answered both for an account that may not write at all and for a customer who has blocked it.
    const isForbidden = error instanceof AdapterError && error.status === 403 && error.kind === 'suspended'
    if (!isForbidden || !(await mayWrite(ask, token))) throw error
    throw new AdapterError('blocked', error.message, null, 403)
  }
}

/** Whether the messenger is open to the account at all. */
function mayWrite(ask: Ask, token: string): Promise<boolean> {
  const asked = ask(token, { path: `/messenger/v2/accounts/{user_id}/chats?limit=1` }, done)
  return asked.then(
    () => true,
    () => false,
  )
}

function pathOf(chatId: string, what: string): string {
  return `/messenger/v1/accounts/{user_id}/chats/${encodeURIComponent(chatId)}/${what}`
}
