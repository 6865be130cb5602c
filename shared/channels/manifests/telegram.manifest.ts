// Telegram: a bot, connected by its token.

import type { ChannelManifest } from '#shared/channels/manifest.ts'
import { TELEGRAM_TEXT_MAX } from '#shared/limits.ts'

export const telegram = {
  name: { ru: 'Telegram', en: 'Telegram' },
  category: 'messenger',
  cost: 'free',
  path: 'telegram',
  showing: { maxTextLength: TELEGRAM_TEXT_MAX, hasButtons: true, markup: 'entities' },
  files: 'all',
  replyWindowMs: null,
  door: 'webhooks',
  isPolled: true,
  takesSlot: false,
  customerIds: 'channel',
  accountName: 'at',
  inUse: 'telegram_token_in_use',
  form: null,
} as const satisfies ChannelManifest
