// Tools of MCP servers of an agent while it answers: as they were allowed, and those alone that it may call by itself.
import { isOfferedWith } from '#server/domain/mcp-servers/approval.rules.ts'
import { callMcpTool } from '#server/domain/mcp-servers/call.ts'
import { checkOf, offeredSchema } from '#server/domain/mcp-servers/schema.rules.ts'
import {
  type CallableMcpTool,
  listCallableMcp,
  noteMcpOutcome,
  takeOneOfMcp,
} from '#server/domain/mcp-servers/tools.store.ts'
import type { Tool } from '#server/integrations/llm/tool.ts'
import { BAD_FORM, ToolRefused } from '#server/integrations/llm/tool-refusal.ts'
import { MCP_CALLS_PER_TURN, MCP_DESCRIPTION_OFFERED } from '#shared/tools/mcp-servers.ts'
import type { PipelineContext } from '../../turns/pipeline-context.ts'
import type { TraceRecorder } from '../../turns/trace.ts'
import type { Turn } from '../../turns/turn.ts'

const NO_MORE = 'Not carried out: this tool is used up'

/** The agent's tools, for one try at a turn; none where it has none, without a read. */
export async function openMcpTools(ctx: PipelineContext, turn: Turn, trace: TraceRecorder): Promise<Tool[]> {
  const { organizationId, agent } = turn
  const ids = agent.settings.functions.mcpTools
  if (ids.length === 0) return []
  const tools = await ctx.read(organizationId, (store) => listCallableMcp(store, ids))
  return tools.filter(({ approval }) => isOfferedWith(approval)).flatMap((tool) => mcpTool(ctx, turn, trace, tool))
}

function mcpTool(ctx: PipelineContext, { organizationId }: Turn, trace: TraceRecorder, tool: CallableMcpTool): Tool[] {
  const check = checkOf(tool.schema)
  const parameters = offeredSchema(tool.schema)
  if (!check || !parameters) return []
  const { name } = tool
  let used = 0
  const run: Tool['run'] = async (given, signal) => {
    if (!check.safeParse(given).success) throw new ToolRefused('bad_arguments', BAD_FORM)
    if (used >= MCP_CALLS_PER_TURN) throw new ToolRefused('tool_turn_limit', `${NO_MORE} for this answer.`)
    used += 1
    const isLeft = await ctx.organization(organizationId, (store) => takeOneOfMcp(store, tool.id))
    if (!isLeft) throw new ToolRefused('tool_day_limit', `${NO_MORE} for today.`)
    const { failure, status, result, durationMs } = await callMcpTool(ctx.services, tool, given, signal)
    await ctx.organization(organizationId, (store) => noteMcpOutcome(store, tool.id, failure))
    trace.tool({
      ...{ name, arguments: given, result, durationMs, hasFailed: failure !== null, hasFound: failure === null },
      http: { host: new URL(tool.server.url).host, status, failure, bound: [] },
    })
    return result
  }
  return [{ name, description: tool.description.slice(0, MCP_DESCRIPTION_OFFERED).toWellFormed(), parameters, run }]
}
