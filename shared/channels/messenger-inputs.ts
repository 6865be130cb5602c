// Arguments of the functions for messengers, and what is entered at a provider to set up its webhook.
import * as z from 'zod/mini'
import { MESSENGER_TEST_TEXT_MAX } from '#shared/limits.ts'
import { id } from '#shared/schema.ts'
import { connectionInput } from './channels.ts'
import { ENTRY_MAX } from './manifest.ts'
import { MESSENGER_CHANNELS } from './manifests.ts'

const entered = z.record(z.string().check(z.maxLength(50)), z.string().check(z.trim(), z.maxLength(ENTRY_MAX)))

export const provisionMessengerInput = z.strictObject({
  agentId: id('agents'),
  channel: z.enum(MESSENGER_CHANNELS),
  /** By field name. */
  entered,
})
/** Omitted fields keep their value. */
export const rotateMessengerInput = z.extend(connectionInput, { entered })
export const testMessengerInput = z.extend(connectionInput, {
  /** As the provider names the chat. */
  chatId: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
  text: z.string().check(z.trim(), z.minLength(1), z.maxLength(MESSENGER_TEST_TEXT_MAX)),
})

/**
 * Where a provider delivers. `verifyToken`: to be entered along with the address; null: none. `isReachable`: the provider can reach the
 * address.
 */
export type MessengerWebhook = { callbackUrl: string; verifyToken: string | null; isReachable: boolean }
