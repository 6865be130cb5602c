// The Instagram channel over Instagram's API with its own login: the one place that knows its calls. Deliveries are read in
// instagram.parse.ts, failures in instagram.call.ts, files in instagram.media.ts.
// @source developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/messaging-api

import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { Subscription } from '#server/integrations/channels/contract/capabilities.ts'
import type { AdapterWith, CredentialFormChannel } from '#server/integrations/channels/contract/channel.ts'
import type { Sent } from '#server/integrations/channels/contract/credentials.ts'
import type { Ask } from '#server/integrations/channels/meta/graph.ts'
import { answerSubscription, isSigned, signedHeaders } from '#server/integrations/channels/meta/webhook.ts'
import type { Outbound } from '#server/integrations/http/outbound.ts'
import { sentText } from '#server/platform/lib/text/sent-text.ts'
import { CHANNELS } from '#shared/channels/manifests.ts'
import { instagramToken, readInstagramAccess } from './instagram.access.ts'
import { createInstagramGraph } from './instagram.call.ts'
import { createInstagramMedia, type LinkTo } from './instagram.media.ts'
import { accountOf, CHOICE_PREFIX, PROBE_EVENT, parseNotification, splitDelivery } from './instagram.parse.ts'
import { createRenewal, RENEW_FIRST_MS } from './instagram.renewal.ts'

const CALL_TIMEOUT_MS = 20_000
/** The account's fields that we read. */
const FIELDS = ['messages', 'message_edit', 'messaging_postbacks', 'messaging_seen', 'message_reactions'].join(',')
const UNSUBSCRIBED = 'Meta does not tell of messages to this account'
/** Longer titles are cut off; the payload holds the whole choice. */
const TITLE_LENGTH = 20

const done = z.object({ success: z.literal(true) })
const subscriptions = z.object({ data: z.array(z.object({ subscribed_fields: z.array(z.string()).catch([]) })) })
const posted = z.object({ message_id: z.string() })
const account = z.object({ user_id: z.coerce.string(), username: z.string() })
const text = z.string().nullish().catch(null)
const person = z.object({ name: text, username: text })

type Instagram = CredentialFormChannel & AdapterWith<'subscription' | 'profiles' | 'probe' | 'renewAccess'>

/** `url`: of Graph, without the version and without a trailing slash. `outbound`: by which files of customers are fetched. */
export type InstagramOptions = {
  url: string
  version: string
  outbound: Outbound
  linkTo: LinkTo
  callTimeoutMs?: number
}

/** An Instagram channel. */
export function createInstagramChannel({
  url,
  version,
  outbound,
  linkTo,
  callTimeoutMs: timeoutMs = CALL_TIMEOUT_MS,
}: InstagramOptions): Instagram {
  const ask = createInstagramGraph({ graphUrl: `${url}/${version}`, timeoutMs })
  const post = (token: string, chatId: string, message: object) => sendMessage(ask, token, chatId, message)
  return {
    showing: CHANNELS.instagram.showing,
    traits: { tellsReceipts: true },
    sendLog: { of: 'echoes' },
    media: createInstagramMedia({ outbound, linkTo, post }),
    renewAccess: createRenewal({ url, timeoutMs }),
    ...createEntering(),
    ...createReceiving(),
    ...createSubscribing(ask),
    ...createSending(ask, post),

    async identify(token) {
      const { user_id, username } = await ask(token, { path: 'me?fields=user_id,username' }, account)
      return { externalAccountId: user_id, identifier: username, state: null }
    },

    profiles: {
      async nameSender({ token }, { externalId }, signal) {
        const path = `${encodeURIComponent(externalId)}?fields=name,username`
        const { name, username } = await ask(token, { path, signal }, person)
        const shown = name || username
        return shown ? { name: shown.slice(0, 200), username: username || null } : null
      },
    },
  }
}

/** The delivery address is set in the app's dashboard; the account has to be subscribed separately. */
function createSubscribing(ask: Ask): Pick<Instagram, 'connect' | 'disconnect' | 'subscription'> {
  const isSubscribed: Subscription['isSubscribed'] = async ({ token }) => {
    const { data } = await ask(token, { path: 'me/subscribed_apps' }, subscriptions)
    return data.some(({ subscribed_fields: fields }) => fields.includes('messages'))
  }
  const subscribe: Subscription['subscribe'] = async (credentials) => {
    const path = `me/subscribed_apps?subscribed_fields=${FIELDS}`
    await ask(credentials.token, { verb: 'POST', path }, done).catch(nameRefusal)
    if (!(await isSubscribed(credentials))) throw new AdapterError('permanent', UNSUBSCRIBED)
  }
  return {
    subscription: { isSubscribed, subscribe },
    connect: subscribe,
    async disconnect({ token }) {
      await ask(token, { verb: 'DELETE', path: 'me/subscribed_apps' }, done)
    },
  }
}

/** @throws always; a permanent refusal names what does not work because of it */
function nameRefusal(error: unknown): never {
  const isRefusal = error instanceof AdapterError && error.kind === 'permanent'
  throw isRefusal ? new AdapterError('permanent', `${UNSUBSCRIBED}: ${error.message}`) : error
}

/** What a person enters: the token of the account, and the secret of the app that it was made with. */
function createEntering(): Pick<Instagram, 'credentialsFrom' | 'withEntered' | 'verifyToken'> {
  const secretOf = (entered: string) => entered.toLowerCase()
  return {
    credentialsFrom({ accessToken = '', appSecret = '' }) {
      const verifyToken = randomBytes(24).toString('base64url')
      const token = instagramToken({ accessToken, verifyToken, renewAt: Date.now() + RENEW_FIRST_MS })
      return { token, webhookSecret: secretOf(appSecret), tail: accessToken }
    },
    withEntered(token, { accessToken, appSecret }) {
      const known = readInstagramAccess(token)
      const renewAt = accessToken === undefined ? known.renewAt : Date.now() + RENEW_FIRST_MS
      return {
        token: instagramToken({ ...known, renewAt, ...(accessToken !== undefined && { accessToken }) }),
        ...(appSecret !== undefined && { webhookSecret: secretOf(appSecret) }),
        ...(accessToken !== undefined && { tail: accessToken }),
      }
    },
    verifyToken: (token) => readInstagramAccess(token).verifyToken,
  }
}

/** Subscribing to deliveries. */
function createReceiving(): Pick<Instagram, 'parse' | 'envelope' | 'verify' | 'answerHandshake' | 'probe'> {
  return {
    envelope: { split: splitDelivery, accountOf },
    parse: (body, { accountId }) => parseNotification(body, accountId),
    verify: ({ webhookSecret }, headers, body) => isSigned(webhookSecret, headers, body),
    answerHandshake: ({ token }, query) => answerSubscription(readInstagramAccess(token).verifyToken, query),

    probe({ webhookSecret, accountId = '0' }, nonce) {
      const body = { object: 'instagram', entry: [{ id: accountId, messaging: [{ [PROBE_EVENT]: nonce }] }] }
      return { headers: signedHeaders(webhookSecret, JSON.stringify(body)), body }
    },
  }
}

function createSending(
  ask: Ask,
  post: (token: string, chatId: string, message: object) => Promise<Sent>,
): Pick<Instagram, 'buttons' | 'pace' | 'send' | 'showTyping'> {
  return {
    buttons: {},
    // Of files fewer, ten in a second: those that are refused are sent again a little later.
    pace: { all: { count: 100, perMs: 1000 }, of: (chat) => ({ chat, pace: { count: 100, perMs: 1000 } }) },
    send: ({ token }, chatId, source, _, { choices = [], isPlain = false } = {}) => {
      const words = sentText(source, isPlain ? null : 'plain')
      return post(token, chatId, contentOf(words, choices))
    },

    async showTyping({ token }, chatId) {
      const body = { recipient: { id: chatId }, sender_action: 'typing_on' }
      await ask(token, { verb: 'POST', path: 'me/messages', body }, z.looseObject({})).catch(() => undefined)
    },
  }
}

async function sendMessage(ask: Ask, token: string, chatId: string, message: object): Promise<Sent> {
  const body = { recipient: { id: chatId }, message }
  const { message_id: externalMessageId } = await ask(token, { verb: 'POST', path: 'me/messages', body }, posted)
  return { externalMessageId }
}

/** A text, with its choices below it. */
function contentOf(words: string, choices: string[]): object {
  if (choices.length === 0) return { text: words }
  const replies = choices.map((choice) => {
    return { content_type: 'text', title: titleOf(choice), payload: CHOICE_PREFIX + choice }
  })
  return { text: words, quick_replies: replies }
}

function titleOf(choice: string): string {
  if (choice.length <= TITLE_LENGTH) return choice
  const whole = choice.slice(0, TITLE_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '') // no half of a character
  return `${whole.trimEnd()}…`
}
