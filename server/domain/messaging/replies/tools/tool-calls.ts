// What the tools of a turn may use up, and the record of the calls that were refused or have failed.
import { createToolBudget, type ToolBudget, type UncarriedCall } from '#server/integrations/llm/tool-budget.ts'
import { TOOL_CALLS_PER_CUSTOMER, TOOL_CALLS_WINDOW_MS } from '#shared/limits.ts'
import type { AnsweringContext } from '../../turns/pipeline-context.ts'
import type { TraceRecorder } from '../../turns/trace.ts'
import type { Turn } from '../../turns/turn.ts'
import { countToolCalls } from './tool-calls.store.ts'

/** One budget for a try at a turn, over all models that are asked. The customer's calls are counted when a model first calls a tool. */
export function toolBudgetOf(ctx: AnsweringContext, turn: Turn, trace: TraceRecorder): ToolBudget {
  const { organizationId, conversationId } = turn
  return createToolBudget({
    async callsLeft() {
      const made = await ctx.read(organizationId, (store) =>
        countToolCalls(store, conversationId, TOOL_CALLS_WINDOW_MS),
      )
      return TOOL_CALLS_PER_CUSTOMER - made
    },
    onUncarried: (call) => trace.tool(asTraced(call)),
  })
}

/** A call that gave no result, as the record has it. */
export function asTraced({ refusal, ...call }: UncarriedCall): Parameters<TraceRecorder['tool']>[0] {
  return { ...call, hasFailed: true, ...(refusal && { refusal }) }
}
