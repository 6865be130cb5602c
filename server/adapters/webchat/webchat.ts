// The web chat as a channel. There is no provider: what is sent stands in the rows from which the visitor's browser is served
// (pipeline/webchat.http.ts), so that a part counts as sent as soon as it may be shown.
import { createHash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { AdapterError, type ChannelAdapter, type Inbound, type InboundAttachment } from '#server/adapters/channel.ts'
import { WEBCHAT_TEXT_MAX } from '#shared/limits.ts'
import { WIDGET_KEY_PATTERN, WIDGET_LANGUAGES } from '#shared/webchat.ts'

/** A file that the visitors' door has stored. */
const visitorFile = z.strictObject({
  kind: z.enum(['image', 'document']),
  fileKey: z.string().min(1),
  name: z.string(),
  mimeType: z.string().nullable(),
  sizeBytes: z.number(),
})

/** A message as the visitors' door hands it over: whose it is was read off the session, never off what the browser says. */
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

/** A web chat channel. */
export function createWebchatChannel(): ChannelAdapter {
  return {
    maxTextLength: WEBCHAT_TEXT_MAX,
    showsOnlyRecorded: true,
    showsDrafts: true,
    account: null,
    media: {
      async download() {
        throw new AdapterError('permanent', 'files of visitors are with us already')
      },
      sendFile: async () => ({ externalMessageId: randomUUID() }),
    },

    async identify(token) {
      if (!WIDGET_KEY_PATTERN.test(token)) throw new AdapterError('unauthorized', 'not a key of a widget')
      return { externalAccountId: token, identifier: token, state: null }
    },
    async connect() {},
    async disconnect() {},
    /** Nobody delivers for it. */
    verify: () => false,
    parse: (body) => parse(body),

    async send(_credentials, _chatId, text) {
      if (text.length > WEBCHAT_TEXT_MAX) throw new AdapterError('permanent', 'the text is too long')
      return { externalMessageId: randomUUID() }
    },
    /** The visitor's browser sees by the rows that an answer is being made. */
    async showTyping() {},
  }
}

function parse(body: unknown): Inbound {
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
