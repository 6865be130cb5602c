// Why an agent answered as it did, or did not: the record of one turn. Secrets are scrubbed before it is stored.

import type { Id } from '#shared/ids.ts'
import type { ApprovalBy } from '#shared/tools/approvals.ts'
import type { ToolFailure } from '#shared/tools/tools.ts'
import type { AttachmentFailure, AttachmentKind } from './attachments.ts'

export type TurnKind = 'reply' | 'follow_up'

/** A rule that a turn must pass, in the order of evaluation. */
export type GateName =
  | 'attempts'
  | 'conversation'
  | 'agent'
  | 'connection'
  | 'agent_off'
  | 'question'
  | 'follow_up'
  | 'command'
  | 'handoff_phrase'
  | 'machine_talk'
  | 'guard_question'
  | 'guard_answer'
  | 'grounding'
  | 'promise'
  | 'organization'
  | 'availability'
  | 'spam'
  | 'visitors'
  | 'spending'
  | 'allowance'

export type TraceGate = {
  gate: GateName
  hasPassed: boolean
  /** What the gate evaluated: limits, counts, hours. */
  facts: Record<string, string | number | boolean | null>
}

/** One search of the agent's knowledge, before the model was called or on its request. */
export type TraceSearch = {
  query: string
  isWeak: boolean
  /** Records made before it was kept lack `documentId`. */
  results: {
    id: Id<'chunks'>
    documentId?: string
    source: string
    page: number | null
    score: number
    excerpt: string
  }[]
}

/** Why a tool call was not carried out. */
export const TOOL_REFUSALS = [
  /** The agent has no tool of that name. */
  'unknown_tool',
  /** Not JSON, too long, or not in the format that the tool requires. */
  'bad_arguments',
  /** More calls in one step, one answer, or for one customer than are carried out. */
  'step_limit',
  'turn_limit',
  'customer_limit',
  /** The results of this answer have become too long already. */
  'results_limit',
  /** More searches of the web than one answer may make. */
  'web_limit',
  /** More calls of this tool than one answer, or one day, may make. */
  'tool_turn_limit',
  'tool_day_limit',
  /** The tool needs to know the customer, such as their telephone number, and the channel does not tell. */
  'customer_unknown',
  /** The model was to answer without tools, and called one anyway. */
  'not_offered',
  /** The tool changes something, and the test chat changes nothing. */
  'not_in_test',
  /** More calls than may wait for someone to agree. */
  'approval_limit',
] as const
export type ToolRefusal = (typeof TOOL_REFUSALS)[number]

export type TraceToolCall = {
  name: string
  /** JSON, cut. */
  arguments: string
  /** JSON, cut; the message of the error when it failed. */
  result: string
  hasFailed: boolean
  /** Why it was not carried out; missing: it was, or it failed on the way. */
  refusal?: ToolRefusal
  /** Whether it looked something up and found it; missing in older records. */
  hasFound?: boolean
  durationMs: number
  /** A tool of the organization: where it called, what came, and which arguments the server has given. */
  http?: { host: string; status: number | null; failure: ToolFailure | null; bound: string[] }
  /** It was not carried out: who was asked to agree to it. */
  asked?: ApprovalBy
  /** It was asked for earlier, and carried out now that they have agreed. */
  agreedBy?: ApprovalBy
}

/** What was changed in a call, or in its answer, to make it usable. */
type ModelNoteCode =
  /** Reasoning was part of the answer, and was removed. */
  | 'thoughts'
  /** A tool call written as words was carried out. */
  | 'written_call'
  /** A tool call written as words could not be carried out, and was taken out. */
  | 'unreadable_call'
  /** Marks of passages were taken out. */
  | 'marks'
  /** The answer was cut at its maximum length, and the rest was requested. */
  | 'continued'
  /** The answer was cut, and ends with its last whole sentence. */
  | 'cut'
  /** The stream ended without a finish; what had arrived counts. */
  | 'unfinished'
  /** The connection was lost; what had arrived counts up to its last whole sentence. */
  | 'broken_off'
  /** The answer was empty, and was requested again in other words. */
  | 'asked_again'
  /** The prompt was too long, and went out with half of the conversation. */
  | 'halved'
  /** A parameter was rejected, and is sent under another name or value, or omitted. */
  | 'parameter'

/** `parameter`, `to`: of a changed parameter; `to` null: it is left out. */
export type ModelNote = { code: ModelNoteCode; parameter?: string; to?: string | null }

/** One call of a model. */
export type TraceAttempt = {
  model: string
  /** Null: it answered. */
  failure: string | null
  inputTokens: number | null
  outputTokens: number | null
  /** Millionths of a US dollar; null: the price is unknown. */
  costMicroUsd: number | null
  durationMs: number
  firstTokenMs: number | null
  /** Missing: nothing was changed. */
  notes?: ModelNote[]
}

/** One recording, picture or file that was read, or an answer that was spoken. */
export type TraceMedia = {
  kind: AttachmentKind | 'speech'
  /** Null where no provider was called. */
  provider: string | null
  model: string | null
  /** Null: it was understood, or spoken. */
  failure: AttachmentFailure | null
  /** Millionths of a US dollar. */
  costMicroUsd: number
  /** The cost is what such a thing usually costs. */
  isApproximate: boolean
  durationMs: number
}

/** One sentence of an answer, compared with the model's context. */
export type TraceSentence = {
  text: string
  /**
   * Where its figures, dates, addresses and names come from: the knowledge found, the instructions or the conversation, or nowhere.
   * `unchecked`: it has none, and shares no words with the hits.
   */
  verdict: 'knowledge' | 'given' | 'unfounded' | 'unchecked'
  /** The parts that have no source, or contradict one. */
  unfounded: string[]
  /** Ids of the chunks, tables and pages from which it comes. */
  sources: string[]
  /** It counts or adds up what tables hold, with a number that they do not say. */
  isCounted?: boolean
}

/** The prompt as it was sent, cut to a readable length. */
export type TracePrompt = {
  /** The agent's instructions, the moment, and the rules that always hold. */
  system: string
  /** Version of the installation's template that stood before the agent's instructions; missing: none. */
  template?: number
  /** In the order in which the model reads them; `data`: knowledge, notes and tables, inside a fence. */
  messages: { role: 'data' | 'user' | 'assistant'; text: string }[]
  /** Names of the tools on offer; missing in older records. */
  tools?: string[]
  /** Whether long texts or older messages are shortened here; the model was given all of them. */
  isCut?: boolean
  temperature: number
  /** Messages of the conversation that were left out for the limits of the context. */
  droppedMessages: number
  /** Minutes of silence after which a new conversation began: earlier messages are left out. Missing: it did not. */
  newAfterMinutes?: number
  /** The summary that replaced the omitted messages; null: none. */
  summary: string | null
}

export type TurnTrace = {
  kind: TurnKind
  /** Version of the agent; `isDraft`: as it was not yet published. */
  agentVersion: number
  isDraft: boolean
  /** Settings that the tester had changed for this answer: path → value. */
  overrides: Record<string, unknown>
  startedAt: number
  finishedAt: number
  /** `replied`, or the code of what kept the agent from answering. */
  outcome: string
  gates: TraceGate[]
  prompt: TracePrompt | null
  searches: TraceSearch[]
  tools: TraceToolCall[]
  /** Tool calls that are not kept here because there were too many; missing: none. */
  toolsLeftOut?: number
  attempts: TraceAttempt[]
  /** Missing where no media were read or spoken. */
  media?: TraceMedia[]
  /** The sentences that the model has written; missing for agents without knowledge, and in older records. */
  sentences?: TraceSentence[]
}
