// Testing what an agent computes from its tables: by the tool that its model has, with arguments that a person or the model has chosen.

import { keyOpener } from '#server/domain/agents/keys.access.ts'
import { recordUsage } from '#server/domain/billing/billing.store.ts'
import { withRoom } from '#server/domain/billing/room.ts'
import type { Read } from '#server/domain/knowledge/spaces/search.full.ts'
import { countTried } from '#server/domain/knowledge/spaces/search.usage.ts'
import { getSpace } from '#server/domain/knowledge/spaces/spaces.store.ts'
import { getOrganization } from '#server/domain/organizations/organizations.store.ts'
import type { OrgActionContext } from '#server/functions/context.ts'
import { orgAction } from '#server/functions/define.ts'
import type { DataBlock, ModelCall } from '#server/integrations/llm/llm.ts'
import type { Tool } from '#server/integrations/llm/tool.ts'
import { createToolBudget, type ToolBudget } from '#server/integrations/llm/tool-budget.ts'
import { resultText } from '#server/integrations/llm/tools.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { partyOfOrganization } from '#server/platform/lib/scheduling/fair-scheduler.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import {
  type AskableTables,
  askableTablesInput,
  askTableInput,
  askTablesByModelInput,
  type TableCall,
  type TriedTables,
  tableQuestion,
} from '#shared/knowledge/table-questions.ts'
import { moment, toPassage } from '../replies/context/context.ts'
import { type SearchingAgent, searchAsAgent, searchedPart } from '../replies/context/search-knowledge.ts'
import { listUsableTables, openTables, type TableAsker } from '../replies/tools/table-access.ts'
import { describeTables } from '../replies/tools/tables.rules.ts'
import { NO_SUCH_TABLE, type UsedTables } from '../replies/tools/tables.ts'
import { asTraced } from '../replies/tools/tool-calls.ts'
import type { TraceRecorder } from '../turns/trace.ts'
import { getSearchingAgent } from './agent-search.store.ts'

type Asker = { knowledgeSpaceId: Id<'knowledgeSpaces'>; agentId?: Id<'agents'> | undefined }

/** The tables that an agent, or without one a caller who asks the space alone, can query. An action: the result depends on the day as well. @throws not_found, agent_unavailable */
export const list = orgAction({
  args: askableTablesInput,
  handler: async (ctx, asker): Promise<AskableTables> => {
    const usable = await listUsableTables(ctx.read, await ctx.read((read) => askerOf(read, asker)), ctx.now)
    const { known, unlisted } = describeTables(usable)
    return { tables: known, unlisted: unlisted.length }
  },
})

/** The tool's result for arguments that a person has chosen. @throws not_found, agent_unavailable */
export const ask = orgAction({
  args: askTableInput,
  handler: async (ctx, { question, ...asker }): Promise<TableCall> => {
    const { calls, tools } = await openTried(ctx, await ctx.read((read) => askerOf(read, asker)), '')
    await tools[0]?.run(question, ctx.signal)
    return calls[0] ?? { ...REFUSED, arguments: JSON.stringify(question), output: NO_SUCH_TABLE }
  },
})

/**
 * The calls that the agent's model makes for a question that opens a conversation, by the agent's instructions, the passages found for it
 * and the tables. It costs one message; nothing, where there is no table.
 * @throws not_found, agent_unavailable; model_cannot_write; allowance_used_up; spending_limit_reached; model_failed
 */
export const askModel = orgAction({
  args: askTablesByModelInput,
  handler: async (ctx, { agentId, query }): Promise<TriedTables> => {
    const agent = await ctx.read((read) => getSearchingAgent(read, agentId))
    if (agent.settings.model === EXTRACTIVE_MODEL) throw new AppError('model_cannot_write')
    const { calls, tools, block, toolBudget } = await openTried(ctx, agent, query)
    if (!block) return { calls, text: '' }
    const text = await generate(ctx, agent, query, { block, tools, toolBudget })
    return { calls, text }
  },
})

const REFUSED = { isRefused: true, tableName: null, rows: null } as const

async function askerOf(ctx: OrgStoreContext, { knowledgeSpaceId, agentId }: Asker): Promise<TableAsker> {
  const { enabledSources } = await getSpace(ctx, knowledgeSpaceId)
  if (agentId) return getSearchingAgent(ctx, agentId)
  const spaceIds = enabledSources.includes('tables') ? [knowledgeSpaceId] : []
  return { spaceIds, disabledSources: {}, tags: {}, languages: {} }
}

/** The tables of an asker with the calls of their tool, recorded as they are made. */
async function openTried(ctx: OrgActionContext, asker: TableAsker, question: string) {
  const calls: TableCall[] = []
  const note = (made: Parameters<TraceRecorder['tool']>[0]) => {
    calls.push(noted(made, tables.used))
  }
  const read: Read = (run) => ctx.services.searches.run(partyOfOrganization(ctx.organizationId), () => ctx.read(run))
  const tables = await openTables(read, asker, { tool: note }, { now: ctx.now, question })
  const toolBudget = createToolBudget({ onUncarried: (call) => note(asTraced(call)) })
  return { ...tables, calls, toolBudget }
}

function noted(made: Parameters<TraceRecorder['tool']>[0], used: UsedTables): TableCall {
  const call = { arguments: JSON.stringify(made.arguments), output: resultText(made.result) }
  const source = used.get(tableQuestion.safeParse(made.arguments).data?.table ?? '')
  if (made.hasFailed || !source) return { ...REFUSED, ...call }
  return { ...call, isRefused: false, tableName: source.source, rows: source.rows?.at(-1) ?? null }
}

async function generate(
  ctx: OrgActionContext,
  agent: SearchingAgent,
  query: string,
  { block, tools, toolBudget }: { block: DataBlock; tools: Tool[]; toolBudget: ToolBudget },
): Promise<string> {
  const { id, settings, keys } = agent
  const payer = { id, monthlyLimitUsd: settings.spending.monthlyLimitUsd }
  return withRoom(ctx, payer, async (room) => {
    const messages = [{ role: 'user' as const, text: query }]
    const found = await searchAsAgent(
      {
        organizationId: ctx.organizationId,
        read: ctx.read,
        services: ctx.services,
        count: (call) => countTried(ctx, [call], id),
      },
      agent,
      { query: searchedPart(query), conversation: messages, signal: ctx.signal },
    )
    const { timeZone } = await ctx.read((read) => getOrganization(read, ctx.organizationId))
    let call: ModelCall | null = null
    try {
      const { text } = await ctx.services.llm.generate({
        model: settings.model,
        temperature: settings.temperature,
        system: settings.systemPrompt.trim(),
        moment: moment(ctx.now.getTime(), timeZone),
        messages,
        data: [block],
        passages: (found?.response.results ?? []).map(toPassage),
        isWeakEvidence: found?.response.isWeak ?? false,
        tools,
        toolBudget,
        keyOf: keyOpener(ctx.services.secrets, id, keys),
        signal: ctx.signal,
        onCall: (made) => {
          call = made
        },
      })
      return text.trim()
    } finally {
      if (call) await count(ctx, id, call, room)
    }
  })
}

async function count(
  ctx: OrgActionContext,
  agentId: Id<'agents'>,
  call: ModelCall,
  room: { settle(ctx: OrgStoreContext): Promise<void> },
): Promise<void> {
  const event = { sourceId: newId(), agentId, category: 'helper_generation', channel: 'test', messages: 1 } as const
  await ctx.write(async (store) => {
    await recordUsage(store, { ...event, call, occurredAt: store.now })
    await room.settle(store)
  })
}
