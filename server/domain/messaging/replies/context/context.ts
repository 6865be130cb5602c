// Builds the model's context for one turn: instructions, date and time, the conversation within limits, and knowledge as data.
import type { Read } from '#server/domain/knowledge/spaces/search.full.ts'
import { joined, templateFor } from '#server/domain/prompt-template/instructions.ts'
import type { ChatMessage, DataBlock, GenerateRequest, Passage } from '#server/integrations/llm/llm.ts'
import { describePrompt } from '#server/integrations/llm/prompt.ts'
import type { Tool } from '#server/integrations/llm/tool.ts'
import { partyOfOrganization } from '#server/platform/lib/scheduling/fair-scheduler.ts'
import { DEFAULT_CALENDAR_SETTINGS } from '#shared/integrations/calendar.ts'
import type { SearchResponse, SearchResult } from '#shared/knowledge/knowledge.ts'
import { approvalBlocks, WITH_APPROVALS } from '../../approvals/approval-words.rules.ts'
import type { TurnApprovals } from '../../approvals/settle.ts'
import { followUpInstruction, SILENCE } from '../../follow-ups/follow-up.rules.ts'
import { type HandoffCall, handOffTool } from '../../handoff/hand-off-tool.ts'
import { isTakenUpAgain, withReturn } from '../../handoff/handoff.return.ts'
import { withHumanStretches } from '../../handoff/handoff.stretch.ts'
import type { AnsweringContext } from '../../turns/pipeline-context.ts'
import { momentOf } from '../../turns/rehearsal.rules.ts'
import type { TraceRecorder } from '../../turns/trace.ts'
import { unanswered } from '../../turns/turn.rules.ts'
import type { Turn } from '../../turns/turn.ts'
import type { ReplyContext } from '../answer.ts'
import { withOffers } from '../choices.rules.ts'
import { withAnsweredCommands } from '../command-context.ts'
import { givenEvidence, noting } from '../guards/grounding.ts'
import { withoutPassedOver } from '../guards/guards.rules.ts'
import { openAddedTools } from '../tools/added.ts'
import { withCalendar } from '../tools/calendar.rules.ts'
import { mayBook, openCalendar } from '../tools/calendar-access.ts'
import { knowledgeTool } from '../tools/knowledge.ts'
import { type Offer, offerChoicesTool } from '../tools/offer-choices.ts'
import type { StandIn } from '../tools/stand-in.ts'
import { openTables } from '../tools/table-access.ts'
import { toolBudgetOf } from '../tools/tool-calls.ts'
import { openWeb } from '../tools/web-access.ts'
import { fitConversation, recallDropped, toChat } from './context.rules.ts'
import { withOpenings } from './opening.rules.ts'
import { speakerNames, withQuotes } from './quotes.rules.ts'
import { searchedPart, searchKnowledge } from './search-knowledge.ts'

const UNSEARCHED: Pick<SearchResponse, 'results' | 'isWeak'> = { results: [], isWeak: true }

/** The calendar of the agent wants a person's consent again: a time that is promised now is kept nowhere. */
const WITHOUT_CALENDAR = `The calendar in which you book appointments is disconnected at the moment. You cannot see free times and cannot book, move or cancel an appointment.
When a customer asks for one, say plainly that you cannot book it right now. Never offer, promise or confirm a time. Offer to pass the wish on to a colleague.`

/** `approvals` null: nothing can be asked for. `standIn` missing: knowledge, services and the web are the agent's own. */
type Making = { trace: TraceRecorder; now: Date; approvals?: TurnApprovals | null; standIn?: StandIn }

/** Builds the context. Knowledge is searched once here, and again whenever the model asks. */
export async function buildContext(
  ctx: AnsweringContext,
  given: Turn,
  { trace, now, approvals = null, standIn }: Making,
): Promise<ReplyContext> {
  const turn = {
    ...given,
    history: withQuotes(withOpenings({ ...given, history: withOffers(withAnsweredCommands(given)) })),
  }
  const questions = unanswered(turn)
  const { settings } = turn.agent
  const found = new Map<string, SearchResult>()
  const search = async (query: string, conversation: ChatMessage[] | null = null) => {
    const response = await (standIn?.search(query) ?? searchKnowledge(ctx, turn, query, conversation))
    for (const result of response?.results ?? []) found.set(result.id, result)
    if (response) trace.search(query, response)
    return response
  }
  const query = searchedPart(questions.map(({ subject, text }) => subject ?? text).join('\n'))
  const knowledge = await search(query, toChat(turn.history)).catch((error) => withoutKnowledge(ctx, turn, error))
  const instruction = followUpInstruction(turn)
  const { messages, data, ...left } = readConversation(turn, questions, now)
  if (instruction) messages.push({ role: 'user', text: SILENCE })
  const [handoff, offer]: [HandoffCall, Offer] = [{ request: null }, { choices: [] }]
  const tables = await openTables(searchingOf(ctx, turn), turn.agent, trace, { now, question: query })
  if (tables.block) data.push(tables.block)
  const web = await openWeb(ctx, turn, { trace, standIn })
  const buttons = settings.choices.isOn && !instruction ? offer : null
  const calendar = await openCalendar(ctx, turn, trace, { offer: buttons, question: query })
  data.push(...calendar.blocks, ...approvalBlocks(approvals?.recent ?? []))
  const added = await openAddedTools(ctx, turn, { trace, approvals, standIn })
  const system = instructionsOf(turn, instruction ?? '', approvals)
  const request = {
    model: settings.model,
    temperature: settings.temperature,
    system,
    moment: moment(momentOf(turn, now.getTime()), turn.timeZone),
    messages,
    language: turn.limits.language,
    data,
    passages: (knowledge?.results ?? []).map(toPassage),
    ...(tables.offered && { tables: tables.offered }),
    isWeakEvidence: knowledge?.isWeak ?? false,
    whenWeak: whenWeak(turn),
    toolBudget: toolBudgetOf(ctx, turn, trace),
    tools: toolsOf(turn, { search: (query) => search(query), trace }, [
      ...tables.tools,
      ...web.tools,
      ...added,
      ...(instruction ? [] : [...calendar.tools, ...talkTools(turn, { handoff, offer }, trace)]),
    ]),
  }
  const evidence = givenEvidence(turn, request)
  request.tools = request.tools.map((tool) => noting(tool, evidence))
  trace.prompt({
    parts: describePrompt(request),
    tools: request.tools.map(({ name }) => name),
    ...{ temperature: settings.temperature, ...left, ...begunAnew(turn) },
    ...(turn.template && { template: turn.template.number }),
  })
  return {
    ...{ request, found, evidence, handoff, offer, approvals },
    usedTables: tables.used,
    foundPages: web.found,
    answersThrough: Math.max(turn.conversation.answeredThrough, ...questions.map((message) => message.sequence)),
  }
}

/** An answer without knowledge is better than none; the model is informed that nothing was found. */
function withoutKnowledge(ctx: AnsweringContext, { turnId }: Turn, error: unknown) {
  ctx.logger.error({ err: error, turnId }, 'knowledge was not searched')
  return UNSEARCHED
}

/** The installation's instructions, the agent's own, and those for a follow-up. */
function instructionsOf(turn: Turn, instruction: string, approvals: TurnApprovals | null): string {
  const { agent, organizationName: organization = '', conversation } = turn
  const template = templateFor(turn.template, { agent: agent.name, organization, channel: conversation.channel })
  const asking = approvals && (approvals.mayAsk || approvals.recent.length > 0) ? WITH_APPROVALS : ''
  return joined(template, agent.settings.systemPrompt, instruction, calendarInstruction(turn), asking)
}

/** Nothing for an agent that was never connected to a calendar or does without it, and in the test chat, where nothing is booked. */
function calendarInstruction(turn: Turn): string {
  const { lacksCalendar, reminders, settings } = turn.agent
  if (lacksCalendar && !settings.functions.off.includes('calendar')) return WITHOUT_CALENDAR
  return mayBook(turn) ? withCalendar(reminders ?? DEFAULT_CALENDAR_SETTINGS.customerReminders) : ''
}

/** Reads of tables, with a limit on parallel reads per organization. */
function searchingOf(ctx: AnsweringContext, { organizationId }: Turn): Read {
  return (run) => ctx.services.searches.run(partyOfOrganization(organizationId), () => ctx.read(organizationId, run))
}

/** The conversation within the agent's limits, and what replaces the rest of it. */
function readConversation(turn: Turn, questions: Turn['history'], now: Date) {
  const { conversation, agent, history } = turn
  const visible = withHumanStretches(withoutPassedOver(history, agent.settings.guards.questions), conversation)
  const { kept, dropped } = fitConversation(visible, questions, agent.settings.context, now.getTime())
  const summary = recallDropped(dropped, conversation)
  const unread = Math.max(0, conversation.messageCount - history.length)
  const messages = toChat(withReturn(kept, questions.length, conversation))
  return { messages, data: notes(turn, summary), summary, droppedMessages: dropped.length + unread }
}

/** The silence that ended the previous topic, for the trace. */
function begunAnew({ sessionFrom, connection }: Turn): { newAfterMinutes?: number } {
  const minutes = connection?.settings?.sessionMinutes
  return sessionFrom !== undefined && minutes ? { newAfterMinutes: minutes } : {}
}

/** Data that accompanies the conversation. Untrusted: even a name noted by the team may hold what a customer wrote. */
function notes({ conversation, history }: Turn, summary: string | null): DataBlock[] {
  const name = conversation.customerName?.trim()
  return [
    ...(name ? [{ title: 'Name of the customer', text: name }] : []),
    ...speakerNames(history),
    ...(summary ? [{ title: 'What was said earlier in this conversation, in short', text: summary }] : []),
  ]
}

/** Tools by which the model does more than answer; none for follow-ups. */
function talkTools(
  turn: Turn,
  { handoff, offer }: { handoff: HandoffCall; offer: Offer },
  trace: TraceRecorder,
): Tool[] {
  return [
    ...(mayHandOff(turn) ? [handOffTool(handoff, trace)] : []),
    ...(turn.agent.settings.choices.isOn ? [offerChoicesTool(offer, trace)] : []),
  ]
}

/** The handoff tool: by the model's own judgement, or instead of a guess; not for what it has handed over already. */
function mayHandOff(turn: Turn): boolean {
  const { handoff, evidence } = turn.agent.settings
  return (handoff.byAgent || evidence.whenWeak === 'handoff') && !isTakenUpAgain(turn)
}

function whenWeak(turn: Turn): GenerateRequest['whenWeak'] {
  const wanted = turn.agent.settings.evidence.whenWeak
  return wanted === 'answer' || (wanted === 'handoff' && !mayHandOff(turn)) ? undefined : wanted
}

type Search = (query: string) => Promise<SearchResponse | undefined>

/** The knowledge search tool has the agent's own name for it, unless another tool has that name. */
function toolsOf({ agent }: Turn, { search, trace }: { search: Search; trace: TraceRecorder }, others: Tool[]): Tool[] {
  if (agent.spaceIds.length === 0 || agent.settings.functions.off.includes('knowledge')) return others
  const { name, description } = agent.settings.knowledgeTool
  const isTaken = others.some((tool) => tool.name === name)
  return [knowledgeTool(search, { name: isTaken ? '' : name, description }, trace), ...others]
}

/** A found chunk with its headings: "delivery costs 500" means little without the town in the heading above it. */
export function toPassage({ id, content, score, scores, metadata }: SearchResult): Passage {
  const { source, page, lastPage, headingPath } = metadata
  const text = headingPath.length > 0 ? `# ${headingPath.join(' › ')}:\n${content}` : content
  return { id, source, page, lastPage, text, score, ...(scores.meaning === 1 && { isNear: true }) }
}

/** Cached: creating a formatter is the most expensive step of a reply, and there are few time zones. */
const clocks = new Map<string, Intl.DateTimeFormat>()

/** The date and time for the model, for questions about opening hours and deadlines. */
export function moment(now: number, timeZone: string): string {
  const clock =
    clocks.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone })
  clocks.set(timeZone, clock)
  return `It is ${clock.format(now)} (${timeZone}).`
}
