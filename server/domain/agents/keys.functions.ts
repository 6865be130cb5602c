// An agent's own keys of model providers: entered, tested and removed, but never returned to a client.
import { recordUsage, type UsageEvent } from '#server/domain/billing/billing.store.ts'
import type { OrgActionContext } from '#server/functions/context.ts'
import { orgAction, orgMutation, orgQuery } from '#server/functions/define.ts'
import type { Llm, ModelCall } from '#server/integrations/llm/llm.ts'
import { MediaFailure } from '#server/integrations/media/failures.ts'
import { SPEECH_MODELS } from '#server/integrations/media/models.ts'
import { silence } from '#server/integrations/media/silence.ts'
import { newId } from '#server/platform/lib/ids.ts'
import {
  type AgentKey,
  agentKeyInput,
  agentKeysInput,
  isModelProvider,
  type KeyProvider,
  type ModelProvider,
  setAgentKeyInput,
  testAgentKeyInput,
} from '#shared/agents/agent-keys.ts'
import type { Agent } from '#shared/agents/agents.ts'
import type { ModelFailureReason } from '#shared/agents/models.ts'
import { AppError, appErrorData, type ErrorCode } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { getAgent } from './agents.store.ts'
import { keyOpener, sealKey } from './keys.access.ts'
import * as store from './keys.store.ts'

/** A user watches a button meanwhile. */
const TEST_LIMITS = { firstTokenMs: 15_000, totalMs: 20_000 }
const TAIL_LENGTH = 4

/** Which providers an agent has a key of, and how each key ends. @throws agent_unavailable */
export const list = orgQuery({
  args: agentKeysInput,
  handler: async (ctx, { agentId }) => {
    await getAgent(ctx, agentId)
    return store.listKeys(ctx, agentId)
  },
})

/** Stores a key in place of the one before; the agent's next answer is made with it. @throws agent_unavailable */
export const set = orgAction({
  args: setAgentKeyInput,
  isAudited: true,
  handler: (ctx, { agentId, provider, key }): Promise<AgentKey[]> => {
    const sealed = sealKey(ctx.services.secrets, agentId, provider, key)
    return ctx.write(async (write) => {
      const agent = await getAgent(write, agentId)
      const tail = key.slice(-TAIL_LENGTH)
      await store.saveKey(write, agentId, { provider, key: sealed, tail }, write.now)
      await write.audit({ resource: resourceOf(agent), after: { provider, endsWith: tail } })
      return store.listKeys(write, agentId)
    })
  },
})

/** Removes a key: the agent falls back to that of the installation, if there is one. Safe to repeat. @throws agent_unavailable */
export const remove = orgMutation({
  args: agentKeyInput,
  isAudited: true,
  handler: async (ctx, { agentId, provider }) => {
    const agent = await getAgent(ctx, agentId)
    await store.deleteKeys(ctx, agentId, provider)
    await ctx.audit({ resource: resourceOf(agent), before: { provider } })
    return null
  },
})

/**
 * Tests a key, the given one or else the stored one: asks a model of the provider for one word, or to transcribe a second of silence.
 *
 * @returns the model that has answered
 * @throws agent_unavailable; key_missing when nothing is stored; otherwise the problem: key_refused, key_without_quota, key_model_refused,
 * provider_busy, provider_unreachable
 */
export const test = orgAction({
  args: testAgentKeyInput,
  handler: async (ctx, { agentId, provider, key }): Promise<{ model: string }> => {
    const { agent, sealed } = await ctx.read(async (read) => {
      return { agent: await getAgent(read, agentId), sealed: await store.findSealedKeys(read, agentId) }
    })
    const tried = key ?? keyOpener(ctx.services.secrets, agentId, sealed)(provider)
    if (tried === undefined) throw new AppError('key_missing')
    const model = isModelProvider(provider) ? modelFor(ctx.services.llm, agent, provider) : listenerOf(provider)
    const { call, failure } = isModelProvider(provider)
      ? await askOnce(ctx, model, tried)
      : await listenOnce(ctx, provider, tried)
    if (call) await count(ctx, agentId, call)
    if (failure) throw new AppError(PROBLEMS[failure], { model })
    return { model }
  },
})

function resourceOf({ _id, name }: Agent) {
  return { kind: 'agent', id: _id, name }
}

/** The problem as an error code; null: even an empty or odd answer proves that the key works. */
type Problem = Exclude<ModelFailureReason, 'empty' | 'bad_answer' | 'cut' | 'filtered' | 'tool_loop'>
const PROBLEMS: Record<Problem, ErrorCode> = {
  invalid_key: 'key_refused',
  quota: 'key_without_quota',
  refused: 'key_model_refused',
  too_long: 'key_model_refused',
  rate_limited: 'provider_busy',
  timeout: 'provider_unreachable',
  unavailable: 'provider_unreachable',
}

/** The agent's own model when the provider makes it, so that both are tried. */
function modelFor(llm: Llm, agent: Agent, provider: ModelProvider): string {
  return agent.model.startsWith(`${provider}/`) ? agent.model : llm.cheapestModel(provider)
}

/** A provider that only listens. */
type Listener = Exclude<KeyProvider, ModelProvider>
type Asked = { call: UsageEvent['call']; failure: keyof typeof PROBLEMS | null }

/** A provider rejects a bad key, or an account without credit, before it transcribes; an empty transcript is a success. */
async function listenOnce({ services, signal }: OrgActionContext, provider: Listener, key: string): Promise<Asked> {
  const settings = { provider, language: 'auto', quality: 'standard' } as const
  try {
    const { call } = await services.media.transcribe(silence(), settings, { signal, keyOf: () => key })
    return { call, failure: null }
  } catch (error) {
    if (!(error instanceof MediaFailure)) throw error
    return { call: null, failure: isProblem(error.reason) ? error.reason : null }
  }
}

function listenerOf(provider: Listener): string {
  return SPEECH_MODELS[provider].standard.id
}

async function askOnce({ services, signal }: OrgActionContext, model: string, key: string): Promise<Asked> {
  let call: ModelCall | null = null
  const onCall = (made: ModelCall) => {
    call = made
  }
  try {
    await services.llm.generate({
      model,
      purpose: 'task',
      temperature: 1,
      system: 'Answer with the word OK and nothing else.',
      messages: [{ role: 'user', text: 'Are you there?' }],
      passages: [],
      isWeakEvidence: false,
      tools: [],
      keyOf: () => key,
      limits: TEST_LIMITS,
      signal,
      onCall,
    })
    return { call, failure: null }
  } catch (error) {
    const reason = appErrorData(error)?.params.reason
    if (typeof reason !== 'string') throw error
    return { call, failure: isProblem(reason) ? reason : null }
  }
}

function isProblem(reason: string): reason is keyof typeof PROBLEMS {
  return reason in PROBLEMS
}

/** The trial has cost something, and it is no message. */
function count(ctx: OrgActionContext, agentId: Id<'agents'>, call: NonNullable<Asked['call']>): Promise<boolean> {
  const sourceId = newId()
  return ctx.write((write) =>
    recordUsage(write, {
      sourceId,
      agentId,
      category: 'helper_generation',
      channel: 'test',
      messages: 0,
      call,
      occurredAt: write.now,
    }),
  )
}
