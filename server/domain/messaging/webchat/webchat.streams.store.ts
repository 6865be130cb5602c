// SQL of the streams of web chats: the visitor of a conversation, and how many streams are open at each server.
import { sql } from 'kysely'
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** Streams of one connection that are open at this server. */
export type OpenStreams = { connectionId: Id<'channelConnections'>; open: number }

/** The key by which a visitor's conversation is found. */
export type VisitorChatKey = { connectionId: Id<'channelConnections'>; visitorId: string }

/** Over all organizations, the visitors of these conversations, as far as they belong to one of these connections. */
export async function listChats(
  ctx: StoreContext,
  { connectionIds, conversationIds }: { connectionIds: string[]; conversationIds: string[] },
): Promise<VisitorChatKey[]> {
  const result = await sql<VisitorChatKey>`
    select connection_id as "connectionId", external_chat_id as "visitorId" from conversations
    where id = any (${conversationIds}::text[]) and connection_id = any (${connectionIds}::text[])`.execute(ctx.db)
  return result.rows
}

/** Records, over all organizations, the open streams at a server; what is not among them stays. @param owner number of the server */
export async function saveOpenStreams(ctx: StoreContext, owner: number, streams: OpenStreams[]): Promise<void> {
  const ids = streams.map(({ connectionId }) => connectionId)
  const counts = streams.map(({ open }) => open)
  await sql`
    with given as (select id, open from unnest(${ids}::text[], ${counts}::int[]) as g (id, open)),
    gone as (
      delete from visitor_streams s using given g where s.connection_id = g.id and s.owner = ${owner} and g.open = 0
    )
    insert into visitor_streams (organization_id, connection_id, owner, open)
    select c.organization_id, c.id, ${owner}::int, g.open from given g join channel_connections c on c.id = g.id where g.open > 0
    on conflict (connection_id, owner) do update set open = excluded.open`.execute(ctx.db)
}

/** Other servers with recorded streams. */
export async function listStreamOwners(ctx: StoreContext, owner: number): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('visitor_streams')
    .where('owner', '<>', owner)
    .select('owner')
    .distinct()
    .execute()
  return rows.map((row) => row.owner)
}

/** Removes the streams of dead servers. */
export async function forgetStreamsOf(ctx: StoreContext, owners: number[]): Promise<void> {
  await ctx.db.deleteFrom('visitor_streams').where('owner', 'in', owners).execute()
}
