// WhatsApp through Meta's own Cloud API.

import type { ChannelManifest } from '#shared/channels/manifest.ts'
import { WHATSAPP_CLOUD_TEXT_MAX } from '#shared/limits.ts'

export const whatsappCloud = {
  name: { ru: 'WhatsApp (Cloud API)', en: 'WhatsApp (Cloud API)' },
  category: 'messenger',
  cost: 'meta',
  path: 'whatsapp-cloud',
  showing: { maxTextLength: WHATSAPP_CLOUD_TEXT_MAX, hasButtons: true, markup: 'whatsapp' },
  files: 'all',
  replyWindowMs: 24 * 3_600_000,
  door: 'webhooks',
  isPolled: false,
  takesSlot: true,
  customerIds: 'phone',
  accountName: 'phone',
  inUse: 'cloud_number_in_use',
  form: null,
} as const satisfies ChannelManifest
