// Instagram: direct messages of a professional account, connected by its token and the secret of a Meta app.

import type { ChannelManifest } from '#shared/channels/manifest.ts'
import { INSTAGRAM_TEXT_MAX_BYTES } from '#shared/limits.ts'

export const instagram = {
  name: { ru: 'Instagram', en: 'Instagram' },
  category: 'social',
  cost: 'free',
  path: 'instagram',
  showing: {
    maxTextLength: INSTAGRAM_TEXT_MAX_BYTES,
    maxTextBytes: INSTAGRAM_TEXT_MAX_BYTES,
    hasButtons: true,
    markup: 'plain',
  },
  files: 'all',
  replyWindowMs: 24 * 3_600_000,
  door: 'webhooks',
  isPolled: false,
  takesSlot: false,
  customerIds: 'connection',
  accountName: 'plain',
  inUse: 'messenger_in_use',
  form: {
    fields: [
      { name: 'accessToken', pattern: /^IG[A-Za-z0-9_-]{30,590}$/, isSecret: true },
      { name: 'appSecret', pattern: /^[0-9a-fA-F]{32}$/, isSecret: true },
    ],
    pointing: 'byHand',
    guideUrl: 'https://developers.facebook.com/apps/',
    chatPattern: /^\d{5,25}$/,
    chatUrl: ({ identifier }) => `https://ig.me/m/${encodeURIComponent(identifier)}`,
  },
} as const satisfies ChannelManifest
