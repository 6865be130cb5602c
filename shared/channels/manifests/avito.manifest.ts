// Avito: chats about the ads of an account, connected by its API keys.

import type { ChannelManifest } from '#shared/channels/manifest.ts'
import { AVITO_TEXT_MAX } from '#shared/limits.ts'

export const avito = {
  name: { ru: 'Авито', en: 'Avito' },
  category: 'social',
  cost: 'provider',
  path: 'avito',
  showing: { maxTextLength: AVITO_TEXT_MAX, hasButtons: false, markup: 'plain' },
  files: /^image\/(?:jpeg|png|gif|bmp|heic)$/,
  replyWindowMs: null,
  door: 'webhooks',
  isPolled: false,
  takesSlot: false,
  customerIds: 'connection',
  accountName: 'plain',
  inUse: 'messenger_in_use',
  form: {
    // A new key of the account may have another id as well.
    fields: [
      { name: 'clientId', pattern: /^[\w-]{10,100}$/, isSecret: true },
      { name: 'clientSecret', pattern: /^[\w-]{20,200}$/, isSecret: true },
    ],
    pointing: 'itself',
    guideUrl: 'https://www.avito.ru/professionals/api',
    chatPattern: /^[\w~-]{3,100}$/,
    // Customers write from an ad.
    chatUrl: null,
  },
} as const satisfies ChannelManifest
