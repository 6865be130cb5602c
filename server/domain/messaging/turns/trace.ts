// The trace of a turn, recorded while it runs and stored when it ends: explains why the agent answered as it did, or did not answer.
import type { ModelCall } from '#server/integrations/llm/llm.ts'
import type { PromptPart } from '#server/integrations/llm/prompt.ts'
import type { MediaCall } from '#server/integrations/media/media.ts'
import type { SearchResponse } from '#shared/knowledge/knowledge.ts'
import { TRACE_TOOL_CALLS_MAX } from '#shared/limits.ts'
import type {
  GateName,
  TraceMedia,
  TracePrompt,
  TraceSentence,
  TraceToolCall,
  TurnTrace,
} from '#shared/messaging/trace.ts'
import type { Turn } from './turn.ts'

/** Maximum characters kept of each. */
const SYSTEM_KEPT = 12_000
const MESSAGE_KEPT = 4000
const EXCERPT_KEPT = 300
const JSON_KEPT = 2000
const MESSAGES_KEPT = 30
const SENTENCES_KEPT = 60

/** The record of one turn. Recording never fails and never waits. */
export interface TraceRecorder {
  /** When work on the turn began, milliseconds since the epoch. */
  readonly startedAt: number
  /** Records a gate. @returns whether the turn has passed it */
  gate(gate: GateName, hasPassed: boolean, facts?: TurnTrace['gates'][number]['facts']): boolean
  /** `parts`: the whole prompt, the system part first. */
  prompt(prompt: Omit<TracePrompt, 'system' | 'messages' | 'isCut'> & { parts: PromptPart[] }): void
  search(query: string, response: SearchResponse): void
  tool(call: Omit<TraceToolCall, 'arguments' | 'result'> & { arguments: unknown; result: unknown }): void
  /** Records a model call; `failure` is null when it answered. */
  attempt(model: string, call: ModelCall | null, failure: string | null): void
  /** Records that an attachment was read or an answer spoken, or that it failed. */
  media(made: Pick<TraceMedia, 'kind' | 'failure' | 'durationMs'> & { call: MediaCall | null }): void
  /** Records the comparison of an answer's sentences with the model's context. */
  sentences(compared: TraceSentence[]): void
  /** The trace to store, with secrets scrubbed. */
  finish(outcome: string): TurnTrace
}

/** Starts the trace of a turn. */
export function startTrace(turn: Turn): TraceRecorder {
  const startedAt = Date.now()
  const trace: Omit<TurnTrace, 'outcome' | 'finishedAt'> = {
    kind: turn.kind,
    agentVersion: turn.agent.version,
    isDraft: turn.agent.isDraft,
    overrides: turn.overrides,
    startedAt,
    gates: [],
    prompt: null,
    searches: [],
    tools: [],
    attempts: [],
  }
  return {
    startedAt,
    gate(gate, hasPassed, facts = {}) {
      trace.gates.push({ gate, hasPassed, facts })
      return hasPassed
    },
    prompt({ parts, ...prompt }) {
      const [system, ...rest] = parts
      const messages = rest.slice(-MESSAGES_KEPT).flatMap(({ role, text }) => {
        return role === 'system' ? [] : [{ role, text: cut(text, MESSAGE_KEPT) }]
      })
      const isCut =
        messages.length < rest.length ||
        (system?.text.length ?? 0) > SYSTEM_KEPT ||
        rest.some(({ text }) => text.length > MESSAGE_KEPT)
      trace.prompt = { ...prompt, system: cut(system?.text ?? '', SYSTEM_KEPT), messages, isCut }
    },
    search(query, { results, isWeak }) {
      const kept = results.map(({ id, documentId, content, score, metadata: { source, page } }) => {
        return { id, documentId, source, page, score, excerpt: cut(content, EXCERPT_KEPT) }
      })
      trace.searches.push({ query: cut(query, MESSAGE_KEPT), isWeak, results: kept })
    },
    tool(call) {
      if (trace.tools.length >= TRACE_TOOL_CALLS_MAX) {
        trace.toolsLeftOut = (trace.toolsLeftOut ?? 0) + 1
        return
      }
      trace.tools.push({ ...call, arguments: toJson(call.arguments), result: toJson(call.result) })
    },
    attempt(model, call, failure) {
      trace.attempts.push({
        model,
        failure,
        inputTokens: call?.inputTokens ?? null,
        outputTokens: call?.outputTokens ?? null,
        costMicroUsd: call?.costMicroUsd ?? null,
        durationMs: call?.latencyMs ?? 0,
        firstTokenMs: call?.firstTokenMs ?? null,
        ...(call?.notes && { notes: call.notes }),
      })
    },
    media({ call, ...made }) {
      trace.media ??= []
      trace.media.push({
        ...made,
        provider: call?.provider ?? null,
        model: call?.model ?? null,
        costMicroUsd: call?.costMicroUsd ?? 0,
        isApproximate: call?.isApproximate ?? false,
      })
    },
    sentences(compared) {
      trace.sentences = compared.slice(0, SENTENCES_KEPT)
    },
    finish: (outcome) => scrub({ ...trace, finishedAt: Date.now(), outcome }),
  }
}

/** Patterns of secrets, regardless of who wrote them. */
const SECRETS = new RegExp(
  [
    /\b(?:sk|pk|rk|gsk|xai|tvly|pat|whsec|parley)[-_][\w-]{16,}/, // keys of model, search and payment providers, and of our own API
    /\bAIza[\w-]{30,}/, // Google
    /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/, // Amazon
    /\bgh[opsur]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[abprs]-[\w-]{10,}/, // GitHub, GitLab, Slack
    /\beyJ[\w-]{8,}\.[\w-]{2,}\.[\w-]*/, // signed tokens
    /\b\d{6,}:[A-Za-z0-9_-]{30,}/, // Telegram bots
    /\b[0-9a-f]{40,}\b/, // GREEN-API and others
    /(?<=\bbearer\s)[\w.~+/-]{16,}/,
    /(?<=(?:password|passwd|pwd|secret|api[_ -]?key|пароль)["']?\s*[:=]\s*["']?)[^\s"',;]{4,}/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'giu',
)

/** The text with secrets replaced. */
export function scrubText(text: string): string {
  return text.replace(SECRETS, '•••')
}

function scrub<Value>(value: Value): Value
function scrub(value: unknown): unknown {
  if (typeof value === 'string') return scrubText(value)
  if (Array.isArray(value)) return value.map((item) => scrub(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, scrub(item)]))
}

/** Scrubs before cutting, so that no part of a secret at the edge is left. */
function cut(text: string, length: number): string {
  const scrubbed = scrubText(text)
  return scrubbed.length <= length ? scrubbed : `${scrubbed.slice(0, length).toWellFormed()}…`
}

function toJson(value: unknown): string {
  if (typeof value === 'string') return cut(value, JSON_KEPT)
  return cut(JSON.stringify(value) ?? '', JSON_KEPT)
}
