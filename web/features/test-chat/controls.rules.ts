// What a tester has set in the control panel: a flat list that a link can carry, and the overrides that it stands for.
import * as z from 'zod/mini'
import type { Agent } from '#shared/agents/agents.ts'
import { CHANNEL_NAMES } from '#shared/channels/manifests.ts'
import type { Id } from '#shared/ids.ts'
import { SYSTEM_PROMPT_MAX, TEMPERATURE_MAX, TEMPERATURE_MIN } from '#shared/limits.ts'
import type { TestOverrides } from '#shared/messaging/test-chat.ts'
import { AGENT_MCP_TOOLS_MAX, HTTP_TOOLS_MAX } from '#shared/tools/limits.ts'

/** A value that is missing or not understood changes nothing. */
function lenient<Value>(schema: z.ZodMiniType<Value>) {
  return z.catch(z.optional(schema), undefined)
}

const controlsSchema = z.object({
  model: lenient(z.string().check(z.minLength(1), z.maxLength(200))),
  temperature: lenient(z.number().check(z.minimum(TEMPERATURE_MIN), z.maximum(TEMPERATURE_MAX))),
  systemPrompt: lenient(z.string().check(z.maxLength(SYSTEM_PROMPT_MAX))),
  knowledge: lenient(z.boolean()),
  spaces: lenient(z.array(z.string().check(z.minLength(1), z.maxLength(64))).check(z.maxLength(100))),
  applyRules: lenient(z.boolean()),
  channel: lenient(z.enum(CHANNEL_NAMES)),
  byParagraphs: lenient(z.boolean()),
  /** Milliseconds since the epoch. */
  at: lenient(z.number().check(z.int(), z.minimum(0), z.maximum(8_640_000_000_000_000))),
  name: lenient(z.string().check(z.minLength(1), z.maxLength(200))),
  language: lenient(z.string().check(z.regex(/^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/))),
  maxMessages: lenient(z.number().check(z.int(), z.minimum(1), z.maximum(500))),
  maxTokens: lenient(z.number().check(z.int(), z.minimum(500), z.maximum(200_000))),
  webSearch: lenient(z.boolean()),
  tables: lenient(z.boolean()),
  choices: lenient(z.boolean()),
  byAgent: lenient(z.boolean()),
  /** Tools of the organization that the agent has for the next answers. */
  httpTools: lenient(z.array(z.string().check(z.minLength(1), z.maxLength(64))).check(z.maxLength(HTTP_TOOLS_MAX))),
  /** The same of MCP servers. */
  mcpTools: lenient(z.array(z.string().check(z.minLength(1), z.maxLength(64))).check(z.maxLength(AGENT_MCP_TOOLS_MAX))),
})

/** What is set; what is missing is as the agent has it. */
export type Controls = Partial<{
  [Key in keyof z.infer<typeof controlsSchema>]: NonNullable<z.infer<typeof controlsSchema>[Key]>
}>
export type ControlKey = keyof Controls
export type ControlGroup = 'model' | 'knowledge' | 'runtime' | 'automations'

/** Which control stands in which group of the panel. */
export const CONTROLS_OF: Record<ControlGroup, readonly ControlKey[]> = {
  model: ['model', 'temperature', 'systemPrompt'],
  knowledge: ['knowledge', 'spaces'],
  runtime: ['applyRules', 'channel', 'byParagraphs', 'at', 'name', 'language', 'maxMessages', 'maxTokens'],
  automations: ['webSearch', 'tables', 'choices', 'byAgent', 'httpTools', 'mcpTools'],
}

/** Characters of instructions up to which a link carries them. */
export const LINKED_PROMPT_MAX = 1500

/** Reads what stands in a link. What is unknown or not allowed is left out; null when nothing remains. */
export function parseControls(text: string): Controls | null {
  try {
    const controls = strip(controlsSchema.parse(JSON.parse(text)))
    return Object.keys(controls).length > 0 ? controls : null
  } catch {
    return null
  }
}

/** Controls with one of them changed. Undefined, or what the agent has anyway, takes it back. */
export function withControl<Key extends ControlKey>(
  controls: Controls,
  key: Key,
  value: Controls[Key] | undefined,
  agent: Agent,
): Controls {
  const isSame = JSON.stringify(value) === JSON.stringify(savedOf(agent)[key])
  return strip({ ...controls, [key]: isSame ? undefined : value })
}

/** What the agent itself has in place of each control. */
function savedOf(agent: Agent): Controls {
  return {
    model: agent.model,
    temperature: agent.temperature,
    systemPrompt: agent.systemPrompt,
    knowledge: true,
    spaces: [...agent.knowledgeSpaceIds].sort(),
    applyRules: false,
    byParagraphs: agent.replies.splitByParagraphs,
    maxMessages: agent.context.maxMessages,
    maxTokens: agent.context.maxTokens,
    webSearch: true,
    tables: true,
    choices: agent.choices.isOn,
    byAgent: agent.handoff.byAgent,
    httpTools: [...agent.functions.tools].sort(),
    mcpTools: [...agent.functions.mcpTools].sort(),
  }
}

/**
 * Controls without spaces that are not there any more; where none is left, the agent's own are meant again.
 * @param known ids of all spaces; undefined while they are not known
 */
export function withoutGone(
  controls: Controls,
  known: readonly string[] | undefined,
): { controls: Controls; gone: number } {
  if (!known || !controls.spaces) return { controls, gone: 0 }
  const spaces = controls.spaces.filter((id) => known.includes(id))
  const gone = controls.spaces.length - spaces.length
  if (gone === 0) return { controls, gone }
  return { controls: strip({ ...controls, spaces: spaces.length > 0 ? spaces : undefined }), gone }
}

/** How many controls of a group, or of all groups, are set. */
export function countSet(controls: Controls, group?: ControlGroup): number {
  const keys = group ? CONTROLS_OF[group] : Object.values(CONTROLS_OF).flat()
  return keys.filter((key) => controls[key] !== undefined).length
}

/** The overrides of one message; an empty object changes nothing. */
export function overridesOf(controls: Controls, agent: Agent): TestOverrides {
  const { model, temperature, systemPrompt, knowledge, spaces, applyRules, byParagraphs } = controls
  const { maxMessages, maxTokens, choices, byAgent } = controls
  const simulate = simulationOf(controls)
  const tools = strip({ webSearch: controls.webSearch, tables: controls.tables })
  return strip({
    model,
    temperature,
    systemPrompt,
    applyRules,
    knowledge:
      knowledge === undefined && spaces === undefined
        ? undefined
        : { isOn: knowledge ?? true, spaceIds: (spaces as Id<'knowledgeSpaces'>[] | undefined) ?? null },
    replies: byParagraphs === undefined ? undefined : { ...agent.replies, splitByParagraphs: byParagraphs },
    tools: Object.keys(tools).length > 0 ? tools : undefined,
    choices: choices === undefined ? undefined : { isOn: choices },
    handoff: byAgent === undefined ? undefined : { ...agent.handoff, byAgent },
    functions: functionsOf(controls, agent),
    context:
      maxMessages === undefined && maxTokens === undefined
        ? undefined
        : {
            ...agent.context,
            maxMessages: maxMessages ?? agent.context.maxMessages,
            maxTokens: maxTokens ?? agent.context.maxTokens,
          },
    simulate: Object.keys(simulate).length > 0 ? simulate : undefined,
  })
}

/** Undefined: as the agent has them. */
function functionsOf({ httpTools, mcpTools }: Controls, { functions }: Agent): Agent['functions'] | undefined {
  if (httpTools === undefined && mcpTools === undefined) return undefined
  return {
    ...functions,
    ...(httpTools && { tools: httpTools as Id<'httpTools'>[] }),
    ...(mcpTools && { mcpTools: mcpTools as Id<'mcpTools'>[] }),
  }
}

function simulationOf({ channel, at, name, language }: Controls): NonNullable<TestOverrides['simulate']> {
  const contact = strip({ name, language })
  return strip({ channel, at, contact: Object.keys(contact).length > 0 ? contact : undefined })
}

type Present<Value> = { [Key in keyof Value]?: Exclude<Value[Key], undefined> }

function strip<Value extends object>(value: Value): Present<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Present<Value>
}
