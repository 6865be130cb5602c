// The VK channel: messages between customers and a community. Events are read in vk.parse.ts, how they reach us is in vk.delivery.ts,
// failures in vk.call.ts, files in vk.media.ts.

import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { Polling } from '#server/integrations/channels/contract/capabilities.ts'
import type { AdapterWith, CredentialFormChannel, SendOptions } from '#server/integrations/channels/contract/channel.ts'
import type { Sent } from '#server/integrations/channels/contract/credentials.ts'
import type { Outbound } from '#server/integrations/http/outbound.ts'
import { constantTimeEqual } from '#server/platform/lib/constant-time-equal.ts'
import { sentText } from '#server/platform/lib/text/sent-text.ts'
import { CHANNELS } from '#shared/channels/manifests.ts'
import { VK_TEXT_MAX } from '#shared/limits.ts'
import { type Ask, createCaller, type VkParams, VkRefusal } from './vk.call.ts'
import { createDelivery, findCommunity } from './vk.delivery.ts'
import { createMedia } from './vk.media.ts'
import { OUR_PAYLOAD, PROBE_TYPE, parseEvent } from './vk.parse.ts'

const CALL_TIMEOUT_MS = 20_000
/** What a key has to be allowed, by VK's bits of it; in the words of the page on which keys are made. @source dev.vk.com/ru/reference/access-rights */
const RIGHTS = {
  'manage (управление сообществом)': 262_144,
  'messages (сообщения сообщества)': 4096,
  'photos (фотографии сообщества)': 4,
  'docs (файлы сообщества)': 131_072,
}
/** Calls by the key of a community: 20 in a second, of which some are left for typing and files. @source dev.vk.com/ru/api/api-requests */
const PACE = { count: 12, perMs: 1000 }
/** What fits below a text. @source dev.vk.com/ru/api/bots/development/keyboard */
const KEYBOARD = { rows: 6, labelLength: 40 }
/** "This is a chat bot feature": the community's settings do not allow buttons. */
const NO_BUTTONS = 912
/** VK's documentation has stated both that a repeat is recognized forever and for an hour. @source dev.vk.com/ru/method/messages.send */
const REPEATS_KNOWN_MS = 50 * 60_000
/** The most sent messages that are remembered; an echo arrives within seconds. */
const MAX_SENT = 10_000

const permissions = z.object({ mask: z.number().int() })
const people = z.array(
  z.object({ first_name: z.string(), last_name: z.string().catch(''), screen_name: z.string().optional() }),
)
const secret = z.object({ secret: z.string() })
const done = z.unknown()

type Vk = CredentialFormChannel &
  AdapterWith<'callback' | 'profiles' | 'inspect' | 'probe'> & { polling: Required<Polling> }
type Post = (key: string, chatId: string, content: VkParams, partId: string) => Promise<Sent>

/** `apiUrl`: without a trailing slash. */
export type VkOptions = {
  apiUrl: string
  callTimeoutMs?: number
  /** The client that downloads files. */
  outbound: Outbound
}

/** A VK channel. */
export function createVkChannel({ apiUrl, callTimeoutMs = CALL_TIMEOUT_MS, outbound }: VkOptions): Vk {
  const { ask, request } = createCaller({ apiUrl, timeoutMs: callTimeoutMs })
  const sent = new Set<number>()
  const post = createPost(ask, sent)
  return {
    showing: CHANNELS.vk.showing,
    traits: { dropsRepeatsForMs: REPEATS_KNOWN_MS, tellsReceipts: true },
    media: createMedia({ ask, request, outbound }, (key, chatId, attachment, partId) =>
      post(key, chatId, { attachment }, partId),
    ),
    ...createDelivery(ask, request),
    ...createReceiving(ask, sent),
    ...createSending(ask, post),
    // VK sends its secret in the body, and allows only some characters in it.
    credentialsFrom: ({ token = '' }) => ({ token, tail: token, webhookSecret: randomBytes(24).toString('hex') }),
    withEntered: (token, { token: entered = token }) =>
      entered === token ? { token } : { token: entered, tail: entered },

    async identify(key) {
      const { mask } = await ask(key, 'groups.getTokenPermissions', {}, permissions)
      const missing = Object.entries(RIGHTS).flatMap(([name, bit]) => ((mask & bit) === 0 ? [name] : []))
      if (missing.length > 0) throw new AdapterError('permanent', `the key lacks rights: ${missing.join(', ')}`)
      const { id, screen_name: identifier } = await findCommunity(ask, key)
      return { externalAccountId: String(id), identifier, state: null }
    },
  }
}

/** Receiving events. */
function createReceiving(
  ask: Ask,
  sent: ReadonlySet<number>,
): Pick<Vk, 'parse' | 'envelope' | 'verify' | 'probe' | 'profiles'> {
  return {
    parse: (body) => parseEvent(body, (randomId) => sent.has(randomId)),

    // A stored event must not hold the secret.
    envelope: { split: (body) => [withoutSecret(body)] },

    verify({ webhookSecret }, _, body) {
      const given = secret.safeParse(parsed(body))
      return given.success && constantTimeEqual(given.data.secret, webhookSecret)
    },

    probe: ({ webhookSecret }, nonce) => ({
      headers: {},
      body: { type: PROBE_TYPE, event_id: `probe${nonce}`, object: {}, secret: webhookSecret },
    }),

    profiles: {
      async nameSender({ token: key }, { externalId }, signal) {
        const params = { user_ids: externalId, fields: 'screen_name', lang: 'ru' }
        const [person] = await ask(key, 'users.get', params, people, { signal })
        if (!person) return null
        const { first_name: first, last_name: last, screen_name: screen } = person
        const username = screen && !/^id\d+$/.test(screen) ? screen : null
        return { name: `${first} ${last}`.trim().slice(0, 200), username }
      },
    },
  }
}

function withoutSecret(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'secret'))
}

/** Sends a message; a repeat of the same part is shown once. */
function createPost(ask: Ask, sent: Set<number>): Post {
  return async (key, chatId, content, partId) => {
    const random_id = randomIdOf(partId)
    sent.add(random_id)
    if (sent.size > MAX_SENT) for (const oldest of sent) if (sent.delete(oldest)) break
    const params = { peer_id: chatId, random_id, payload: OUR_PAYLOAD, dont_parse_links: 1, disable_mentions: 1 }
    const id = await ask(key, 'messages.send', { ...params, ...content }, z.number().int())
    return { externalMessageId: String(id) }
  }
}

function createSending(ask: Ask, post: Post): Pick<Vk, 'buttons' | 'pace' | 'send' | 'showTyping'> {
  return {
    buttons: {},
    pace: { all: PACE, of: (chat) => ({ chat, pace: PACE }) },

    async send({ token: key }, chatId, source, partId, { choices = [], isPlain = false }: SendOptions = {}) {
      const text = sentText(source, isPlain ? null : 'plain')
      if (choices.length === 0) return post(key, chatId, { message: text }, partId)
      const keyboard = JSON.stringify(keyboardOf(choices))
      return post(key, chatId, { message: text, keyboard }, partId).catch((error: unknown) => {
        // Refused as a whole, so it is sent with its choices as text.
        if (!(error instanceof VkRefusal) || error.code !== NO_BUTTONS) throw error
        return post(key, chatId, { message: listed(text, choices) }, partId)
      })
    },

    async showTyping({ token: key }, chatId) {
      await ask(key, 'messages.setActivity', { peer_id: chatId, type: 'typing' }, done).catch(() => undefined)
    },
  }
}

/** One per row, or two per row where there are many. A label is cut; the button's payload is whole. */
function keyboardOf(choices: string[]): object {
  const perRow = choices.length > KEYBOARD.rows ? 2 : 1
  const buttons = choices.map((choice) => ({
    action: { type: 'text', label: labelOf(choice), payload: JSON.stringify({ choice }) },
  }))
  const rows = Array.from({ length: Math.ceil(buttons.length / perRow) }, (_, row) =>
    buttons.slice(row * perRow, (row + 1) * perRow),
  )
  return { inline: true, buttons: rows }
}

function labelOf(choice: string): string {
  return choice.length <= KEYBOARD.labelLength ? choice : `${choice.slice(0, KEYBOARD.labelLength - 1).trimEnd()}…`
}

function listed(text: string, choices: string[]): string {
  const whole = `${text}\n\n${choices.map((choice, at) => `${at + 1}. ${choice}`).join('\n')}`
  return whole.length <= VK_TEXT_MAX ? whole : text
}

/** A positive number of 31 bits; VK compares those of one chat. */
function randomIdOf(partId: string): number {
  return createHash('sha256').update(partId).digest().readUInt32BE() >>> 1 || 1
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
