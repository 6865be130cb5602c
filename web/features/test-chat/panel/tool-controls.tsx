// Which tools the model is given for the next answers.
import type { Agent } from '#shared/agents/agents.ts'
import type { AllowedMcpTool } from '#shared/tools/mcp-servers.ts'
import type { HttpTool } from '#shared/tools/tools.ts'
import { api } from '#web/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import type { Controls } from '../controls.rules.ts'
import type { VariantControls } from '../use-controls.ts'
import { SwitchControl } from './control.tsx'

const TOOLS = ['webSearch', 'tables', 'choices', 'byAgent'] as const
type ToolName = (typeof TOOLS)[number]

/** Tools that come with knowledge spaces can be taken away only: which of them the agent has, its spaces decide. */
export function ToolControls({ agent, state }: { agent: Agent; state: VariantControls }) {
  const { t } = useTranslation('test-chat')
  const { controls, set } = state
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-2 font-medium text-muted-foreground text-xs">{t(($) => $.tools.title)}</legend>
      {TOOLS.map((name) => (
        <SwitchControl
          key={name}
          state={state}
          name={name}
          label={t(($) => $.tools[name].label)}
          hint={t(($) => $.tools[name].hint)}
          isOn={isOnFor(name, controls, agent)}
          isDisabled={isOfSpaces(name) && controls.knowledge === false}
          onChange={(isOn) => set(name, isOn)}
        />
      ))}
      <AddedTools agent={agent} state={state} />
      <McpTools agent={agent} state={state} />
    </fieldset>
  )
}

/** Tools of the organization: also those that the agent does not have can be tried. */
function AddedTools({ agent, state }: { agent: Agent; state: VariantControls }) {
  const tools: HttpTool[] = useQuery(api.tools.list, {}) ?? []
  const chosen: readonly string[] = state.controls.httpTools ?? agent.functions.tools
  return tools.map(({ _id, name, description }) => (
    <SwitchControl
      key={_id}
      state={state}
      name="httpTools"
      label={name}
      hint={description}
      isOn={chosen.includes(_id)}
      isDisabled={false}
      onChange={(isOn) => {
        const others = chosen.filter((id) => id !== _id)
        state.set('httpTools', (isOn ? [...others, _id] : others).toSorted())
      }}
    />
  ))
}

/** Tools of MCP servers that the model can be given. */
function McpTools({ agent, state }: { agent: Agent; state: VariantControls }) {
  const tools: AllowedMcpTool[] = useQuery(api.mcpServers.tools.allowed, {}) ?? []
  const chosen: readonly string[] = state.controls.mcpTools ?? agent.functions.mcpTools
  return tools
    .filter(({ isOffered }) => isOffered)
    .map(({ _id, modelName, description }) => (
      <SwitchControl
        key={_id}
        state={state}
        name="mcpTools"
        label={modelName}
        hint={description}
        isOn={chosen.includes(_id)}
        isDisabled={false}
        onChange={(isOn) => {
          const others = chosen.filter((id) => id !== _id)
          state.set('mcpTools', (isOn ? [...others, _id] : others).toSorted())
        }}
      />
    ))
}

function isOfSpaces(name: ToolName): boolean {
  return name === 'webSearch' || name === 'tables'
}

/** Without its spaces the agent has none of their tools. */
function isOnFor(name: ToolName, controls: Controls, agent: Agent): boolean {
  if (isOfSpaces(name)) return controls.knowledge !== false && (controls[name] ?? true)
  return controls[name] ?? (name === 'choices' ? agent.choices.isOn : agent.handoff.byAgent)
}
