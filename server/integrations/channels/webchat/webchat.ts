// The web chat as a channel. There is no provider: the visitor's browser is served from the rows of sent messages
// (domain/messaging/webchat/webchat.http.ts), so a part counts as sent as soon as it may be shown.

import { createHash, createHmac, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { AdapterWith } from '#server/integrations/channels/contract/channel.ts'
import type { Inbound, InboundAttachment } from '#server/integrations/channels/contract/inbound.ts'
import { constantTimeEqual } from '#server/platform/lib/constant-time-equal.ts'
import { CHANNELS } from '#shared/channels/manifests.ts'
import { WIDGET_KEY_PATTERN, WIDGET_LANGUAGES } from '#shared/channels/webchat.ts'
import { WEBCHAT_TEXT_MAX } from '#shared/limits.ts'

/** A file that the visitors' endpoint has stored. */
const visitorFile = z.strictObject({
  kind: z.enum(['image', 'document']),
  fileKey: z.string().min(1),
  name: z.string(),
  mimeType: z.string().nullable(),
  sizeBytes: z.number(),
})

/** A message as the visitors' endpoint passes it on: its author comes from the session, never from the browser's request. */
const visitorBody = z.strictObject({
  visitorId: z.string().min(1),
  id: z.string().min(1),
  text: z.string(),
  name: z.string(),
  language: z.enum(WIDGET_LANGUAGES),
  callsPerson: z.literal(true).optional(),
  files: z.array(visitorFile).optional(),
})
export type VisitorBody = z.infer<typeof visitorBody>

const probeBody = z.strictObject({ probe: z.number() })
const PROBE_HEADER = 'x-parley-probe'

/** A web chat channel. */
export function createWebchatChannel(): AdapterWith<'probe'> {
  return {
    showing: CHANNELS.webchat.showing,
    traits: { showsOnlyRecorded: true, showsDrafts: true },
    media: {
      async download() {
        throw new AdapterError('permanent', 'files of visitors are with us already')
      },
      sendFile: async () => ({ externalMessageId: randomUUID() }),
      sendVoice: async () => ({ externalMessageId: randomUUID() }),
    },

    async identify(token) {
      if (!WIDGET_KEY_PATTERN.test(token)) throw new AdapterError('unauthorized', 'not a key of a widget')
      return { externalAccountId: token, identifier: token, state: null }
    },
    async connect() {},
    async disconnect() {},
    /** There is no provider to deliver for it, except in the webhook check. */
    verify: ({ webhookSecret }, headers, body) =>
      webhookSecret !== '' && constantTimeEqual(headers.get(PROBE_HEADER) ?? '', probeSignature(webhookSecret, body)),
    parse: (body) => parse(body),
    probe({ webhookSecret }, nonce) {
      const body = { probe: nonce }
      return { headers: { [PROBE_HEADER]: probeSignature(webhookSecret, JSON.stringify(body)) }, body }
    },

    async send(_credentials, _chatId, text) {
      if (text.length > WEBCHAT_TEXT_MAX) throw new AdapterError('permanent', 'the text is too long')
      return { externalMessageId: randomUUID() }
    },
    /** The visitor's browser sees from the rows that an answer is being generated. */
    async showTyping() {},
  }
}

/** Never equal to what a site signs about its visitors with the same secret: that does not begin with a zero. */
function probeSignature(secret: string, body: string): string {
  return createHmac('sha256', secret).update(`\0probe\n${body}`).digest('hex')
}

function parse(body: unknown): Inbound {
  const probe = probeBody.safeParse(body)
  if (probe.success) return { kind: 'ignored', externalKey: `probe:${probe.data.probe}` }
  const parsed = visitorBody.safeParse(body)
  if (!parsed.success) return { kind: 'unknown', externalKey: `unknown:${digestOf(body)}` }
  const { visitorId, id, text, name, language, callsPerson, files = [] } = parsed.data
  return {
    kind: 'message',
    externalKey: `${visitorId}:${id}`,
    chatId: visitorId,
    sender: { externalId: visitorId, name, username: null, language },
    text,
    ...(callsPerson && { callsPerson }),
    ...(files.length > 0 && { attachments: files.map(toAttachment) }),
  }
}

function toAttachment(file: z.infer<typeof visitorFile>): InboundAttachment {
  return { ...file, fileId: null, durationSeconds: null, text: null }
}

function digestOf(body: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(body) ?? '')
    .digest('base64url')
}
