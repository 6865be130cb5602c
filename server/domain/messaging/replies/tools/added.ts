// The tools that an organization has added, of an agent while it answers.
import type { Tool } from '#server/integrations/llm/tool.ts'
import type { PipelineContext } from '../../turns/pipeline-context.ts'
import type { TraceRecorder } from '../../turns/trace.ts'
import type { Turn } from '../../turns/turn.ts'
import { openHttpTools } from './http.ts'
import { openMcpTools } from './mcp.ts'

/** HTTP tools, which only read; those of MCP servers, which may do anything, only in answer to a customer. */
export async function openAddedTools(ctx: PipelineContext, turn: Turn, trace: TraceRecorder): Promise<Tool[]> {
  const [http, mcp] = await Promise.all([
    openHttpTools(ctx, turn, trace),
    turn.kind === 'follow_up' ? [] : openMcpTools(ctx, turn, trace),
  ])
  return [...http, ...mcp]
}
