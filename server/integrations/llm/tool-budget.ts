// What the tools of one answer may use up: calls, and characters of results. One budget holds for all models that are asked for the
// answer, so that a model that stands in for another does not get everything again.
import { TOOL_CALLS_PER_TURN, TOOL_RESULT_MAX, TOOL_RESULTS_MAX } from '#shared/limits.ts'
import type { ToolRefusal } from '#shared/messaging/trace.ts'
import type { Tool } from './tool.ts'
import type { LIMIT_TEXTS } from './tool-refusal.ts'

/** A limit of the whole answer. */
type Limit = Exclude<keyof typeof LIMIT_TEXTS, 'step_limit'>

/** A tool call that gave no result. `refusal` null: it was begun and failed. */
export type UncarriedCall = {
  name: string
  arguments: unknown
  /** What the model receives instead. */
  result: string
  refusal: ToolRefusal | null
  durationMs: number
}

export interface ToolBudget {
  /** Counts a call that is about to be carried out. @returns the limit that stops it, or null */
  admit(tool: Tool): Promise<Limit | null>
  /** The part of a result that the model receives; it is counted. */
  cut(text: string): string
  /** Whether a limit has stopped a call: a model is then asked to answer without tools. */
  isSpent(): boolean
  /** A call was refused or has failed. */
  note(call: UncarriedCall): void
}

type BudgetOptions = {
  /** Calls that the customer has left, asked once and only when the first call comes. Missing: as many as the answer. */
  callsLeft?: () => Promise<number>
  onUncarried?: (call: UncarriedCall) => void
}

/** A budget for one answer. */
export function createToolBudget({ callsLeft, onUncarried }: BudgetOptions = {}): ToolBudget {
  let customerLeft: Promise<number> | undefined
  let calls = 0
  let characters = 0
  let isSpent = false
  const limitOf = async ({ isFree }: Tool): Promise<Limit | null> => {
    if (isFree) return null
    if (calls >= TOOL_CALLS_PER_TURN) return 'turn_limit'
    if (characters >= TOOL_RESULTS_MAX) return 'results_limit'
    customerLeft ??= callsLeft?.()
    return customerLeft && calls >= (await customerLeft) ? 'customer_limit' : null
  }
  return {
    async admit(tool) {
      const limit = await limitOf(tool)
      if (limit !== null) isSpent = true
      else if (!tool.isFree) calls += 1
      return limit
    },
    cut(text) {
      const most = Math.min(TOOL_RESULT_MAX, Math.max(0, TOOL_RESULTS_MAX - characters))
      characters += Math.min(text.length, most)
      return shorten(text, most)
    },
    isSpent: () => isSpent,
    note: (call) => onUncarried?.(call),
  }
}

/** The beginning of a text, with a word on how much is missing. */
function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most).toWellFormed()}\n[${text.length - most} more characters are left out]`
}
