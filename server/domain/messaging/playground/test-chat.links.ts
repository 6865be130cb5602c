// Tickets of shared test chats: only the server can issue one. It contains what it shares and its expiry, so that no row has to.
import { z } from 'zod'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { TEST_VARIANTS, type TestVariant } from '#shared/messaging/test-chat.ts'

const PLACE = 'test chat|link'

const ticketed = z.strictObject({
  organizationId: z.string(),
  agentId: z.string(),
  chats: z.array(z.strictObject({ variant: z.enum(TEST_VARIANTS), conversationId: z.string(), through: z.number() })),
  at: z.number(),
  until: z.number(),
})

/** A test chat as far as it went when it was shared: `through` is the sequence of its last message. */
export type SharedPart = { variant: TestVariant; conversationId: Id<'conversations'>; through: number }
/** What a ticket stands for. Instants in milliseconds since the epoch. */
export type Share = {
  organizationId: Id<'organizations'>
  agentId: Id<'agents'>
  chats: SharedPart[]
  at: number
  until: number
}

/** The share as a text. */
export function shareTicket(secrets: Secrets, share: Share): string {
  return secrets.encrypt(JSON.stringify(share), PLACE)
}

/** @throws AppError not_found for a ticket that is too old, or not issued by us */
export function readShare(secrets: Secrets, ticket: string, now: number): Share {
  const share = opened(secrets, ticket)
  if (!share || share.until < now) throw new AppError('not_found')
  return share
}

function opened(secrets: Secrets, ticket: string): Share | undefined {
  try {
    return ticketed.parse(JSON.parse(secrets.decrypt(ticket, PLACE))) as Share
  } catch {
    return undefined
  }
}
