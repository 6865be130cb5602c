// WhatsApp connections through Meta's own Cloud API: input, and what Meta reports about a number.
import * as z from 'zod/mini'
import { WHATSAPP_TEST_TEXT_MAX } from '#shared/limits.ts'
import { id } from '#shared/schema.ts'
import { connectionInput, PHONE_PATTERN } from './channels.ts'

/** Formats of Meta's ids: digits for numbers and accounts, hexadecimal digits for apps. */
export const META_ID_PATTERN = /^\d{6,20}$/
export const APP_SECRET_PATTERN = /^[0-9a-f]{32}$/
export const META_TOKEN_PATTERN = /^[A-Za-z0-9_-]{20,500}$/

const entered = (max: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(max))

export const provisionCloudInput = z.strictObject({
  agentId: id('agents'),
  phoneNumberId: entered(50),
  accountId: entered(50),
  accessToken: entered(600),
  appSecret: entered(100),
})
/** Omitted fields keep their value. */
export const rotateCloudInput = z.extend(connectionInput, {
  accessToken: z.optional(entered(600)),
  appSecret: z.optional(entered(100)),
})
export const testCloudInput = z.extend(connectionInput, {
  phone: z.string().check(z.regex(PHONE_PATTERN)),
  text: entered(WHATSAPP_TEST_TEXT_MAX),
})

/** What Meta reports about a number; Meta's values in lower case. */
export type CloudNumberFacts = {
  /** As people write it. */
  phone: string
  verifiedName: string
  /** green, yellow, red, unknown or a newer word. */
  quality: string
  /** connected, flagged, restricted, banned or another. */
  status: string
  /** How many customers may be written to first in a day; null: not reported. */
  messagingLimit: string | null
}

/** What is entered at Meta to set up its webhook. `isReachable`: Meta can reach the address. */
export type CloudWebhook = { callbackUrl: string; verifyToken: string; isReachable: boolean }
