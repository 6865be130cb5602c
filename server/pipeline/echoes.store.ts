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
}

/**
 * `isOurs`: we have sent it, or are sending the same text, or a file, to the chat. `unknownId`: a part with this text, the outcome of whose
 * sending is not known; null: there is none. `isUnderWay`: something is being sent to the chat.
 */
export type EchoTrace = { isOurs: boolean; unknownId: Id<'outbox'> | null; isUnderWay: boolean }

export async function traceEcho(
  ctx: OrgStoreContext,
  { connectionId, chatId, externalMessageId, text }: OwnMessage,
): Promise<EchoTrace> {
  const { rows } = await sql<EchoTrace>`
    with parts as (
      select id, status, text, attachment_id, external_message_id, sequence from outbox
      where organization_id = ${ctx.organizationId} and connection_id = ${connectionId} and external_chat_id = ${chatId}
        and (status in ('sending', 'unknown') or external_message_id = ${externalMessageId})
    )
    select exists (select from parts where external_message_id = ${externalMessageId} or (status = 'sending'
        and (attachment_id is not null or btrim(text, E' \n\t') = btrim(${text}, E' \n\t')))) as "isOurs",
      (select id from parts where status = 'unknown' and external_message_id is null and attachment_id is null
        and btrim(text, E' \n\t') = btrim(${text}, E' \n\t') order by sequence limit 1) as "unknownId",
      exists (select from parts where status = 'sending') as "isUnderWay"`.execute(ctx.db)
  return rows[0] ?? { isOurs: false, unknownId: null, isUnderWay: false }
}
