// MAX: a bot, connected by its token.

import type { ChannelManifest } from '#shared/channels/manifest.ts'
import { MAX_TEXT_MAX } from '#shared/limits.ts'

export const max = {
  name: { ru: 'MAX', en: 'MAX' },
  category: 'messenger',
  cost: 'free',
  path: 'max',
  showing: { maxTextLength: MAX_TEXT_MAX, hasButtons: true, markup: 'html' },
  files: 'all',
  replyWindowMs: null,
  door: 'webhooks',
  isPolled: true,
  takesSlot: false,
  customerIds: 'channel',
  accountName: 'plain',
  inUse: 'messenger_in_use',
  form: {
    fields: [{ name: 'token', pattern: /^[\w.~+/=-]{20,600}$/, isSecret: true }],
    pointing: 'itself',
    guideUrl: 'https://business.max.ru/self',
    chatPattern: /^(?:user:|-)?\d{1,19}$/,
    chatUrl: ({ identifier }) => `https://max.ru/${encodeURIComponent(identifier)}`,
  },
} as const satisfies ChannelManifest
