// HTTP tools of an agent while it answers: the model gives the arguments that its schema names, and the server adds those that are bound to
// the customer.
import type { AskedTool } from '#server/domain/tools/approvals.store.ts'
import { argumentsSchema, schemaOf } from '#server/domain/tools/arguments.rules.ts'
import { callTool, NOTHING } from '#server/domain/tools/call.ts'
import { type CallableTool, listCallable, noteOutcome, takeOne } from '#server/domain/tools/tools.store.ts'
import type { Tool } from '#server/integrations/llm/tool.ts'
import { BAD_FORM, ToolRefused } from '#server/integrations/llm/tool-refusal.ts'
import type { BoundSource, ToolArguments } from '#shared/tools/tools.ts'
import { wholeArguments } from '../../approvals/bound-arguments.ts'
import { hostOf } from '../../approvals/carry-out.ts'
import type { TurnApprovals } from '../../approvals/settle.ts'
import { findBoundValues } from '../../customers/bound-values.store.ts'
import type { AnsweringContext } from '../../turns/pipeline-context.ts'
import { isTest } from '../../turns/rehearsal.rules.ts'
import type { TraceRecorder } from '../../turns/trace.ts'
import type { Turn } from '../../turns/turn.ts'
import { type AddedParts, askFor, withAsking } from './ask.ts'
import { type StandIn, standInResult } from './stand-in.ts'

/** What the server knows of the customer of a turn; a source is missing where it is unknown. */
type Known = Partial<Record<BoundSource, string>>

const NO_MORE = 'Not carried out: this tool is used up'

/** The agent's tools, for one try at a turn; none where it has none, without a read. `approvals` null: nothing can be asked for. */
export async function openHttpTools(
  ctx: AnsweringContext,
  turn: Turn,
  { trace, approvals, standIn }: AddedParts,
): Promise<Tool[]> {
  const { organizationId, agent } = turn
  const ids = agent.settings.functions.tools
  if (ids.length === 0) return []
  const tools = await ctx.read(organizationId, (store) => listCallable(store, ids))
  let known: Promise<Known> | undefined
  const valuesOf = async () => {
    if (standIn) return standIn.customer
    known ??= ctx.read(organizationId, (store) => findBoundValues(store, turn.conversationId))
    return known
  }
  const offered = tools.filter(({ approval }) => approval === 'none' || approvals !== null || isTest(turn))
  if (approvals && offered.some(({ approval }) => approval !== 'none')) approvals.mayAsk = true
  return offered.map((tool) => httpTool({ ctx, turn, trace, tool, valuesOf, approvals, standIn }))
}

type Parts = {
  ctx: AnsweringContext
  turn: Turn
  trace: TraceRecorder
  tool: CallableTool
  /** Asked once, when the first call needs it. */
  valuesOf: () => Promise<Known>
  approvals: TurnApprovals | null
  standIn: StandIn | undefined
}

function httpTool(parts: Parts): Tool {
  const { tool } = parts
  const check = argumentsSchema(tool.parameters)
  let used = 0
  return {
    name: tool.name,
    description: withAsking(tool.description, tool.approval),
    parameters: schemaOf(tool.parameters),
    async run(given, signal) {
      const parsed = check.safeParse(given)
      if (!parsed.success) throw new ToolRefused('bad_arguments', BAD_FORM)
      const bound = await boundArguments(parts)
      if (!bound) throw new ToolRefused('customer_unknown', 'Not carried out: the customer is not known well enough.')
      if (used >= tool.perTurn) throw new ToolRefused('tool_turn_limit', `${NO_MORE} for this answer.`)
      used += 1
      const own = named(parsed.data, tool)
      return tool.approval === 'none'
        ? call(parts, { own, bound, given, signal })
        : askFor(parts, tool.approval, askedOf(tool), own)
    },
  }
}

function askedOf({ id, name, title, version }: CallableTool): AskedTool {
  return { kind: 'http', id, version, name, title }
}

type Given = { own: ToolArguments; bound: Record<string, string>; given: unknown; signal: AbortSignal }

async function call(parts: Parts, { own, bound, given, signal }: Given): Promise<unknown> {
  const { trace, tool, standIn } = parts
  const whole = { ...own, ...bound }
  const made = standIn ? standInResult(standIn, 'http') : await callOutside(parts, whole, signal)
  const { failure, status, result, durationMs } = made
  trace.tool({
    ...{ name: tool.name, arguments: given, result, durationMs },
    ...{ hasFailed: failure !== null, hasFound: failure === null && result !== NOTHING },
    http: { host: hostOf(tool.url), status, failure, bound: Object.keys(bound) },
  })
  return result
}

async function callOutside({ ctx, turn, tool }: Parts, given: ToolArguments, signal: AbortSignal) {
  const { organizationId } = turn
  const isLeft = await ctx.organization(organizationId, (store) => takeOne(store, tool.id, tool.perDay))
  if (!isLeft) throw new ToolRefused('tool_day_limit', `${NO_MORE} for today.`)
  const called = await callTool(ctx.services, tool, given, signal)
  await ctx.organization(organizationId, (store) => noteOutcome(store, tool.id, called.failure))
  return called
}

/** Only what the schema names is sent. */
function named(given: unknown, { parameters }: CallableTool): ToolArguments {
  const all = given as ToolArguments
  const names = Object.keys(parameters.properties).filter((name) => Object.hasOwn(all, name))
  return Object.fromEntries(names.map((name) => [name, all[name] as ToolArguments[string]]))
}

/** Null where one of them is unknown. In the test chat there is no customer: those of the tool's last trial stand for them. */
async function boundArguments({ tool, turn, valuesOf, standIn }: Parts): Promise<Record<string, string> | null> {
  if (tool.bound.length === 0) return {}
  if (standIn || !isTest(turn)) return wholeArguments(tool, await valuesOf())
  const example = tool.bound.map(({ argument, from }) => [from, tool.example?.bound[argument]] as const)
  return wholeArguments(tool, Object.fromEntries(example))
}
