// What the model is given for one turn: instructions, the moment, the conversation within limits, and knowledge as data.
import type { ChatMessage, GenerateRequest, Passage } from '#server/llm/llm.ts'
import type { SearchResponse, SearchResult } from '#shared/knowledge.ts'
import { unanswered } from './gates.ts'
import { withHumanStretches } from './handoff.stretch.ts'
import type { PipelineContext } from './pipeline-context.ts'
import { type HandoffCall, handOffTool } from './tools/hand-off.ts'
import { knowledgeTool } from './tools/knowledge.ts'
import type { TraceRecorder } from './trace.ts'
import type { HistoryMessage, Turn } from './turn.store.ts'

/** Characters of the conversation that go to the model; the oldest are dropped first. */
const HISTORY_CHARACTERS = 24_000
/** Characters of a question by which knowledge is searched. */
const QUERY_CHARACTERS = 1000
const PASSAGES = 8
const PASSAGE_TOKENS = 3000

const UNSEARCHED: Pick<SearchResponse, 'results' | 'isWeak'> = { results: [], isWeak: true }

export type ReplyContext = {
  request: Omit<GenerateRequest, 'signal' | 'onText' | 'onCall'>
  /** Everything that was found, by the search before the call and by the tool during it: chunk id → result. */
  found: Map<string, SearchResult>
  /** Whether the model has called a person. */
  handoff: HandoffCall
  /** The newest message that the answer is about. */
  answersThrough: number
}

/** Gathers what the model is given. Knowledge is searched here once, and again whenever the model asks. */
export async function buildContext(
  ctx: PipelineContext,
  turn: Turn,
  trace: TraceRecorder,
  now: Date,
): Promise<ReplyContext> {
  const questions = unanswered(turn)
  const { settings } = turn.agent
  const found = new Map<string, SearchResult>()
  const search = async (query: string) => {
    const response = await searchKnowledge(ctx, turn, query)
    for (const result of response?.results ?? []) found.set(result.id, result)
    if (response) trace.search(query, response)
    return response
  }
  const query = questions.map((message) => message.text).join('\n')
  const knowledge = await search(query.slice(-QUERY_CHARACTERS)).catch((error: unknown) => {
    // An answer without knowledge is better than none; the model is told that nothing was found.
    ctx.logger.error({ err: error, turnId: turn.turnId }, 'knowledge was not searched')
    return UNSEARCHED
  })
  const system = `${settings.systemPrompt.trim()}\n\n${moment(now, turn.timeZone)}`.trim()
  const messages = toChat(withHumanStretches(turn.history, turn.conversation), questions)
  const handoff: HandoffCall = { request: null }
  trace.prompt({ system, messages, temperature: settings.temperature, droppedMessages: 0, summary: null })
  return {
    request: {
      model: settings.model,
      temperature: settings.temperature,
      system,
      messages,
      passages: (knowledge?.results ?? []).map(toPassage),
      isWeakEvidence: knowledge?.isWeak ?? false,
      tools: [
        ...(turn.agent.spaceIds.length > 0 ? [knowledgeTool(search)] : []),
        ...(settings.handoff.byAgent ? [handOffTool(handoff, trace)] : []),
      ],
    },
    found,
    handoff,
    answersThrough: Math.max(turn.conversation.answeredThrough, ...questions.map((message) => message.sequence)),
  }
}

async function searchKnowledge(ctx: PipelineContext, turn: Turn, query: string): Promise<SearchResponse | undefined> {
  const { spaceIds } = turn.agent
  if (spaceIds.length === 0 || query.trim() === '') return undefined
  return ctx.read(turn.organizationId, (store) =>
    ctx.services.retrieval.search(store, { spaceIds, query, limit: PASSAGES, tokenBudget: PASSAGE_TOKENS }),
  )
}

/** A found chunk as the model gets it. */
function toPassage(result: SearchResult): Passage {
  const { source, page } = result.metadata
  return { id: result.id, source, page, text: result.content, score: result.score }
}

/** Making one costs more than everything else about a reply; there are few time zones. */
const clocks = new Map<string, Intl.DateTimeFormat>()

/** Models do not know the date; questions about opening hours and deadlines need it. */
function moment(now: Date, timeZone: string): string {
  const clock =
    clocks.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone })
  clocks.set(timeZone, clock)
  return `It is ${clock.format(now)} (${timeZone}).`
}

/**
 * The conversation as the model reads it, what waits for an answer last. Without what never reached the customer.
 * A message may have come in while an earlier one was being answered: it then stands before that answer in the
 * table, and after it here.
 */
export function toChat(history: HistoryMessage[], questions: HistoryMessage[]): ChatMessage[] {
  const waiting = new Set(questions)
  const earlier = history.filter(
    (message) =>
      !waiting.has(message) && message.author !== 'system' && isSpoken(message) && message.text.trim() !== '',
  )
  const chat = merge([...earlier, ...questions])
  let left = HISTORY_CHARACTERS
  const first = chat.findLastIndex((message) => {
    left -= message.text.length
    return left < 0
  })
  return chat.slice(Math.min(first + 1, chat.length - 1))
}

function isSpoken(message: HistoryMessage): boolean {
  return message.status === 'complete' || message.status === 'stopped'
}

/** One entry for each change of speaker: some providers refuse two in a row. What people said meanwhile is data to the model. */
function merge(messages: HistoryMessage[]): ChatMessage[] {
  return messages.reduce<ChatMessage[]>((chat, { author, text }, at) => {
    const last = chat.at(-1)
    if (last && messages[at - 1]?.author === author) last.text = `${last.text}\n\n${text}`
    else chat.push({ role: author === 'agent' ? 'assistant' : 'user', text })
    return chat
  }, [])
}
