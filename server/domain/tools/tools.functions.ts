// HTTP tools of an organization: made, changed, tried. On the wire: tools.
import type { OrgMutationContext } from '#server/functions/context.ts'
import { orgAction, orgMutation, orgQuery } from '#server/functions/define.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { noArgs } from '#shared/schema.ts'
import { HTTP_TOOLS_MAX } from '#shared/tools/limits.ts'
import { problemsOf } from '#shared/tools/tool-rules.ts'
import {
  createToolInput,
  type ToolDefinition,
  type ToolExample,
  testToolInput,
  toolInput,
  updateToolInput,
} from '#shared/tools/tools.ts'
import { argumentsSchema } from './arguments.rules.ts'
import { callTool } from './call.ts'
import * as store from './tools.store.ts'
import { listKnownSecrets } from './vault.store.ts'

/** Characters of a result that a trial keeps. */
const EXAMPLE_KEPT = 4000

/** All tools, with how they do. */
export const list = orgQuery({ args: noArgs, handler: (ctx) => store.listTools(ctx) })

/** Makes a tool. Agents have it when it is switched on for them. @throws too_many_tools, tool_invalid, tool_name_taken */
export const create = orgMutation({
  args: createToolInput,
  isAudited: true,
  handler: async (ctx, { tool }): Promise<{ toolId: Id<'httpTools'> }> => {
    await assertSound(ctx, tool)
    if ((await store.countTools(ctx)) >= HTTP_TOOLS_MAX) throw new AppError('too_many_tools', { max: HTTP_TOOLS_MAX })
    const toolId = newId('httpTools')
    await store.insertTool(ctx, toolId, tool, ctx.now)
    await ctx.audit({ resource: resourceOf(toolId, tool), after: summaryOf(tool) })
    return { toolId }
  },
})

/** Replaces a tool, for all agents that have it. @throws not_found, tool_invalid, tool_name_taken */
export const update = orgMutation({
  args: updateToolInput,
  isAudited: true,
  handler: async (ctx, { toolId, tool }) => {
    const before = await store.getDefinition(ctx, toolId)
    await assertSound(ctx, tool)
    await store.updateTool(ctx, toolId, tool, ctx.now)
    await ctx.audit({ resource: resourceOf(toolId, tool), before: summaryOf(before), after: summaryOf(tool) })
    return null
  },
})

/** @throws not_found */
export const remove = orgMutation({
  args: toolInput,
  isAudited: true,
  handler: async (ctx, { toolId }) => {
    const tool = await store.deleteTool(ctx, toolId)
    await ctx.audit({ resource: resourceOf(toolId, tool), before: summaryOf(tool) })
    return null
  },
})

/** Calls the service as an agent would, and keeps what came as the example. It counts for no limit. @throws not_found, invalid_arguments */
export const test = orgAction({
  args: testToolInput,
  handler: async (ctx, { toolId, arguments: given, bound }): Promise<ToolExample> => {
    const [tool] = await ctx.read((read) => store.listCallable(read, [toolId]))
    if (!tool) throw new AppError('not_found')
    const parsed = argumentsSchema(tool.parameters).safeParse(given)
    const isBound = tool.bound.every(({ argument }) => bound[argument] !== undefined)
    if (!parsed.success || !isBound) throw new AppError('invalid_arguments', { issues: [] })
    const own = Object.fromEntries(tool.bound.map(({ argument }) => [argument, bound[argument] ?? '']))
    const { result, ...outcome } = await callTool(ctx.services, tool, { ...given, ...own }, ctx.signal)
    const text = typeof result === 'string' ? result : JSON.stringify(result)
    const example = {
      ...{ at: ctx.now.getTime(), arguments: given, bound: own },
      ...{ ...outcome, result: text.slice(0, EXAMPLE_KEPT).toWellFormed() },
    }
    await ctx.write((write) => store.keepExample(write, toolId, example))
    return example
  },
})

async function assertSound(ctx: OrgMutationContext, tool: ToolDefinition): Promise<void> {
  const [problem] = problemsOf(tool)
  if (problem) throw new AppError('tool_invalid', { problem })
  const secretIds = tool.headers.flatMap(({ secretId }) => secretId ?? [])
  const known = await listKnownSecrets(ctx, secretIds)
  if (secretIds.some((id) => !known.includes(id))) throw new AppError('not_found')
}

function resourceOf(id: string, { name }: ToolDefinition) {
  return { kind: 'tool', id, name }
}

/** What the audit trail has of a tool: where it calls and by which rules, not the texts for the model. */
function summaryOf({ method, url, headers, bound, perTurn, perDay }: ToolDefinition) {
  const sends = headers.map(({ name }) => name)
  return { method, url, sends, bound: bound.map(({ argument, from }) => `${argument}: ${from}`), perTurn, perDay }
}
