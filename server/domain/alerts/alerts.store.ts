// SQL for the alerts of one person, and for their alert settings. Sending is in sends.store.ts.
import { sql } from 'kysely'
import { calledName } from '#server/domain/messaging/customers/contacts.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { ALERT_PREVIEW_MAX, ALERTS_SEEN_AT_ONCE } from '#shared/limits.ts'
import type { Alert, AlertDetails, AlertSettings } from '#shared/organizations/alerts.ts'
import type { OrganizationRole } from '#shared/organizations/policy.ts'
import { settingsOf } from './alerts.rules.ts'

/** Only this many of the newest alerts show a message preview. */
const PREVIEWS_SHOWN = 10

/**
 * A person's alert settings, chosen or default. `onBehalf`: the role of who is no member and acts on behalf of the organization; null: a member.
 * @throws organization_required
 */
export async function getSettings(
  ctx: OrgStoreContext,
  userId: Id<'users'>,
  onBehalf: OrganizationRole | null = null,
): Promise<AlertSettings> {
  const row = await ctx.db
    .selectFrom('alert_settings')
    .where('organization_id', '=', ctx.organizationId)
    .where('user_id', '=', userId)
    .select('settings')
    .executeTakeFirst()
  const member = await ctx.db
    .selectFrom('organizations')
    .leftJoin('members', (join) =>
      join.onRef('members.organization_id', '=', 'organizations.id').on('members.user_id', '=', userId),
    )
    .where('organizations.id', '=', ctx.organizationId)
    .select(['members.role', 'organizations.time_zone'])
    .executeTakeFirst()
  const role = member?.role ?? onBehalf
  if (!member || !role) throw new AppError('organization_required')
  return settingsOf(row?.settings ?? null, { role, timeZone: member.time_zone })
}

/** Keeps a choice. */
export async function saveSettings(ctx: OrgStoreContext, userId: Id<'users'>, settings: AlertSettings): Promise<void> {
  const saved = { settings: JSON.stringify(settings) }
  await ctx.db
    .insertInto('alert_settings')
    .values({ organization_id: ctx.organizationId, user_id: userId, ...saved })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet(saved))
    .execute()
}

/** Saves the given part of the settings, and leaves the rest unchanged. */
export async function saveSome(
  ctx: OrgStoreContext,
  userId: Id<'users'>,
  chosen: Partial<AlertSettings>,
): Promise<void> {
  const settings = JSON.stringify(chosen)
  await ctx.db
    .insertInto('alert_settings')
    .values({ organization_id: ctx.organizationId, user_id: userId, settings })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'user_id'])
        .doUpdateSet({ settings: sql`alert_settings.settings || excluded.settings` }),
    )
    .execute()
}

/**
 * A person's unseen alerts, newest first; one of each kind for conversations that are shown as one. Other rows are read by id, so that only
 * changes to these re-run the live query.
 */
export async function listUnseen(ctx: OrgStoreContext, userId: Id<'users'>): Promise<Alert[]> {
  const rows = await ctx.db
    .selectFrom('alerts')
    .where('organization_id', '=', ctx.organizationId)
    .where('user_id', '=', userId)
    .where('seen_at', 'is', null)
    .select(['id', 'kind', 'conversation_id', 'connection_id', 'details', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(ALERTS_SEEN_AT_ONCE)
    .execute()
  if (rows.length === 0) return []
  const { ways, hasPreviews } = await getSettings(ctx, userId)
  const { names, threads } = await namesOf(ctx, rows)
  const shown = rows.filter(isFirstOfThread(threads))
  const previewed = shown.filter(({ kind }) => hasPreviews && showsText(kind)).slice(0, PREVIEWS_SHOWN)
  const texts = await findLastTexts(
    ctx,
    previewed.flatMap(({ conversation_id: id }) => id ?? []),
  )
  return shown.map((row) => ({
    _id: row.id,
    kind: row.kind,
    isInBrowser: ways[row.kind].includes('browser'),
    conversationId: row.conversation_id,
    name: names.get(row.conversation_id ?? row.connection_id) ?? row.details?.name ?? null,
    event: row.details?.event ?? null,
    by: row.details?.by ?? null,
    agentSlug: row.details?.slug ?? null,
    preview: (previewed.includes(row) && texts.get(row.conversation_id)) || null,
    at: row.created_at.getTime(),
  }))
}

/** Preview of the last customer message of each conversation. */
async function findLastTexts(ctx: OrgStoreContext, conversationIds: Id<'conversations'>[]) {
  const found = new Map<Id<'conversations'> | null, string>()
  if (conversationIds.length === 0) return found
  const rows = await ctx.db
    .selectFrom('conversations')
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('messages')
          .where('messages.organization_id', '=', ctx.organizationId)
          .where('messages.conversation_id', 'in', conversationIds)
          .whereRef('messages.conversation_id', '=', 'conversations.id')
          .where('messages.author', '=', 'customer')
          .select('messages.text')
          .orderBy('messages.sequence', 'desc')
          .limit(1)
          .as('last_message'),
      (join) => join.onTrue(),
    )
    .where('conversations.organization_id', '=', ctx.organizationId)
    .where('conversations.id', 'in', conversationIds)
    .select(['conversations.id', 'last_message.text'])
    .execute()
  for (const { id, text } of rows) found.set(id, text.slice(0, ALERT_PREVIEW_MAX))
  return found
}

type About = {
  conversation_id: Id<'conversations'> | null
  connection_id: Id<'channelConnections'> | null
}

/** Passes the first of each kind and event in each thread, and everything without a thread. */
function isFirstOfThread(threads: Map<Id<'conversations'>, Id<'threads'>>) {
  const known = new Set<string>()
  return ({
    kind,
    conversation_id: id,
    details,
  }: About & { kind: Alert['kind']; details: AlertDetails | null }): boolean => {
    const thread = id && threads.get(id)
    if (!thread) return true
    const key = `${kind} ${details?.event ?? ''} ${thread}`
    const isFirst = !known.has(key)
    known.add(key)
    return isFirst
  }
}

/** Who or what conversations and connections are, by their ids; and the threads of those that are in one. */
async function namesOf(ctx: OrgStoreContext, rows: About[]) {
  const found = new Map<string | null, string | null>()
  const threads = new Map<Id<'conversations'>, Id<'threads'>>()
  const conversationIds = rows.flatMap(({ conversation_id: id }) => id ?? [])
  if (conversationIds.length > 0) {
    const conversations = await ctx.db
      .selectFrom('conversations')
      .leftJoin('customers', 'customers.id', 'conversations.customer_id')
      .leftJoin('customers as people', 'people.id', 'customers.person_id')
      .where('conversations.organization_id', '=', ctx.organizationId)
      .where('conversations.id', 'in', conversationIds)
      .select(['conversations.id', 'conversations.thread_id', calledName.as('name')])
      .execute()
    for (const { id, name, thread_id: thread } of conversations) {
      found.set(id, name)
      if (thread) threads.set(id, thread)
    }
  }
  const connectionIds = rows.flatMap(({ connection_id: id }) => id ?? [])
  if (connectionIds.length > 0) {
    const connections = await ctx.db
      .selectFrom('channel_connections')
      .where('organization_id', '=', ctx.organizationId)
      .where('id', 'in', connectionIds)
      .select(['id', 'identifier'])
      .execute()
    for (const { id, identifier } of connections) found.set(id, identifier)
  }
  return { names: found, threads }
}

/** Whether the alert is about the last customer message. */
function showsText(kind: Alert['kind']): boolean {
  return kind === 'handoff' || kind === 'mine'
}

/** Marks a person's alerts as seen, and with them those of the same kind in conversations shown as one; alerts of others stay unseen. */
export async function markSeen(ctx: OrgStoreContext, userId: Id<'users'>, alertIds: Id<'alerts'>[]): Promise<void> {
  await ctx.db
    .updateTable('alerts')
    .set({ seen_at: sql<Date>`now()` })
    .where('organization_id', '=', ctx.organizationId)
    .where('user_id', '=', userId)
    .where('id', 'in', [...alertIds, ...(await listAlike(ctx, userId, alertIds))])
    .where('seen_at', 'is', null)
    .execute()
}

/** Unseen alerts of the same kinds about conversations that are shown as one with those of alerts. */
async function listAlike(ctx: OrgStoreContext, userId: Id<'users'>, alertIds: Id<'alerts'>[]): Promise<Id<'alerts'>[]> {
  const rows = await ctx.db
    .selectFrom('alerts')
    .innerJoin('conversations', 'conversations.id', 'alerts.conversation_id')
    .innerJoin('conversations as others', 'others.thread_id', 'conversations.thread_id')
    .innerJoin('alerts as alike', (join) =>
      join.onRef('alike.conversation_id', '=', 'others.id').onRef('alike.kind', '=', 'alerts.kind'),
    )
    .where('alerts.organization_id', '=', ctx.organizationId)
    .where('conversations.organization_id', '=', ctx.organizationId)
    .where('others.organization_id', '=', ctx.organizationId)
    .where('alike.organization_id', '=', ctx.organizationId)
    .where('alerts.id', 'in', alertIds)
    .where('alerts.user_id', '=', userId)
    .where('alike.user_id', '=', userId)
    .where('alike.seen_at', 'is', null)
    .select('alike.id')
    .execute()
  return rows.map(({ id }) => id)
}
