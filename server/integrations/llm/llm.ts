// The contract of the models: names, prices, one streaming generate.
import type { ModelProvider } from '#shared/agents/agent-keys.ts'
import type { ModelInfo } from '#shared/agents/models.ts'
import type { DataTable } from '#shared/knowledge/tables.ts'
import type { ModelNote } from '#shared/messaging/trace.ts'
import type { Tool } from './tool.ts'
import type { ToolBudget } from './tool-budget.ts'

/** Text written by others, passed to the model as data, never as instruction. The title is ours. */
export type DataBlock = { title: string; text: string }

export type ChatMessage = {
  role: 'user' | 'assistant'
  text: string
  /** A note about a colleague, not the customer's own words. */
  isColleague?: true
  /** Content that came with the message, such as the text of an attached file. */
  data?: DataBlock[]
}

/** A passage passed to the model as data, never as instruction. */
export type Passage = {
  id: string
  source: string
  page: number | null
  /** Set where it continues on the next page. */
  lastPage?: number | null
  text: string
  score: number
  /** The search is confident of it by meaning, whatever words it shares with the question. */
  isNear?: boolean
}

/** `probe`: the same tool without side effects: it records no source and no trace. */
export type OfferedTables = { known: DataTable[]; probe: Tool }

export type GenerateRequest = {
  /** `provider/model` or `parley-extractive`. */
  model: string
  /** `reply` answers a customer and keeps to our rules, `task` does only what `system` says. Default: `reply`. */
  purpose?: 'reply' | 'task'
  temperature: number
  system: string
  /** What changes from call to call, such as the time: it comes last in the system text. */
  moment?: string
  messages: ChatMessage[]
  /** The customer's language as their messenger reports it, a tag such as `ru`; used when their messages do not show it. */
  language?: string | null | undefined
  /** Context of the conversation: who writes, and what was written before. */
  data?: DataBlock[]
  passages: Passage[]
  /** The tables that their tool can be asked about, for a model that cannot read how `data` describes them. */
  tables?: OfferedTables
  /** The best passage covers little of the question. */
  isWeakEvidence: boolean
  /** What the organization wants then instead of an answer. Undefined: the model decides. */
  whenWeak?: 'clarify' | 'handoff' | undefined
  tools: Tool[]
  /** The budget of the tools, shared with other calls for the same answer. Missing: a separate budget. */
  toolBudget?: ToolBudget
  /** A key that replaces the installation's; undefined: there is none. @throws AppError model_failed when it cannot be decrypted */
  keyOf?: (provider: ModelProvider) => string | undefined
  /** Time limits of this call, where they are shorter than usual. */
  limits?: CallLimits
  signal: AbortSignal
  /** Called with each piece of the answer as it arrives. */
  onText?: (delta: string) => void
  /** The text passed to `onText` so far is discarded: the answer restarts. */
  onTakeBack?: () => void
  /** Called once when the call ends, also when it failed or was aborted, with its cost. */
  onCall?: (call: ModelCall) => void
}

export type CallLimits = {
  /** Until the first piece of an answer, milliseconds; restarts with each step of a tool loop. */
  firstTokenMs: number
  /** The whole call with its tools and its retry, milliseconds. */
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
  /** Repairs that were needed to get an answer; missing: none. */
  notes?: ModelNote[]
}

export type Generation = { text: string; call: ModelCall; usedPassageIds: string[] }

export interface Llm {
  /** Models that an agent may use, with whether they are available here. Those of the operator's own server are as it last listed them. */
  models(): ModelInfo[]
  /** The model of a new agent: the first available one, else `parley-extractive`. */
  defaultModel(): string
  /** The cheapest model of a provider, for testing a key. */
  cheapestModel(provider: ModelProvider): string
  /** The time within which a customer receives an answer from any model, milliseconds. */
  answerMs: number
  /** Checks that an agent may use this model, with or without a key of its provider; without one, answers fail. @throws AppError model_unknown */
  assertKnown(model: string): void
  /** @throws AppError model_failed with `reason` (shared/agents/models.ts) and perhaps `retryAfterMs`, or the signal's reason when aborted */
  generate(request: GenerateRequest): Promise<Generation>
}
