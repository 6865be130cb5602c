// VK: the messages of a community, connected by its key.

import type { ChannelManifest } from '#shared/channels/manifest.ts'
import { VK_TEXT_MAX } from '#shared/limits.ts'

export const vk = {
  name: { ru: 'ВКонтакте', en: 'VK' },
  category: 'social',
  cost: 'free',
  path: 'vk',
  showing: { maxTextLength: VK_TEXT_MAX, hasButtons: true, markup: 'plain' },
  files: 'all',
  replyWindowMs: null,
  door: 'webhooks',
  isPolled: true,
  takesSlot: false,
  customerIds: 'connection',
  accountName: 'plain',
  inUse: 'messenger_in_use',
  form: {
    fields: [{ name: 'token', pattern: /^[\w.-]{60,600}$/, isSecret: true }],
    pointing: 'itself',
    guideUrl: 'https://vk.com/groups?tab=admin',
    chatPattern: /^\d{1,15}$/,
    chatUrl: ({ identifier }) => `https://vk.me/${encodeURIComponent(identifier)}`,
  },
} as const satisfies ChannelManifest
