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
  /** The agent's note for the person; null without one. */
  note: string | null
  /** Null: the agent stays paused until a person resumes it. */
  resumeAfterMs: number | null
}

/** The conversation as it was when the handoff was decided. */
export type Decided = { conversationId: Id<'conversations'>; pauseEpoch: number }

/**
 * Whether the agent may still speak: it was not paused and the conversation not ended since the decision. Locks the conversation until
 * the transaction ends, so that this stays true.
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

/** Hands over when the customer of a chat presses the button for a person. No effect while the agent is paused. */
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

/** Of these, the conversations whose agent an operator paused by hand and whose pause is not over. A pause may end at any moment. */
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

/** Handoff settings of a conversation's agent: the published version, in a test chat the last saved one. */
export async function getHandoffSettings(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
): Promise<AgentSettings['handoff']> {
  const settings = (await listHandoffSettings(ctx, [conversationId])).get(conversationId)
  if (!settings) throw new AppError('not_found')
  return settings
}

/** The same for several conversations. */
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
