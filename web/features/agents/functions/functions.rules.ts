// What a switch of a function changes in the settings of an agent.
import type { Agent, AgentPatch } from '#shared/agents/agents.ts'
import type { AgentFunctionState } from '#shared/tools/functions.ts'

/** The section of the settings that the switch belongs to, whole. */
export function patchOf(agent: Agent, state: AgentFunctionState, isOn: boolean): AgentPatch {
  const { functions } = agent
  if (state.kind === 'http') {
    const others = functions.tools.filter((id) => id !== state.toolId)
    return { functions: { ...functions, tools: isOn ? [...others, state.toolId] : others } }
  }
  if (state.kind === 'mcp') {
    const others = functions.mcpTools.filter((id) => id !== state.toolId)
    return { functions: { ...functions, mcpTools: isOn ? [...others, state.toolId] : others } }
  }
  if (state.name === 'handoff') return { handoff: { ...agent.handoff, byAgent: isOn } }
  if (state.name === 'choices') return { choices: { isOn } }
  const { name } = state
  const others = functions.off.filter((each) => each !== name)
  return { functions: { ...functions, off: isOn ? others : [...others, name] } }
}
