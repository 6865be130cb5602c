// HTTP tools of an agent while it answers: the model gives the arguments that its schema names, and the server adds those that are bound to
// the customer.
import { isDeepStrictEqual } from 'node:util'
import type { AskedCall } from '#server/domain/tools/approvals.store.ts'
import { argumentsSchema, schemaOf } from '#server/domain/tools/arguments.rules.ts'
import { callTool, NOTHING } from '#server/domain/tools/call.ts'
import { type CallableTool, listCallable, noteOutcome, takeOne } from '#server/domain/tools/tools.store.ts'
import type { Tool } from '#server/integrations/llm/tool.ts'
import { BAD_FORM, ToolRefused } from '#server/integrations/llm/tool-refusal.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { APPROVALS_MAX, type ApprovalBy } from '#shared/tools/approvals.ts'
import type { BoundSource, ToolArguments } from '#shared/tools/tools.ts'
import { wholeArguments } from '../../approvals/bound-arguments.ts'
import { hostOf, type TurnApprovals } from '../../approvals/settle.ts'
import { findBoundValues } from '../../customers/bound-values.store.ts'
import type { PipelineContext } from '../../turns/pipeline-context.ts'
import { isTest } from '../../turns/rehearsal.rules.ts'
import type { TraceRecorder } from '../../turns/trace.ts'
import type { Turn } from '../../turns/turn.ts'

/** What the server knows of the customer of a turn; a source is missing where it is unknown. */
type Known = Partial<Record<BoundSource, string>>

const NO_MORE = 'Not carried out: this tool is used up'

/** The agent's tools, for one try at a turn; none where it has none, without a read. `approvals` null: nothing can be asked for. */
export async function openHttpTools(
  ctx: PipelineContext,
  turn: Turn,
  { trace, approvals }: { trace: TraceRecorder; approvals: TurnApprovals | null },
): Promise<Tool[]> {
  const { organizationId, agent } = turn
  const ids = agent.settings.functions.tools
  if (ids.length === 0) return []
  const tools = await ctx.read(organizationId, (store) => listCallable(store, ids))
  let known: Promise<Known> | undefined
  const valuesOf = () => {
    known ??= ctx.read(organizationId, (store) => findBoundValues(store, turn.conversationId))
    return known
  }
  const offered = tools.filter(({ approval }) => approval === 'none' || approvals !== null || isTest(turn))
  return offered.map((tool) => httpTool({ ctx, turn, trace, tool, valuesOf, approvals }))
}

type Parts = {
  ctx: PipelineContext
  turn: Turn
  trace: TraceRecorder
  tool: CallableTool
  /** Asked once, when the first call needs it. */
  valuesOf: () => Promise<Known>
  approvals: TurnApprovals | null
}

function httpTool(parts: Parts): Tool {
  const { turn, tool, valuesOf } = parts
  const check = argumentsSchema(tool.parameters)
  let used = 0
  return {
    name: tool.name,
    description: tool.approval === 'none' ? tool.description : `${tool.description}\n${ASKS[tool.approval]}`,
    parameters: schemaOf(tool.parameters),
    async run(given, signal) {
      const parsed = check.safeParse(given)
      if (!parsed.success) throw new ToolRefused('bad_arguments', BAD_FORM)
      const bound = await boundArguments(tool, turn, valuesOf)
      if (!bound) throw new ToolRefused('customer_unknown', 'Not carried out: the customer is not known well enough.')
      if (used >= tool.perTurn) throw new ToolRefused('tool_turn_limit', `${NO_MORE} for this answer.`)
      used += 1
      const own = named(parsed.data, tool)
      return tool.approval === 'none' ? call(parts, { own, bound, given, signal }) : ask(parts, tool.approval, own)
    },
  }
}

type Given = { own: ToolArguments; bound: Record<string, string>; given: unknown; signal: AbortSignal }

async function call({ ctx, turn, trace, tool }: Parts, { own, bound, given, signal }: Given): Promise<unknown> {
  const { organizationId } = turn
  const isLeft = await ctx.organization(organizationId, (store) => takeOne(store, tool.id, tool.perDay))
  if (!isLeft) throw new ToolRefused('tool_day_limit', `${NO_MORE} for today.`)
  const { failure, status, result, durationMs } = await callTool(ctx.services, tool, { ...own, ...bound }, signal)
  await ctx.organization(organizationId, (store) => noteOutcome(store, tool.id, failure))
  trace.tool({
    ...{ name: tool.name, arguments: given, result, durationMs },
    ...{ hasFailed: failure !== null, hasFound: failure === null && result !== NOTHING },
    http: { host: hostOf(tool.url), status, failure, bound: Object.keys(bound) },
  })
  return result
}

/** Asks for a call that changes something. It is written down together with the answer, and goes out with it or not at all. */
function ask({ trace, tool, approvals }: Parts, by: ApprovalBy, own: ToolArguments): string {
  if (!approvals) throw new ToolRefused('not_in_test', 'Not carried out: in a test nothing is changed. Say so.')
  const { asked, recent } = approvals
  const waiting = recent.filter(({ status }) => status === 'waiting')
  const isSame = (each: AskedCall) => each.tool.id === tool.id && isDeepStrictEqual(each.arguments, own)
  if ([...waiting.filter((each) => each.by === by), ...asked].some(isSame)) return ASKED_BEFORE
  const isFull = asked.length + waiting.length >= APPROVALS_MAX
  if (isFull || (by === 'customer' && asked.some((each) => each.by === by)))
    throw new ToolRefused('approval_limit', 'Not carried out: too much waits already. One thing at a time.')
  const { id, name, title, version } = tool
  asked.push({ id: newId('toolApprovals'), by, tool: { kind: 'http', id, version, name, title }, arguments: own })
  trace.tool({ name, arguments: own, result: ASKED[by], hasFailed: false, durationMs: 0, asked: by })
  return ASKED[by]
}

const ASKS: Record<ApprovalBy, string> = {
  customer: 'It changes something: calling it only asks the customer to confirm.',
  operator: 'It changes something: calling it only asks a colleague to approve.',
}
const ASKED: Record<ApprovalBy, string> = {
  customer:
    'Not carried out. The customer is asked to confirm, in words of the system, below your answer. Write one short sentence before it.',
  operator:
    'Not carried out. A colleague is asked to approve it; the customer hears from us then. Say that it has been passed on and is not done yet.',
}
const ASKED_BEFORE = 'Not carried out: the very same is asked for already, and waits.'

/** Only what the schema names is sent. */
function named(given: unknown, { parameters }: CallableTool): ToolArguments {
  const all = given as ToolArguments
  const names = Object.keys(parameters.properties).filter((name) => Object.hasOwn(all, name))
  return Object.fromEntries(names.map((name) => [name, all[name] as ToolArguments[string]]))
}

/** Null where one of them is unknown. In the test chat there is no customer: those of the tool's last trial stand for them. */
async function boundArguments(
  tool: CallableTool,
  turn: Turn,
  valuesOf: Parts['valuesOf'],
): Promise<Record<string, string> | null> {
  if (tool.bound.length === 0) return {}
  if (!isTest(turn)) return wholeArguments(tool, await valuesOf())
  const example = tool.bound.map(({ argument, from }) => [from, tool.example?.bound[argument]] as const)
  return wholeArguments(tool, Object.fromEntries(example))
}
