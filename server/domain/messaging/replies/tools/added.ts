// The tools that an organization has added, of an agent while it answers.
import type { Tool } from '#server/integrations/llm/tool.ts'
import type { AnsweringContext } from '../../turns/pipeline-context.ts'
import type { Turn } from '../../turns/turn.ts'
import type { AddedParts } from './ask.ts'
import { openHttpTools } from './http.ts'
import { openMcpTools } from './mcp.ts'

/** HTTP tools; those of MCP servers, which may do anything, only in answer to a customer. */
export async function openAddedTools(ctx: AnsweringContext, turn: Turn, parts: AddedParts): Promise<Tool[]> {
  const [http, mcp] = await Promise.all([
    openHttpTools(ctx, turn, parts),
    turn.kind === 'follow_up' ? [] : openMcpTools(ctx, turn, parts),
  ])
  return [...http, ...mcp]
}
