// Asks for a call that changes something, in place of making it. It is written down together with the answer, and goes out with it or not at all.
import { isDeepStrictEqual } from 'node:util'
import type { AskedCall, AskedTool } from '#server/domain/tools/approvals.store.ts'
import { ToolRefused } from '#server/integrations/llm/tool-refusal.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { APPROVALS_MAX, type ApprovalArguments, type ApprovalBy } from '#shared/tools/approvals.ts'
import type { ToolApprovalRule } from '#shared/tools/tools.ts'
import type { TurnApprovals } from '../../approvals/settle.ts'
import type { TraceRecorder } from '../../turns/trace.ts'
import type { StandIn } from './stand-in.ts'

/** `approvals` null: nothing can be asked for. `standIn` undefined: services are called. */
export type AddedParts = { trace: TraceRecorder; approvals: TurnApprovals | null; standIn?: StandIn | undefined }

/** The description of a tool, as a model is given it. */
export function withAsking(description: string, approval: ToolApprovalRule): string {
  return approval === 'none' ? description : `${description}\n${ASKS[approval]}`
}

/** @returns the result for the model. @throws ToolRefused when it cannot be asked for */
export function askFor(
  { trace, approvals }: AddedParts,
  by: ApprovalBy,
  tool: AskedTool,
  given: ApprovalArguments,
): string {
  if (!approvals) throw new ToolRefused('not_in_test', 'Not carried out: in a test nothing is changed. Say so.')
  const { asked, recent, carriedOut } = approvals
  const waiting = recent.filter(({ status }) => status === 'waiting')
  const isSame = (each: AskedCall) => each.tool.id === tool.id && isDeepStrictEqual(each.arguments, given)
  if (carriedOut.some(isSame)) return JUST_DONE
  if ([...waiting.filter((each) => each.by === by), ...asked].some(isSame)) return ASKED_BEFORE
  const isFull = asked.length + waiting.length >= APPROVALS_MAX
  if (isFull || (by === 'customer' && asked.some((each) => each.by === by)))
    throw new ToolRefused('approval_limit', 'Not carried out: too much waits already. One thing at a time.')
  asked.push({ id: newId('toolApprovals'), by, tool, arguments: given })
  trace.tool({
    ...{ name: tool.name, arguments: given, result: ASKED[by], hasFailed: false, durationMs: 0, asked: by },
  })
  return ASKED[by]
}

const ASKS: Record<ApprovalBy, string> = {
  customer: 'It changes something: calling it only asks the customer to confirm.',
  operator: 'It changes something: calling it only asks a colleague to approve.',
}
const ASKED: Record<ApprovalBy, string> = {
  customer:
    'Not carried out. The customer is asked to confirm, in words of the system, below your answer. Write one short sentence before it.',
  operator:
    'Not carried out. A colleague is asked to approve it; the customer hears from us then. Say that it has been passed on and is not done yet.',
}
const JUST_DONE =
  'Not asked for: the very same was carried out just now, and the customer hears so above your answer. Say nothing of it.'
const ASKED_BEFORE = 'Not carried out: the very same is asked for already, and waits.'
