// SQL over all organizations for sending alerts: planned, taken, sent, and over.
import { type SqlBool, sql } from 'kysely'
import { calledName } from '#server/domain/messaging/customers/contacts.store.ts'
import type { PushTarget } from '#server/integrations/web-push/web-push.ts'
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { ALERT_PREVIEW_MAX, PRESENCE_LOOKING_MS } from '#shared/limits.ts'
import type { AlertDetails, AlertKind, AlertSettings, OutsideWay } from '#shared/organizations/alerts.ts'
import type { OwnBrand } from '#shared/organizations/branding.ts'
import type { OrganizationRole } from '#shared/organizations/policy.ts'
import { settingsOf } from './alerts.rules.ts'

const BATCH = 50

/** An alert that is not planned yet. */
export type Unplanned = {
  id: Id<'alerts'>
  kind: AlertKind
  settings: AlertSettings
}
/** One alert on one way, and its content. */
export type Send = {
  alertId: Id<'alerts'>
  organizationId: Id<'organizations'>
  userId: Id<'users'>
  way: OutsideWay
  attempts: number
  kind: AlertKind
  conversationId: Id<'conversations'> | null
  details: AlertDetails | null
  name: string | null
  /** Null where the person has switched previews off. */
  preview: string | null
  email: string
  /** Where the alert bot writes to the person; null: nowhere. */
  chatId: string | null
  /** The browsers in which the person is alerted by push. */
  devices: PushTarget[]
  settings: AlertSettings
  brands: { installation: OwnBrand | null; own: OwnBrand | null }
}

/** Settings of the person `user_id` of the organization `o`, or null. */
const chosen = sql<Partial<AlertSettings> | null>`(select s.settings from alert_settings s
  where s.organization_id = a.organization_id and s.user_id = a.user_id)`
/** What the person may do in the organization `o`. */
const roleOf = sql<OrganizationRole>`coalesce((select m.role from members m
  where m.organization_id = a.organization_id and m.user_id = a.user_id), 'analyst')`
const stillMember = sql<SqlBool>`exists (select from members m where m.organization_id = a.organization_id and m.user_id = a.user_id)`
/** The conversation of an alert, and those that are shown as one with it. */
const aboutThem = sql`(select a.conversation_id union all
  select y.id from conversations x join conversations y on y.organization_id = x.organization_id and y.thread_id = x.thread_id
  where x.organization_id = a.organization_id and x.id = a.conversation_id)`
/** Whether another member is assigned to the conversation `c`. */
const isOthers = sql<SqlBool>`c.assignee_id <> a.user_id and exists (
  select from members m where m.organization_id = c.organization_id and m.user_id = c.assignee_id)`
/** The cause is over: a person has come or decided, the conversation is assigned to another member, or the connection is up. */
const isOver = sql<SqlBool>`case a.kind
  when 'handoff' then case when a.details is null
    then not exists (select from conversations c where c.organization_id = a.organization_id
      and c.id = a.conversation_id and c.needs_person and (${isOthers}) is not true)
    else not exists (select from tool_approvals t where t.organization_id = a.organization_id
      and t.conversation_id = a.conversation_id and t.decider = 'operator' and t.status = 'waiting') end
  when 'mine' then not exists (select from conversations c where c.organization_id = a.organization_id
    and c.id = a.conversation_id and c.assignee_id = a.user_id)
  when 'delivery' then exists (select from conversations c where c.organization_id = a.organization_id
    and c.id = a.conversation_id and ${isOthers})
  when 'connection' then exists (select from channel_connections c
    where c.organization_id = a.organization_id and c.id = a.connection_id
      and (c.disconnected_at is not null or not c.is_down))
    or (a.details->>'event' = 'calendarLost' and not exists (select from calendar_connections k
      where k.organization_id = a.organization_id and k.agent_id || ' calendarLost' = a.subject and k.lost_at is not null))
    or (a.details->>'event' = 'mcpLost' and not exists (select from mcp_servers k
      where k.organization_id = a.organization_id and k.id || ' mcpLost' = a.subject and k.status = 'reauthorization_required'))
  else false end`

/** Whether anything is to be decided, or to be sent by now. */
export async function hasWork(ctx: StoreContext): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`select exists (select from alerts where planned_at is null)
    or exists (select from alert_sends where status = 'waiting' and not_before <= now()) as has`.execute(ctx.db)
  return rows[0]?.has ?? false
}

/**
 * Ends alerts whose cause is over. The new assignee of a conversation is alerted in place of the previous one, unless they were alerted
 * already.
 */
export async function endOver(ctx: StoreContext): Promise<void> {
  await sql`
    insert into alerts (organization_id, user_id, kind, subject, conversation_id)
    select distinct a.organization_id, c.assignee_id, a.kind, a.subject, a.conversation_id
    from alerts a join conversations c on c.organization_id = a.organization_id and c.id = a.conversation_id
    where a.seen_at is null and a.kind in ('handoff', 'mine', 'delivery') and ${isOthers} and (a.kind <> 'handoff' or (c.needs_person and a.details is null))
      and not exists (select from alerts known where known.organization_id = a.organization_id and known.user_id = c.assignee_id
        and known.conversation_id = a.conversation_id and known.kind = a.kind and known.created_at >= a.created_at)
    order by c.assignee_id
    on conflict (organization_id, user_id, kind, subject) where seen_at is null do nothing`.execute(ctx.db)
  await sql`update alerts a set seen_at = now()
    where a.seen_at is null and a.kind in ('handoff', 'mine', 'delivery', 'connection') and ${isOver}`.execute(ctx.db)
}

/**
 * Takes alerts that are not planned, oldest first, and marks them as planned: the caller must insert their sends. Alerts of a person who
 * has the conversation open, or has left, are skipped.
 */
export async function takeUnplanned(ctx: StoreContext): Promise<Unplanned[]> {
  const { rows } = await sql<{
    id: Id<'alerts'>
    kind: AlertKind
    settings: Partial<AlertSettings> | null
    role: OrganizationRole
    time_zone: string
    is_wanted: boolean
  }>`
    with taken as (
      select a.id from alerts a where a.planned_at is null order by a.created_at limit ${BATCH}::int for update skip locked
    )
    update alerts a set planned_at = now() from taken, organizations o where a.id = taken.id and o.id = a.organization_id
    returning a.id, a.kind, ${chosen} as settings, ${roleOf} as role, o.time_zone,
      a.seen_at is null and ${stillMember} and not exists (select from conversation_presence p
        where p.organization_id = a.organization_id and p.conversation_id in ${aboutThem} and p.user_id = a.user_id
          and p.at > now() - ${PRESENCE_LOOKING_MS}::bigint * interval '1 millisecond') as is_wanted`.execute(ctx.db)
  return rows
    .filter((row) => row.is_wanted)
    .map(({ id, kind, settings, role, time_zone: timeZone }) => ({
      id,
      kind,
      settings: settingsOf(settings, { role, timeZone }),
    }))
}

/** An alert is to go out on a way, from a moment on. */
export type PlannedSend = { alertId: Id<'alerts'>; way: OutsideWay; at: Date }

/**
 * Queues sends. Skips those whose person was already alerted on this way of the same conversation, or of one shown as one with it,
 * including by another of these, and has not opened it since.
 */
export async function insertSends(ctx: StoreContext, sends: PlannedSend[]): Promise<void> {
  await sql`
    insert into alert_sends (organization_id, alert_id, way, not_before)
    select distinct on (a.organization_id, a.user_id, coalesce(c.thread_id, a.conversation_id, a.id), new.way)
      a.organization_id, a.id, new.way, to_timestamp(new.at)
    from unnest(${sends.map(({ alertId }) => alertId)}::text[], ${sends.map(({ way }) => way)}::text[],
      ${sends.map(({ at }) => at.getTime() / 1000)}::float8[]) as new (alert_id, way, at) join alerts a on a.id = new.alert_id
      left join conversations c on c.organization_id = a.organization_id and c.id = a.conversation_id
    where not exists (
      select from alerts b join alert_sends s on s.organization_id = b.organization_id and s.alert_id = b.id
      where b.organization_id = a.organization_id and b.user_id = a.user_id and b.conversation_id in ${aboutThem}
        and b.seen_at is null and s.way = new.way and s.status in ('waiting', 'sending', 'sent'))
    order by a.organization_id, a.user_id, coalesce(c.thread_id, a.conversation_id, a.id), new.way, a.created_at, a.id
    on conflict (alert_id, way) do nothing`.execute(ctx.db)
}

/**
 * Takes sends that are due. A send is taken once, unless it is returned to waiting. Alerts that were seen meanwhile, are over, or whose
 * person has left are dropped.
 */
export async function takeSends(ctx: StoreContext): Promise<Send[]> {
  const { rows } = await sql<
    Omit<Send, 'settings'> & { settings: Partial<AlertSettings> | null; role: OrganizationRole; timeZone: string }
  >`
    with due as (
      select s.alert_id, s.way from alert_sends s where s.status = 'waiting' and s.not_before <= now()
      order by s.not_before limit ${BATCH}::int for update skip locked
    ), taken as (
      update alert_sends s set attempts = s.attempts + 1, status = case
        when exists (select from alerts a where a.id = s.alert_id and a.seen_at is null and ${stillMember} and not ${isOver})
        then 'sending' else 'dropped' end
      from due where s.alert_id = due.alert_id and s.way = due.way returning s.alert_id, s.way, s.attempts, s.status
    )
    select taken.alert_id as "alertId", a.organization_id as "organizationId", a.user_id as "userId", taken.way, taken.attempts,
      a.kind, a.conversation_id as "conversationId", u.email, b.chat_id as "chatId", ${devicesOf} as devices,
      ${chosen} as settings, ${roleOf} as role, a.details, ${brandsOf} as brands,
      o.time_zone as "timeZone", coalesce(${calledName}, n.identifier, a.details->>'name') as name, ${lastCustomerText} as preview
    from taken join alerts a on a.id = taken.alert_id join users u on u.id = a.user_id
      join organizations o on o.id = a.organization_id
      left join conversations c on c.organization_id = a.organization_id and c.id = a.conversation_id
      left join customers on customers.organization_id = c.organization_id and customers.id = c.customer_id
      left join customers people on people.organization_id = customers.organization_id and people.id = customers.person_id
      left join channel_connections n on n.organization_id = a.organization_id and n.id = a.connection_id
      left join alert_chats b on b.organization_id = a.organization_id and b.user_id = a.user_id
    where taken.status = 'sending'`.execute(ctx.db)
  return rows.map(({ role, timeZone, ...row }) => {
    const settings = settingsOf(row.settings, { role, timeZone })
    return { ...row, settings, preview: settings.hasPreviews ? row.preview : null }
  })
}

/** Under which brands the person works; null: none was chosen. */
const brandsOf = sql<Send['brands']>`jsonb_build_object('installation', (select brand from installation_brand),
  'own', (select b.brand from organization_brands b where b.organization_id = a.organization_id))`

/** The browsers in which the person is signed in, for alerts on their way there. */
const devicesOf = sql<PushTarget[]>`case taken.way when 'push' then (
  select coalesce(jsonb_agg(jsonb_build_object('endpoint', d.endpoint, 'p256dh', d.p256dh, 'auth', d.auth)), '[]')
  from push_devices d join sessions s on s.id = d.session_id
  where d.organization_id = a.organization_id and d.user_id = a.user_id and s.expires_at > now()) else '[]' end`

/** The last customer message, for alerts that are about it. */
const lastCustomerText = sql<string | null>`case when a.kind in ('handoff', 'mine') then (
  select nullif(left(m.text, ${ALERT_PREVIEW_MAX}::int), '') from messages m
  where m.organization_id = a.organization_id and m.conversation_id = a.conversation_id and m.author = 'customer'
  order by m.sequence desc limit 1) end`

/** Records the outcome of a send. `waiting` returns it for a retry: it was certainly not delivered, or replaces its earlier copy. */
export async function setOutcome(
  ctx: StoreContext,
  send: Pick<Send, 'organizationId' | 'alertId' | 'way'>,
  outcome: { status: 'sent' | 'failed' | 'dropped' } | { status: 'waiting'; notBefore: Date },
): Promise<void> {
  await ctx.db
    .updateTable('alert_sends')
    .set({ status: outcome.status, ...('notBefore' in outcome && { not_before: outcome.notBefore }) })
    .where('organization_id', '=', send.organizationId)
    .where('alert_id', '=', send.alertId)
    .where('way', '=', send.way)
    .where('status', '=', 'sending')
    .execute()
}
