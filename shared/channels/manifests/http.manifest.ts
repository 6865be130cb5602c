// The HTTP channel: a program of the organization's own, signed in both directions.

import type { ChannelManifest } from '#shared/channels/manifest.ts'
import { HTTP_TEXT_MAX } from '#shared/limits.ts'

export const http = {
  name: { ru: 'HTTP-канал', en: 'HTTP channel' },
  category: 'custom',
  cost: 'free',
  path: 'http',
  showing: { maxTextLength: HTTP_TEXT_MAX, hasButtons: false, markup: 'source' },
  files: 'none',
  replyWindowMs: null,
  door: 'own',
  isPolled: false,
  takesSlot: false,
  customerIds: 'connection',
  accountName: 'plain',
  // The accounts of programs are made with their connections, so they are in use nowhere else.
  inUse: 'conflict',
  form: null,
} as const satisfies ChannelManifest
