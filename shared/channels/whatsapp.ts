// What a WhatsApp number has beyond other connections: settings of its instance, its provider's queue, and a check of all of it.
import * as z from 'zod/mini'
import { WHATSAPP_DELAY_MAX_MS, WHATSAPP_DELAY_MIN_MS } from '#shared/limits.ts'
import { id } from '#shared/schema.ts'
import { connectionInput } from './channels.ts'

/** Settings of an instance. Which notifications it sends is not among them: without these nothing would be received. */
export const whatsappSettings = z.strictObject({
  /** Between two messages of the number, milliseconds. */
  delayMs: z.int().check(z.minimum(WHATSAPP_DELAY_MIN_MS), z.maximum(WHATSAPP_DELAY_MAX_MS)),
  /** Shows customers that a message was read as soon as it arrives. */
  marksRead: z.boolean(),
  /** Shows it when the answer is sent; goes before `marksRead`. */
  marksReadOnReply: z.boolean(),
  /** Shows the number as online all the time. */
  keepsOnline: z.boolean(),
})
export type WhatsappSettings = z.infer<typeof whatsappSettings>

export const createInstanceInput = z.strictObject({ agentId: id('agents') })
export const configureWhatsappInput = z.extend(connectionInput, { settings: whatsappSettings })
export const whatsappDeliveryInput = z.extend(connectionInput, { delivery: z.enum(['webhook', 'polling']) })

/**
 * credentials    GREEN-API accepts the instance with its token
 * phone          a phone is linked
 * sending        the account may send
 * notifications  the instance tells of messages, of replies from the phone, of deliveries and of its state
 * delivery       it delivers to the address of this connection, or to none when it is polled
 * queue          nothing waits at the provider
 */
export const WHATSAPP_CHECKS = ['credentials', 'phone', 'sending', 'notifications', 'delivery', 'queue'] as const
export type WhatsappCheck = (typeof WHATSAPP_CHECKS)[number]
/** In the order of WHATSAPP_CHECKS. `skipped`: an earlier one has failed, so that it could not be looked at. */
export type WhatsappReport = { check: WhatsappCheck; outcome: 'passed' | 'failed' | 'skipped' }[]

/** How an instance is set up, as the provider tells it. */
export type WhatsappSetup = {
  settings: WhatsappSettings
  /** Where the instance is reached. */
  apiUrl: string
  /** Of its files. */
  mediaUrl: string
  /** Where it delivers; null: nowhere, it is polled. */
  webhookUrl: string | null
  /** Whether it sends all notifications that we need. */
  isTelling: boolean
}
