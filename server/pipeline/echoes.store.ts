// SQL of what an account has said itself, beside what we have sent or are sending through it.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** A message of the account, as the provider tells it. */
export type OwnMessage = {
  connectionId: Id<'channelConnections'>
  chatId: string
  externalMessageId: string
  text: string
  /** It is a file, and says nothing. */
  isFile?: true
}

/** A file says nothing by which it is known: one that comes later than this after the last word on ours is a person's. */
const FILE_ECHO = sql.lit('10 minutes')

/**
 * `isOurs`: we have sent it, or are sending the same text, or a file as it is one, to the chat. `unknownId`: a part with this text, or with
 * a file of late, the outcome of whose sending is not known; null: there is none. `isUnderWay`: something is being sent to the chat.
 */
export type EchoTrace = { isOurs: boolean; unknownId: Id<'outbox'> | null; isUnderWay: boolean }

export async function traceEcho(
  ctx: OrgStoreContext,
  { connectionId, chatId, externalMessageId, text, isFile }: OwnMessage,
): Promise<EchoTrace> {
  const isSame = isFile
    ? sql<boolean>`attachment_id is not null`
    : sql<boolean>`(attachment_id is null and btrim(text, E' \n\t') = btrim(${text}, E' \n\t'))`
  const isLate = isFile ? sql<boolean>`updated_at < now() - interval ${FILE_ECHO}` : sql<boolean>`false`
  const { rows } = await sql<EchoTrace>`
    with chat as (
      select id from conversations where organization_id = ${ctx.organizationId} and connection_id = ${connectionId}
        and external_chat_id = ${chatId}
    ), parts as (
      select outbox.* from outbox, chat where organization_id = ${ctx.organizationId} and conversation_id = chat.id
        and status = 'sending'
      union all
      select outbox.* from outbox, chat where organization_id = ${ctx.organizationId} and conversation_id = chat.id
        and status = 'unknown' and error is distinct from 'not_taken'
    )
    select exists (select from parts where status = 'sending' and ${isSame}) or exists (
        select from outbox where organization_id = ${ctx.organizationId} and connection_id = ${connectionId}
          and external_message_id = ${externalMessageId}) as "isOurs",
      (select id from parts where status = 'unknown' and external_message_id is null and ${isSame} and not ${isLate}
        order by sequence limit 1) as "unknownId",
      exists (select from parts where status = 'sending') as "isUnderWay"`.execute(ctx.db)
  return rows[0] ?? { isOurs: false, unknownId: null, isUnderWay: false }
}
