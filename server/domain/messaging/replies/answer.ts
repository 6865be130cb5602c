// What a model is asked with, and what comes of it. Types only.
import type { GenerateRequest, Generation, ModelCall } from '#server/integrations/llm/llm.ts'
import type { SearchResult } from '#shared/knowledge/knowledge.ts'
import type { TurnApprovals } from '../approvals/settle.ts'
import type { HandoffCall } from '../handoff/hand-off-tool.ts'
import type { Evidence } from './guards/grounding.rules.ts'
import type { Offer } from './tools/offer-choices.ts'
import type { UsedTables } from './tools/tables.ts'
import type { FoundPages } from './tools/web-search.ts'

export type ReplyContext = {
  request: Omit<GenerateRequest, 'signal' | 'onText' | 'onCall'>
  /** Everything that was found, by the search before the call and by the tool during it: chunk id → result. */
  found: Map<string, SearchResult>
  /** Rows of tables from which the answer was computed. */
  usedTables: UsedTables
  /** Pages of the web that the model has been shown. */
  foundPages: FoundPages
  /** What else the model was given that an answer may rest on: instructions, the conversation, results of tools. */
  evidence: Evidence[]
  /** Whether the model has called a person. */
  handoff: HandoffCall
  /** What the model offers to choose from; missing: it may offer nothing. */
  offer?: Offer
  /** Calls that wait for someone to agree; null or missing: the agent has no tools that ask. */
  approvals?: TurnApprovals | null
  /** The newest message that the answer is about. */
  answersThrough: number
}

/** A model that was asked and gave no answer; what it has cost all the same. */
export type FailedCall = { model: string; reason: string; error: unknown; call: ModelCall | null }

/** A message with what it was made from. `call` null: no model was asked. `failed`: the models that were asked in vain, in that order. */
export type Answered = {
  answer: Omit<Generation, 'call'> & { call: ModelCall | null }
  context: Pick<
    ReplyContext,
    'found' | 'usedTables' | 'foundPages' | 'evidence' | 'handoff' | 'offer' | 'approvals' | 'answersThrough'
  >
  failed: FailedCall[]
  /** Sentences of the message that state what the model was not given; missing until they are looked for. */
  unfounded?: string[]
}
