// SQL of test messages, which are in no conversation: providers that tell of all that an account sends tell of them too, and nobody is to
// take them for a person's. They stand among the notifications, as what has been heard already, with no word of theirs.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { forgetKey, keepKey } from '#server/domain/messaging/inbound/notifications.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

type SentTest = { connectionId: Id<'channelConnections'>; chatId: string; text: string }

/** An echo that comes later is a person's who has used the same words. */
const UNDER_WAY = sql.lit('10 minutes')

/** It is about to be sent: until its id is known, its echo is known by its words. */
export async function noteTest(ctx: OrgStoreContext, test: SentTest): Promise<void> {
  await keepKey(ctx, test.connectionId, keyOfWords(test))
}

/** What became of it. `externalMessageId` null: it was surely not sent. Not called where that is unknown. */
export async function settleTest(
  ctx: OrgStoreContext,
  test: SentTest,
  externalMessageId: string | null,
): Promise<void> {
  if (externalMessageId !== null) await keepKey(ctx, test.connectionId, keyOfId(externalMessageId))
  await forgetKey(ctx, test.connectionId, keyOfWords(test))
}

/** Whether what an account has said is a test message. `text` null: it has no words. */
export async function isSentTest(
  ctx: OrgStoreContext,
  { externalMessageId, text, ...said }: Omit<SentTest, 'text'> & { text: string | null; externalMessageId: string },
): Promise<boolean> {
  const words = text === null ? null : keyOfWords({ ...said, text })
  const { rows } = await sql`
    select from inbound where organization_id = ${ctx.organizationId} and connection_id = ${said.connectionId}
      and external_key in (${keyOfId(externalMessageId)}, ${words}::text)
      and (external_key is distinct from ${words}::text or received_at > now() - interval ${UNDER_WAY}) limit 1`.execute(
    ctx.db,
  )
  return rows.length > 0
}

/** Keys that no provider gives. */
function keyOfId(externalMessageId: string): string {
  return `sent test ${externalMessageId}`
}

/** Providers trim what they are given. */
function keyOfWords({ chatId, text }: Pick<SentTest, 'chatId' | 'text'>): string {
  return `sent test ${createHash('sha256')
    .update(JSON.stringify([chatId, text.trim()]))
    .digest('base64url')}`
}
