// The WhatsApp channel over GREEN-API: the one place that knows its methods. Notifications are read in green-api.parse.ts, failures
// in green-api.call.ts, settings and the queue of an instance are in green-api.number.ts.

import { z } from 'zod'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { LinkedAccount } from '#server/integrations/channels/contract/capabilities.ts'
import type { AdapterWith } from '#server/integrations/channels/contract/channel.ts'
import type { Credentials } from '#server/integrations/channels/contract/credentials.ts'
import type { InstancePartner, NumberKeeping } from '#server/integrations/channels/contract/whatsapp-numbers.ts'
import { createOutbound, type Outbound } from '#server/integrations/http/outbound.ts'
import { constantTimeEqual } from '#server/platform/lib/constant-time-equal.ts'
import { sentText } from '#server/platform/lib/text/sent-text.ts'
import { CHANNELS } from '#shared/channels/manifests.ts'
import { readAccess } from './green-api.access.ts'
import { createMedia } from './green-api.attachments.ts'
import { type Ask, type Caller, createCaller } from './green-api.call.ts'
import { createLog } from './green-api.log.ts'
import { createNumberKeeping, NOTIFICATIONS } from './green-api.number.ts'
import { accountState, parseNotification, phoneOf } from './green-api.parse.ts'
import { createInstancePartner, type PartnerAccess } from './green-api.partner.ts'

const CALL_TIMEOUT_MS = 20_000
/** Account methods may be called once a second. @source green-api.com/en/docs/api/ratelimiter */
const SLOW_PAUSE_MS = 1100
/** Beyond the time that GREEN-API itself waits with a long poll. */
const POLL_GRACE_MS = 15_000
/** Seconds, the least and the most that a poll may wait. */
const POLL_SECONDS = { min: 5, max: 60 }
/** The notice of typing stands in the same queue as messages, and delays them for as long. */
const TYPING_MS = 2000

const NO_WEBHOOK = { webhookUrl: '', webhookUrlToken: '' }

const stateAnswer = z.object({ stateInstance: z.string() })
const settingsAnswer = z.looseObject({ wid: z.string().optional(), webhookUrl: z.string().optional() })
const sentAnswer = z.object({ idMessage: z.string() })
const qrAnswer = z.object({ type: z.string(), message: z.string().catch('') })
const codeAnswer = z.object({ status: z.boolean(), code: z.string().optional() })
const notificationAnswer = z.object({ receiptId: z.number().int(), body: z.unknown() }).nullable()

/** Instances of GREEN-API, which are phones. `partner` null: none is configured. */
type Whatsapp = AdapterWith<'polling' | 'account' | 'inspect' | 'probe'> & {
  number: NumberKeeping
  partner: InstancePartner | null
}

export type WhatsappOptions = {
  callTimeoutMs?: number
  slowPauseMs?: number
  /** By which files are fetched; one of its own by default. */
  outbound?: Outbound
  /** The partner token that creates instances; undefined: none are created. */
  partner?: PartnerAccess | undefined
}

/** A WhatsApp channel. The address of each instance stands in its credentials. */
export function createWhatsappChannel(options: WhatsappOptions = {}): Whatsapp {
  const timeoutMs = options.callTimeoutMs ?? CALL_TIMEOUT_MS
  const partner = options.partner ? createInstancePartner(options.partner, timeoutMs) : null
  const run = createCaller({
    timeoutMs,
    slowPauseMs: options.slowPauseMs ?? SLOW_PAUSE_MS,
  })
  const ask: Ask = async (token, call, schema) => {
    const parsed = schema.safeParse(await run(token, call))
    if (!parsed.success) throw new AdapterError('unknown_outcome', 'GREEN-API answered something else')
    return parsed.data
  }
  const account = createAccount(run, ask)
  return {
    showing: CHANNELS.whatsapp.showing,
    traits: { isVerifiedByHeaders: true, hasAliases: true, tellsReceipts: true },
    account,
    number: createNumberKeeping(run, ask),
    partner,
    media: createMedia(options.outbound ?? createOutbound(), ask),
    sendLog: createLog(ask),
    ...createReceiving(run, ask),
    disconnect: (credentials) => leave(run, partner, credentials),
    ...createSending(run, ask),

    async identify(token) {
      const { state, identifier } = await account.describe({ token, webhookSecret: '' })
      const { idInstance } = readAccess(token)
      return { externalAccountId: idInstance, identifier: identifier ?? idInstance, state }
    },
  }
}

/** Receiving notifications, by webhook or by polling. */
function createReceiving(
  run: Caller,
  ask: Ask,
): Pick<Whatsapp, 'parse' | 'verify' | 'connect' | 'polling' | 'inspect' | 'probe'> {
  return {
    parse: (body, { token }) => parseNotification(body, readAccess(token).idInstance),

    verify(credentials, headers) {
      const given = headers.get('authorization') ?? ''
      return constantTimeEqual(given.replace(/^Bearer /, ''), credentials.webhookSecret)
    },

    async connect({ token, webhookSecret }, webhookUrl) {
      const address = webhookUrl === null ? NO_WEBHOOK : { webhookUrl, webhookUrlToken: webhookSecret }
      const wanted = { ...NOTIFICATIONS, ...address }
      const current = await ask(token, { method: 'getSettings', isSlow: true }, settingsAnswer)
      // Every change restarts the instance for up to five minutes: what is right already is left alone.
      if (Object.entries(wanted).every(([name, value]) => current[name] === value)) return
      await run(token, { verb: 'POST', method: 'setSettings', body: wanted, isSlow: true })
    },

    async inspect({ token }) {
      const { webhookUrl } = await ask(token, { method: 'getSettings', isSlow: true }, settingsAnswer)
      return { url: webhookUrl || null, pending: null, lastError: null }
    },

    probe: ({ token, webhookSecret }, nonce) => ({
      headers: { authorization: `Bearer ${webhookSecret}` },
      body: {
        typeWebhook: 'deviceInfo',
        instanceData: { idInstance: readAccess(token).idInstance },
        timestamp: -nonce,
      },
    }),

    polling: {
      async poll({ token }, offset, waitSeconds, signal) {
        if (offset !== null) {
          await run(token, { verb: 'DELETE', method: 'deleteNotification', rest: `/${offset}`, signal })
        }
        const seconds = Math.min(Math.max(waitSeconds, POLL_SECONDS.min), POLL_SECONDS.max)
        const limitMs = seconds * 1000 + POLL_GRACE_MS
        const call = { method: 'receiveNotification', rest: `?receiveTimeout=${seconds}`, limitMs, signal }
        const received = await ask(token, call, notificationAnswer)
        if (received === null) return { updates: [], nextOffset: null }
        return { updates: [received.body], nextOffset: received.receiptId }
      },
    },
  }
}

/** Deletes an instance that we created, after unlinking its phone, which would stay linked otherwise. Any other only stops notifying us. */
async function leave(run: Caller, partner: InstancePartner | null, { token }: Credentials): Promise<void> {
  const { isOurs, idInstance } = readAccess(token)
  if (isOurs && partner) {
    await run(token, { method: 'logout', isSlow: true }).catch(() => undefined)
    return partner.remove(idInstance)
  }
  const off = Object.fromEntries(Object.keys(NOTIFICATIONS).map((name) => [name, 'no']))
  await run(token, { verb: 'POST', method: 'setSettings', body: { ...off, ...NO_WEBHOOK }, isSlow: true })
}

function createSending(run: Caller, ask: Ask): Pick<Whatsapp, 'send' | 'showTyping'> {
  return {
    async send({ token }, chatId, text, _partId, { isPlain = false } = {}) {
      const message = sentText(text, isPlain ? null : 'whatsapp')
      const body = { chatId, message, linkPreview: false }
      const { idMessage } = await ask(token, { verb: 'POST', method: 'sendMessage', body }, sentAnswer)
      return { externalMessageId: idMessage }
    },

    async showTyping({ token }, chatId) {
      const body = { chatId, typingTime: TYPING_MS }
      await run(token, { verb: 'POST', method: 'sendTyping', body }).catch(() => undefined)
    },
  }
}

/** Linking a phone and looking after it. */
function createAccount(run: Caller, ask: Ask): LinkedAccount {
  return {
    async describe({ token }) {
      const { stateInstance } = await ask(token, { method: 'getStateInstance', isSlow: true }, stateAnswer)
      const state = accountState(stateInstance)
      if (state === 'notAuthorized') return { state, identifier: null }
      const { wid } = await ask(token, { method: 'getSettings', isSlow: true }, settingsAnswer)
      return { state, identifier: phoneOf(wid ?? '') }
    },

    async qr({ token }) {
      const { type, message } = await ask(token, { method: 'qr' }, qrAnswer)
      if (type === 'qrCode') return { kind: 'code', png: message }
      if (type === 'alreadyLogged') return { kind: 'linked' }
      if (type === 'passkeyRequired') return { kind: 'passkey' }
      if (/starting/i.test(message)) return { kind: 'starting' }
      throw new AdapterError('permanent', message || type)
    },

    async phoneCode({ token }, phone) {
      const body = { phoneNumber: Number(phone) }
      const call = { verb: 'POST', method: 'getAuthorizationCode', body, isSlow: true } as const
      const { status, code } = await ask(token, call, codeAnswer)
      if (!status || !code) throw new AdapterError('temporary', 'no code was given')
      return code
    },

    async reboot({ token }) {
      await run(token, { method: 'reboot', isSlow: true })
    },

    async unlink({ token }) {
      await run(token, { method: 'logout', isSlow: true })
    },
  }
}
