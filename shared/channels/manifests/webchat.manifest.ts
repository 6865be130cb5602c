// The web chat: a widget on the organization's own site.

import type { ChannelManifest } from '#shared/channels/manifest.ts'
import { WEBCHAT_TEXT_MAX } from '#shared/limits.ts'

export const webchat = {
  name: { ru: 'Веб-чат', en: 'Web chat' },
  category: 'custom',
  cost: 'free',
  path: 'webchat',
  showing: { maxTextLength: WEBCHAT_TEXT_MAX, hasButtons: false, markup: 'rendered' },
  files: 'all',
  replyWindowMs: null,
  door: 'own',
  isPolled: false,
  takesSlot: false,
  customerIds: 'connection',
  accountName: 'plain',
  // The accounts of web chats are made with their connections, so they are in use nowhere else.
  inUse: 'conflict',
  form: null,
} as const satisfies ChannelManifest
