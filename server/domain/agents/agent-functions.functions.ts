// What agents can do besides talking, and how that goes. On the wire: agentFunctions.
import { findConnection } from '#server/domain/integrations/calendar/connections.store.ts'
import { listAnalyzedTables } from '#server/domain/knowledge/tables/tables.store.ts'
import { listEnabled } from '#server/domain/knowledge/web-search/web-search.store.ts'
import { listAllowed } from '#server/domain/mcp-servers/tools.store.ts'
import { type CallSums, listCalls, sumCalls, sumSearchCosts } from '#server/domain/tools/tool-calls.store.ts'
import { listTools } from '#server/domain/tools/tools.store.ts'
import type { OrgQueryContext } from '#server/functions/context.ts'
import { orgQuery } from '#server/functions/define.ts'
import type { Agent } from '#shared/agents/agents.ts'
import { agentFunctionsInput } from '#shared/agents/agents.ts'
import {
  type AgentFunctionState,
  agentFunctionsOverviewInput,
  BUILT_IN_FUNCTIONS,
  type BuiltInFunction,
  FUNCTION_CALLS_MAX,
  FUNCTION_DAYS,
  functionCallsInput,
  TOOLS_OF_FUNCTION,
} from '#shared/tools/functions.ts'
import * as store from './agents.store.ts'

/** The functions of one agent, or of all: knowledge search where spaces are linked. @throws agent_unavailable */
export const list = orgQuery({
  args: agentFunctionsInput,
  handler: async (ctx, { agentId }) => {
    if (agentId) await store.getAgent(ctx, agentId)
    return store.listFunctions(ctx, agentId)
  },
})

/** All functions that an agent has or could have, by its newest version, with their calls of the last days. @throws agent_unavailable */
export const overview = orgQuery({
  args: agentFunctionsOverviewInput,
  handler: async (ctx, { agentId }): Promise<AgentFunctionState[]> => {
    const agent = await store.getAgent(ctx, agentId)
    const since = new Date(Date.now() - FUNCTION_DAYS * 24 * 3_600_000)
    const sums = await sumCalls(ctx, agentId, since)
    const searchCost = await sumSearchCosts(ctx, agentId, since)
    const missing = await missingOf(ctx, agent)
    const builtIn = BUILT_IN_FUNCTIONS.map((name) => ({
      ...{ kind: 'built-in' as const, name, isOn: isOn(agent, name), isMissing: missing.has(name) },
      ...useOf(sums, toolNames(agent, name), name === 'webSearch' ? searchCost : null),
    }))
    const added = (await listTools(ctx)).map(({ _id, name, description, failing }) => ({
      ...{ kind: 'http' as const, name, toolId: _id, description, failing },
      ...{ isOn: agent.functions.tools.includes(_id), ...useOf(sums, [name], null) },
    }))
    const ofServers = (await listAllowed(ctx)).map(({ _id, modelName, server, description, isOffered, failing }) => ({
      ...{ kind: 'mcp' as const, name: modelName, toolId: _id, server, description, isOffered, failing },
      ...{ isOn: agent.functions.mcpTools.includes(_id), ...useOf(sums, [modelName], null) },
    }))
    return [...builtIn, ...added, ...ofServers]
  },
})

/** The newest calls of one function, from any conversation of the agent. @throws agent_unavailable */
export const calls = orgQuery({
  args: functionCallsInput,
  handler: async (ctx, { agentId, name }) => {
    const agent = await store.getAgent(ctx, agentId)
    const builtIn = BUILT_IN_FUNCTIONS.find((each) => each === name)
    const names = builtIn ? toolNames(agent, builtIn) : [name]
    return listCalls(ctx, agentId, { names, limit: FUNCTION_CALLS_MAX })
  },
})

/** As models know the tools of a function. */
function toolNames({ knowledgeTool }: Agent, name: BuiltInFunction): string[] {
  const own = name === 'knowledge' && knowledgeTool.name ? [knowledgeTool.name] : []
  return [...TOOLS_OF_FUNCTION[name], ...own]
}

function isOn({ functions, handoff, choices }: Agent, name: BuiltInFunction): boolean {
  if (name === 'handoff') return handoff.byAgent
  return name === 'choices' ? choices.isOn : !functions.off.includes(name)
}

/** Functions that have nothing to work with. */
async function missingOf(ctx: OrgQueryContext, { _id, knowledgeSpaceIds }: Agent): Promise<Set<BuiltInFunction>> {
  const calendar = await findConnection(ctx, _id)
  const missing = new Set<BuiltInFunction>(calendar?.status === 'connected' ? [] : ['calendar'])
  if (knowledgeSpaceIds.length === 0) return new Set([...missing, 'knowledge', 'tables', 'webSearch'])
  const tables = await listAnalyzedTables(ctx, knowledgeSpaceIds)
  const searched = await listEnabled(ctx, knowledgeSpaceIds)
  if (tables.length === 0) missing.add('tables')
  if (searched.length === 0) missing.add('webSearch')
  return missing
}

function useOf(sums: Map<string, CallSums>, names: string[], costMicroUsd: number | null) {
  const found = names.flatMap((name) => sums.get(name) ?? [])
  return {
    calls: found.reduce((sum, { calls: count }) => sum + count, 0),
    failures: found.reduce((sum, { failures }) => sum + failures, 0),
    lastAt: found.length > 0 ? Math.max(...found.map(({ lastAt }) => lastAt)) : null,
    costMicroUsd,
  }
}
