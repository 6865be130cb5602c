// WhatsApp through GREEN-API: a phone that is linked by a QR code.

import type { ChannelManifest } from '#shared/channels/manifest.ts'
import { WHATSAPP_TEXT_MAX } from '#shared/limits.ts'

export const whatsapp = {
  name: { ru: 'WhatsApp', en: 'WhatsApp' },
  category: 'messenger',
  cost: 'greenApi',
  path: 'whatsapp',
  showing: { maxTextLength: WHATSAPP_TEXT_MAX, hasButtons: false, markup: 'whatsapp' },
  files: 'all',
  replyWindowMs: null,
  door: 'webhooks',
  isPolled: true,
  takesSlot: true,
  customerIds: 'phone',
  accountName: 'phone',
  inUse: 'whatsapp_instance_in_use',
  form: null,
} as const satisfies ChannelManifest
