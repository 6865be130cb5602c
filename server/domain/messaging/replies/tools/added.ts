// The tools that an organization has added, of an agent while it answers.
import type { Tool } from '#server/integrations/llm/tool.ts'
import type { TurnApprovals } from '../../approvals/settle.ts'
import type { PipelineContext } from '../../turns/pipeline-context.ts'
import type { TraceRecorder } from '../../turns/trace.ts'
import type { Turn } from '../../turns/turn.ts'
import { openHttpTools } from './http.ts'
import { openMcpTools } from './mcp.ts'

/** HTTP tools; those of MCP servers, which may do anything, only in answer to a customer. `approvals` null: nothing can be asked for. */
export async function openAddedTools(
  ctx: PipelineContext,
  turn: Turn,
  parts: { trace: TraceRecorder; approvals: TurnApprovals | null },
): Promise<Tool[]> {
  const [http, mcp] = await Promise.all([
    openHttpTools(ctx, turn, parts),
    turn.kind === 'follow_up' ? [] : openMcpTools(ctx, turn, parts),
  ])
  return [...http, ...mcp]
}
