// Tools of MCP servers of an agent while it answers: as they were allowed, and called by themselves or asked for.
import { callMcpTool } from '#server/domain/mcp-servers/call.ts'
import { checkOf, offeredSchema } from '#server/domain/mcp-servers/schema.rules.ts'
import {
  type CallableMcpTool,
  listCallableMcp,
  noteMcpOutcome,
  takeOneOfMcp,
} from '#server/domain/mcp-servers/tools.store.ts'
import type { AskedTool } from '#server/domain/tools/approvals.store.ts'
import type { Tool } from '#server/integrations/llm/tool.ts'
import { BAD_FORM, ToolRefused } from '#server/integrations/llm/tool-refusal.ts'
import type { ApprovalArguments } from '#shared/tools/approvals.ts'
import { MCP_CALLS_PER_TURN, MCP_DESCRIPTION_OFFERED } from '#shared/tools/mcp-servers.ts'
import type { AnsweringContext } from '../../turns/pipeline-context.ts'
import { isTest } from '../../turns/rehearsal.rules.ts'
import type { Turn } from '../../turns/turn.ts'
import { type AddedParts, askFor, withAsking } from './ask.ts'
import { standInResult } from './stand-in.ts'

const NO_MORE = 'Not carried out: this tool is used up'

/** The agent's tools, for one try at a turn; none where it has none, without a read. */
export async function openMcpTools(ctx: AnsweringContext, turn: Turn, parts: AddedParts): Promise<Tool[]> {
  const { organizationId, agent } = turn
  const ids = agent.settings.functions.mcpTools
  if (ids.length === 0) return []
  const tools = await ctx.read(organizationId, (store) => listCallableMcp(store, ids))
  const offered = tools.filter(({ approval }) => approval === 'none' || parts.approvals !== null || isTest(turn))
  if (parts.approvals && offered.some(({ approval }) => approval !== 'none')) parts.approvals.mayAsk = true
  return offered.flatMap((tool) => mcpTool(ctx, turn, parts, tool))
}

function mcpTool(ctx: AnsweringContext, { organizationId }: Turn, parts: AddedParts, tool: CallableMcpTool): Tool[] {
  const check = checkOf(tool.schema)
  const parameters = offeredSchema(tool.schema)
  if (!check || !parameters) return []
  const { name, approval } = tool
  let used = 0
  const run: Tool['run'] = async (given, signal) => {
    if (!check.safeParse(given).success) throw new ToolRefused('bad_arguments', BAD_FORM)
    if (used >= MCP_CALLS_PER_TURN) throw new ToolRefused('tool_turn_limit', `${NO_MORE} for this answer.`)
    used += 1
    if (approval !== 'none') return askFor(parts, approval, askedOf(tool), given as ApprovalArguments)
    const { standIn } = parts
    const made = standIn
      ? standInResult(standIn, 'mcp')
      : await callOutside({ ctx, organizationId, tool }, given, signal)
    const { failure, status, result, durationMs } = made
    parts.trace.tool({
      ...{ name, arguments: given, result, durationMs, hasFailed: failure !== null, hasFound: failure === null },
      http: { host: new URL(tool.server.url).host, status, failure, bound: [] },
    })
    return result
  }
  const description = tool.description.slice(0, MCP_DESCRIPTION_OFFERED).toWellFormed()
  return [{ name, description: withAsking(description, approval), parameters, run }]
}

type Outside = { ctx: AnsweringContext; organizationId: Turn['organizationId']; tool: CallableMcpTool }

async function callOutside({ ctx, organizationId, tool }: Outside, given: unknown, signal: AbortSignal) {
  const isLeft = await ctx.organization(organizationId, (store) => takeOneOfMcp(store, tool.id))
  if (!isLeft) throw new ToolRefused('tool_day_limit', `${NO_MORE} for today.`)
  const called = await callMcpTool(ctx.services, tool, given, signal)
  await ctx.organization(organizationId, (store) => noteMcpOutcome(store, tool.id, called.failure))
  return called
}

/** People read the name that the server gives its tool: nothing else of it was written by the organization. */
function askedOf({ id, name, serverName, server, version }: CallableMcpTool): AskedTool {
  return { kind: 'mcp', id, version, name, title: `${server.name}: ${serverName}` }
}
