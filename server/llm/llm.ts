// The contract of the models: names, prices, one streaming generate.
import type { ModelInfo } from '#shared/models.ts'

export type ChatMessage = { role: 'user' | 'assistant'; text: string }

/** A passage offered to the model as data, never as instruction. */
export type Passage = { id: string; source: string; page: number | null; text: string; score: number }

export type GenerateRequest = {
  /** `provider/model` or `parley-extractive`. */
  model: string
  temperature: number
  system: string
  messages: ChatMessage[]
  passages: Passage[]
  /** The best passage carries little of the question. */
  isWeakEvidence: boolean
  tools: Tool[]
  signal: AbortSignal
  /** Called with each piece of the answer as it arrives. */
  onText?: (delta: string) => void
  /** Called once when the call ends, also when it failed or was aborted: what it has cost. */
  onCall?: (call: ModelCall) => void
}

/** Something the model may call while it answers. Its subject comes from the turn, never from the model. */
export type Tool = {
  name: string
  description: string
  /** JSON Schema of the arguments. */
  parameters: Record<string, unknown>
  run(args: unknown, signal: AbortSignal): Promise<unknown>
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
}

export type Generation = { text: string; call: ModelCall; usedPassageIds: string[] }

export interface Llm {
  /** Models that an agent may be given, with whether they can be used here. */
  models(): ModelInfo[]
  /** The model of a new agent: the first configured provider's, else `parley-extractive`. */
  defaultModel(): string
  /** Whether an agent may be given this model. One whose provider has no key yet may; its answers then fail. @throws AppError model_unknown */
  assertKnown(model: string): void
  /** @throws AppError model_failed with `reason` (shared/models.ts) and perhaps `retryAfterMs`, or the signal's reason when aborted */
  generate(request: GenerateRequest): Promise<Generation>
}
