// SQL of handoffs: a rule, the customer or the agent calls a person into a conversation.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { type AgentSettings, agentSettings } from '#shared/agents/agent-settings.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { PauseReason } from '#shared/messaging/conversations.ts'
import { handOff } from '../conversations/writes/silence.store.ts'

export type Handoff = {
  reason: PauseReason
  /** What the agent wants the person to know; null: nothing. */
  note: string | null
  /** Null: the agent stays silent until a person says otherwise. */
  resumeAfterMs: number | null
}

/** The conversation as it was when the handoff was decided. */
export type Decided = { conversationId: Id<'conversations'>; pauseEpoch: number }

/**
 * Whether the agent may still speak: nobody has silenced it or ended the conversation since. Holds the conversation until the
 * transaction ends, so that it stays so.
 */
export async function holdSpeaking(ctx: OrgStoreContext, decided: Decided): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', decided.conversationId)
    .where('status', '=', 'active')
    .where('pause_epoch', '=', decided.pauseEpoch)
    .select('id')
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** The customer of a chat calls a person by a button. Without effect while the agent is silent already. */
export async function handOffChat(
  ctx: OrgStoreContext,
  chat: { connectionId: Id<'channelConnections'>; chatId: string },
): Promise<void> {
  const decided = await ctx.db
    .selectFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where('connection_id', '=', chat.connectionId)
    .where('external_chat_id', '=', chat.chatId)
    .select(['id as conversationId', 'pause_epoch as pauseEpoch'])
    .executeTakeFirst()
  if (decided) await handOff(ctx, decided, { reason: 'customer_request', note: null, resumeAfterMs: null })
}

/** Of these, those whose agent somebody has silenced by hand, and the time of that is not over. One that is may end at any moment. */
export async function listHeldByHand(
  ctx: OrgStoreContext,
  conversationIds: Id<'conversations'>[],
): Promise<Set<Id<'conversations'>>> {
  if (conversationIds.length === 0) return new Set()
  const rows = await ctx.db
    .selectFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', conversationIds)
    .where('status', '=', 'paused')
    .where('pause_reason', '=', 'operator')
    .where((eb) => eb.or([eb('resume_at', 'is', null), eb('resume_at', '>', sql<Date>`now()`)]))
    .select('id')
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** How the agent of a conversation hands over: its settings as they are published, in a test chat as they were last saved. */
export async function getHandoffSettings(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
): Promise<AgentSettings['handoff']> {
  const settings = (await listHandoffSettings(ctx, [conversationId])).get(conversationId)
  if (!settings) throw new AppError('not_found')
  return settings
}

/** The same of each of these conversations. */
export async function listHandoffSettings(
  ctx: OrgStoreContext,
  conversationIds: Id<'conversations'>[],
): Promise<Map<Id<'conversations'>, AgentSettings['handoff']>> {
  const rows = await ctx.db
    .selectFrom('conversations')
    .innerJoin('agents', 'agents.id', 'conversations.agent_id')
    .innerJoin('agent_versions', (join) =>
      join
        .onRef('agent_versions.agent_id', '=', 'agents.id')
        .on((eb) =>
          eb(
            'agent_versions.number',
            '=',
            eb
              .case()
              .when('conversations.channel', '=', 'test')
              .then(eb.ref('agents.latest_version'))
              .else(eb.ref('agents.live_version'))
              .end(),
          ),
        ),
    )
    .where('conversations.organization_id', '=', ctx.organizationId)
    .where('agents.organization_id', '=', ctx.organizationId)
    .where('agent_versions.organization_id', '=', ctx.organizationId)
    .where('conversations.id', 'in', conversationIds)
    .select(['conversations.id', 'agent_versions.settings'])
    .execute()
  return new Map(rows.map(({ id, settings }) => [id, agentSettings.parse(settings).handoff]))
}
