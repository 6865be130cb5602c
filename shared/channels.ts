// Channels and their connections.
import * as z from 'zod/mini'
import type { Id } from './ids.ts'
import { id } from './schema.ts'

/** Channels that a customer may write through; `test` is the test chat, which never leaves Parley. */
export type Channel = 'telegram' | 'test'

export type ConnectionStatus = 'connected' | 'disconnected' | 'error' | 'pending'

export const BOT_TOKEN_PATTERN = /^\d{5,}:[A-Za-z0-9_-]{20,}$/

export const provisionTelegramInput = z.strictObject({
  agentId: id('agents'),
  botToken: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
})
export const connectionInput = z.strictObject({ connectionId: id('channelConnections') })
export const listConnectionsInput = z.strictObject({ agentId: z.optional(id('agents')) })

/** A connection as a client sees it. Secrets never leave the server; the token shows as its last four characters. */
export type ChannelConnection = {
  _id: Id<'channelConnections'>
  agentId: Id<'agents'>
  channel: Exclude<Channel, 'test'>
  /** Telegram: the bot's username without @. */
  identifier: string
  status: ConnectionStatus
  /** `webhook` when the installation has a public https URL, else `polling`. */
  delivery: 'webhook' | 'polling'
  maskedToken: string
  lastError: string | null
  lastHeartbeatAt: number | null
  lastInboundAt: number | null
  messagesProcessed: number
  linkedAt: number
}
