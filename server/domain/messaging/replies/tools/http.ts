// HTTP tools of an agent while it answers: the model gives the arguments that its schema names, and the server adds those that are bound to
// the customer.
import { argumentsSchema, schemaOf } from '#server/domain/tools/arguments.rules.ts'
import { callTool, NOTHING } from '#server/domain/tools/call.ts'
import { type CallableTool, listCallable, noteOutcome, takeOne } from '#server/domain/tools/tools.store.ts'
import type { Tool } from '#server/integrations/llm/tool.ts'
import { BAD_FORM, ToolRefused } from '#server/integrations/llm/tool-refusal.ts'
import type { BoundSource, ToolArguments } from '#shared/tools/tools.ts'
import type { PipelineContext } from '../../turns/pipeline-context.ts'
import { isTest } from '../../turns/rehearsal.rules.ts'
import type { TraceRecorder } from '../../turns/trace.ts'
import type { Turn } from '../../turns/turn.ts'
import { findBoundValues } from './bound-values.store.ts'

/** What the server knows of the customer of a turn; a source is missing where it is unknown. */
type Known = Partial<Record<BoundSource, string>>

const NO_MORE = 'Not carried out: this tool is used up'

/** The agent's tools, for one try at a turn; none where it has none, without a read. */
export async function openHttpTools(ctx: PipelineContext, turn: Turn, trace: TraceRecorder): Promise<Tool[]> {
  const { organizationId, agent } = turn
  const ids = agent.settings.functions.tools
  if (ids.length === 0) return []
  const tools = await ctx.read(organizationId, (store) => listCallable(store, ids))
  let known: Promise<Known> | undefined
  const valuesOf = () => {
    known ??= ctx.read(organizationId, (store) => findBoundValues(store, turn.conversationId))
    return known
  }
  return tools.map((tool) => httpTool({ ctx, turn, trace, tool, valuesOf }))
}

type Parts = {
  ctx: PipelineContext
  turn: Turn
  trace: TraceRecorder
  tool: CallableTool
  /** Asked once, when the first call needs it. */
  valuesOf: () => Promise<Known>
}

function httpTool({ ctx, turn, trace, tool, valuesOf }: Parts): Tool {
  const check = argumentsSchema(tool.parameters)
  const { organizationId } = turn
  let used = 0
  return {
    name: tool.name,
    description: tool.description,
    parameters: schemaOf(tool.parameters),
    async run(given, signal) {
      const parsed = check.safeParse(given)
      if (!parsed.success) throw new ToolRefused('bad_arguments', BAD_FORM)
      const bound = await boundArguments(tool, turn, valuesOf)
      if (!bound) throw new ToolRefused('customer_unknown', 'Not carried out: the customer is not known well enough.')
      if (used >= tool.perTurn) throw new ToolRefused('tool_turn_limit', `${NO_MORE} for this answer.`)
      used += 1
      const isLeft = await ctx.organization(organizationId, (store) => takeOne(store, tool.id, tool.perDay))
      if (!isLeft) throw new ToolRefused('tool_day_limit', `${NO_MORE} for today.`)
      const values = { ...named(parsed.data, tool), ...bound }
      const { failure, status, result, durationMs } = await callTool(ctx.services, tool, values, signal)
      await ctx.organization(organizationId, (store) => noteOutcome(store, tool.id, failure))
      trace.tool({
        ...{ name: tool.name, arguments: given, result, durationMs },
        ...{ hasFailed: failure !== null, hasFound: failure === null && result !== NOTHING },
        http: { host: hostOf(tool.url), status, failure, bound: Object.keys(bound) },
      })
      return result
    },
  }
}

/** Only what the schema names is sent. */
function named(given: unknown, { parameters }: CallableTool): ToolArguments {
  const all = given as ToolArguments
  const names = Object.keys(parameters.properties).filter((name) => Object.hasOwn(all, name))
  return Object.fromEntries(names.map((name) => [name, all[name] as ToolArguments[string]]))
}

/** Null where one of them is unknown. In the test chat there is no customer: those of the tool's last trial stand for them. */
async function boundArguments(
  { bound, example }: CallableTool,
  turn: Turn,
  valuesOf: Parts['valuesOf'],
): Promise<Record<string, string> | null> {
  if (bound.length === 0) return {}
  const known = isTest(turn) ? {} : await valuesOf()
  const pairs = bound.map(({ argument, from }) => {
    return [argument, isTest(turn) ? example?.bound[argument] : known[from]] as const
  })
  const whole = pairs.filter((pair): pair is readonly [string, string] => Boolean(pair[1]))
  return whole.length === pairs.length ? Object.fromEntries(whole) : null
}

function hostOf(url: string): string {
  return /^https?:\/\/([^/?#]+)/i.exec(url)?.[1]?.toLowerCase() ?? ''
}
