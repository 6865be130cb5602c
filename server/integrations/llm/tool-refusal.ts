// Tool calls that are not carried out: the reasons, and the text that the model receives for each.
import { TOOL_CALLS_PER_STEP } from '#shared/limits.ts'
import type { ToolRefusal } from '#shared/messaging/trace.ts'

/** Thrown by a tool that does not carry out a call. The message goes to the model. */
export class ToolRefused extends Error {
  readonly refusal: ToolRefusal
  constructor(refusal: ToolRefusal, message: string) {
    super(message)
    this.name = 'ToolRefused'
    this.refusal = refusal
  }
}

/** The result of a call whose arguments do not match the tool's schema. */
export const BAD_FORM = 'The arguments do not have the form that the tool asks for.'

const ANSWER_NOW = 'Answer now with what you have.'

/** The result of a call that a limit stops. */
export const LIMIT_TEXTS = {
  step_limit: `Not carried out: at most ${TOOL_CALLS_PER_STEP} calls are made at a time. The calls after the first ${TOOL_CALLS_PER_STEP} are left out.`,
  turn_limit: `Not carried out: no more calls can be made for this answer. ${ANSWER_NOW}`,
  customer_limit: `Not carried out: no more calls can be made for this customer right now. ${ANSWER_NOW}`,
  results_limit: `Not carried out: the results for this answer are long enough. ${ANSWER_NOW}`,
} as const
