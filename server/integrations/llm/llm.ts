// The contract of the models: names, prices, one streaming generate.
import type { ModelProvider } from '#shared/agents/agent-keys.ts'
import type { ModelInfo } from '#shared/agents/models.ts'
import type { DataTable } from '#shared/knowledge/tables.ts'
import type { ModelNote } from '#shared/messaging/trace.ts'
import type { Tool } from './tool.ts'
import type { ToolBudget } from './tool-budget.ts'

/** Something that others have written, offered to the model as data, never as instruction. The title is ours. */
export type DataBlock = { title: string; text: string }

export type ChatMessage = {
  role: 'user' | 'assistant'
  text: string
  /** Tells of a colleague; not the customer's own words. */
  isColleague?: true
  /** What came with the message, such as the text of an attached file. */
  data?: DataBlock[]
}

/** A passage offered to the model as data, never as instruction. */
export type Passage = {
  id: string
  source: string
  page: number | null
  /** Where it runs over to the next page. */
  lastPage?: number | null
  text: string
  score: number
  /** The search is sure of it by its meaning, whatever words it shares with the question. */
  isNear?: boolean
}

/** `probe`: the same tool for looking around, which leaves no source and no trace. */
export type OfferedTables = { known: DataTable[]; probe: Tool }

export type GenerateRequest = {
  /** `provider/model` or `parley-extractive`. */
  model: string
  /** `reply` answers a customer and keeps to our rules, `task` does only what `system` says. Default: `reply`. */
  purpose?: 'reply' | 'task'
  temperature: number
  system: string
  /** What changes from call to call, such as the time: it stands last in what the system says. */
  moment?: string
  messages: ChatMessage[]
  /** The customer's language as their messenger names it, a tag such as `ru`; for when their words do not show it. */
  language?: string | null | undefined
  /** What the conversation is to be read with: who writes, what was said before. */
  data?: DataBlock[]
  passages: Passage[]
  /** The tables that their tool can be asked about, for a model that cannot read how `data` describes them. */
  tables?: OfferedTables
  /** The best passage carries little of the question. */
  isWeakEvidence: boolean
  /** What the organization wants then instead of an answer. Undefined: whatever the model finds best. */
  whenWeak?: 'clarify' | 'handoff' | undefined
  tools: Tool[]
  /** What the tools may use up, shared with other calls for the same answer. Missing: a budget of its own. */
  toolBudget?: ToolBudget
  /** A key that goes before the installation's own; undefined: there is none. @throws AppError model_failed when it cannot be opened */
  keyOf?: (provider: ModelProvider) => string | undefined
  /** Time for this call, where it is less than usual. */
  limits?: CallLimits
  signal: AbortSignal
  /** Called with each piece of the answer as it arrives. */
  onText?: (delta: string) => void
  /** What was given to `onText` so far is no part of the answer: it begins again. */
  onTakeBack?: () => void
  /** Called once when the call ends, also when it failed or was aborted: what it has cost. */
  onCall?: (call: ModelCall) => void
}

export type CallLimits = {
  /** Until the first piece of an answer, milliseconds; begins anew with each step of a tool loop. */
  firstTokenMs: number
  /** The whole call with its tools and its second try, milliseconds. */
  totalMs: number
}

/** Facts of one provider call, recorded whether or not it succeeded. */
export type ModelCall = {
  provider: string
  model: string
  inputTokens: number | null
  outputTokens: number | null
  /** Millionths of a US dollar; null: the price is unknown. */
  costMicroUsd: number | null
  /** Version of the price table, null when the price is unknown. */
  priceVersion: string | null
  latencyMs: number
  firstTokenMs: number | null
  /** What had to be done so that there was an answer; missing: nothing. */
  notes?: ModelNote[]
}

export type Generation = { text: string; call: ModelCall; usedPassageIds: string[] }

export interface Llm {
  /** Models that an agent may be given, with whether they can be used here. Those of the operator's own server are as it last said. */
  models(): ModelInfo[]
  /** The model of a new agent: the first that can be used here, else `parley-extractive`. */
  defaultModel(): string
  /** The cheapest model of a provider: to find out whether a key is accepted. */
  cheapestModel(provider: ModelProvider): string
  /** Within which time a customer is to have an answer, whichever model gives it; milliseconds. */
  answerMs: number
  /** Whether an agent may be given this model. One whose provider has no key yet may; its answers then fail. @throws AppError model_unknown */
  assertKnown(model: string): void
  /** @throws AppError model_failed with `reason` (shared/agents/models.ts) and perhaps `retryAfterMs`, or the signal's reason when aborted */
  generate(request: GenerateRequest): Promise<Generation>
}
