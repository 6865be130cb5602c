// The prompt generator: a model writes the instructions of an agent from a description. They change nothing until they are applied.
import { recordUsage } from '#server/domain/billing/billing.store.ts'
import { type Room, withRoom } from '#server/domain/billing/room.ts'
import type { OrgActionContext, UserMutationContext, UserQueryContext } from '#server/functions/context.ts'
import { orgAction, userMutation, userQuery } from '#server/functions/define.ts'
import type { GenerateRequest, ModelCall } from '#server/integrations/llm/llm.ts'
import { agentInput, generatePromptInput } from '#shared/agents/agents.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import { AppError, appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { getAgent } from './agents.store.ts'
import { keyOpener } from './keys.access.ts'
import { findSealedKeys } from './keys.store.ts'
import { promptRequest } from './prompts.rules.ts'
import * as store from './prompts.store.ts'

/** Time between two writes of a draft that is being written. */
const BATCH_MS = 200

/**
 * Has the agent's own model write its instructions; they show in `draft` while they are written.
 *
 * @throws agent_unavailable; model_cannot_write for the built-in model; allowance_used_up; spending_limit_reached; model_failed; conflict when the draft was thrown away meanwhile
 */
export const generate = orgAction({
  args: generatePromptInput,
  handler: async (ctx, { agentId, description, language }) => {
    const { agent, keys } = await ctx.read(async (read) => {
      return { agent: await getAgent(read, agentId), keys: await findSealedKeys(read, agentId) }
    })
    if (agent.model === EXTRACTIVE_MODEL) throw new AppError('model_cannot_write')
    const payer = { id: agentId, monthlyLimitUsd: agent.spending.monthlyLimitUsd }
    return withRoom(ctx, payer, async (room) => {
      const owner = { agentId, userId: ctx.caller.userId }
      const draftId = await ctx.write((write) => store.startDraft(write, owner, { description, language }, write.now))
      const request = promptRequest(agent.model, { description, language, current: agent.systemPrompt })
      const keyOf = keyOpener(ctx.services.secrets, agentId, keys)
      return write(ctx, { agentId, draftId, request: { ...request, keyOf }, room })
    })
  },
})

/** The caller's draft for an agent, null without one. */
export const draft = userQuery({
  args: agentInput,
  handler: async (ctx, { agentId }) => {
    const org = inOrganization(ctx)
    await getAgent(org, agentId)
    return store.findDraft(org, { agentId, userId: ctx.caller.userId })
  },
})

/** Throws the caller's draft away, also while it is being written. Safe to repeat. */
export const discard = userMutation({
  args: agentInput,
  handler: async (ctx, { agentId }) => {
    const org = inOrganization(ctx)
    await getAgent(org, agentId)
    await store.removeDraft(org, { agentId, userId: ctx.caller.userId })
    return null
  },
})

type Writing = {
  agentId: Id<'agents'>
  draftId: string
  request: ReturnType<typeof promptRequest> & Pick<GenerateRequest, 'keyOf'>
  room: Room
}

async function write(ctx: OrgActionContext, writing: Writing): Promise<{ text: string }> {
  const { draftId, request } = writing
  const thrownAway = new AbortController()
  const stream = startStream(async (text) => {
    const isWanted = await ctx.write((store_) => store.writeDraft(store_, draftId, { text, status: 'streaming' }))
    if (!isWanted) thrownAway.abort(new AppError('conflict'))
  })
  let call: ModelCall | null = null
  try {
    const { text } = await ctx.services.llm.generate({
      ...request,
      signal: AbortSignal.any([ctx.signal, thrownAway.signal]),
      onText: stream.add,
      onTakeBack: stream.takeBack,
      onCall: (made) => {
        call = made
      },
    })
    await stream.close()
    const isWanted = await ctx.write((store_) => store.writeDraft(store_, draftId, { text, status: 'complete' }))
    if (!isWanted) throw new AppError('conflict')
    return { text }
  } catch (error) {
    await stream.close()
    const reason = appErrorData(error)?.params.reason
    const failed = {
      text: stream.text(),
      status: 'failed' as const,
      reason: typeof reason === 'string' ? reason : 'internal',
    }
    await ctx.write((store_) => store.writeDraft(store_, draftId, failed))
    throw error
  } finally {
    if (call) await count(ctx, writing, call)
  }
}

/** Writes a growing text down from time to time. */
function startStream(write: (text: string) => Promise<void>) {
  let text = ''
  let writing: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    timer = undefined
    // A lost batch is not worth an error: the next one holds all of the text, and so does the end.
    writing = write(text).catch(() => undefined)
  }
  return {
    add(delta: string) {
      text += delta
      timer ??= setTimeout(flush, BATCH_MS)
    },
    takeBack() {
      text = ''
    },
    text: () => text,
    async close() {
      clearTimeout(timer)
      await writing
    },
  }
}

function count(ctx: OrgActionContext, { agentId, draftId, room }: Writing, call: ModelCall): Promise<void> {
  const event = { sourceId: draftId, agentId, category: 'helper_generation', channel: 'test', messages: 1 } as const
  return ctx.write(
    async (store_) => {
      await recordUsage(store_, { ...event, call, occurredAt: store_.now })
      await room.settle(store_)
    },
    { isolation: 'read committed' },
  )
}

/** @throws organization_required */
function inOrganization({ db, caller }: Pick<UserMutationContext | UserQueryContext, 'db' | 'caller'>) {
  const { organizationId } = caller
  if (!organizationId) throw new AppError('organization_required')
  return { db, organizationId }
}
