// SQL of test messages, which are in no conversation: providers that report everything an account sends report them too, and they must not
// be taken for an operator's. They are stored as notifications that have been received already, without their text.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { forgetKey, keepKey } from '#server/domain/messaging/inbound-events/notifications.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

type SentTest = { connectionId: Id<'channelConnections'>; chatId: string; text: string }

/** A later echo is of an operator who has used the same words. */
const UNDER_WAY = sql.lit('10 minutes')

/** Called before the send: until its id is known, its echo is recognized by its text. */
export async function noteTest(ctx: OrgStoreContext, test: SentTest): Promise<void> {
  await keepKey(ctx, test.connectionId, keyOfWords(test))
}

/** Records the outcome. `externalMessageId` null: it was definitely not sent. Not called where that is unknown. */
export async function settleTest(
  ctx: OrgStoreContext,
  test: SentTest,
  externalMessageId: string | null,
): Promise<void> {
  if (externalMessageId !== null) await keepKey(ctx, test.connectionId, keyOfId(externalMessageId))
  await forgetKey(ctx, test.connectionId, keyOfWords(test))
}

/** Whether a message that an account has sent is a test message. `text` null: it has no text. */
export async function isSentTest(
  ctx: OrgStoreContext,
  { externalMessageId, text, ...message }: Omit<SentTest, 'text'> & { text: string | null; externalMessageId: string },
): Promise<boolean> {
  const words = text === null ? null : keyOfWords({ ...message, text })
  const { rows } = await sql`
    select from inbound_events where organization_id = ${ctx.organizationId} and connection_id = ${message.connectionId}
      and external_key in (${keyOfId(externalMessageId)}, ${words}::text)
      and (external_key is distinct from ${words}::text or received_at > now() - interval ${UNDER_WAY}) limit 1`.execute(
    ctx.db,
  )
  return rows.length > 0
}

/** Keys that no provider uses. */
function keyOfId(externalMessageId: string): string {
  return `sent test ${externalMessageId}`
}

/** Providers trim texts. */
function keyOfWords({ chatId, text }: Pick<SentTest, 'chatId' | 'text'>): string {
  return `sent test ${createHash('sha256')
    .update(JSON.stringify([chatId, text.trim()]))
    .digest('base64url')}`
}
