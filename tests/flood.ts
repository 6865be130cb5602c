// Settings of agents to whom tests write faster and oftener than any person does.
import type { AgentSettings } from '#shared/agents/agent-settings.ts'

/** Neither a limit a day nor a pause where messages come at a machine's speed. */
export const FLOODED: Pick<AgentSettings, 'spam' | 'machineTalk'> = {
  spam: { agentDailyLimit: null, customerDailyLimit: null, warningPercent: 80, text: '' },
  machineTalk: { isOn: false },
}
