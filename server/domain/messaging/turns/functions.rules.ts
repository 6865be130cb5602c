// Functions of an agent that are switched off: the sources behind them are closed to it, as a space would close them. Decisions only.
import type { SwitchedFunction } from '#shared/agents/agent-settings.ts'
import type { KnowledgeSource } from '#shared/knowledge/knowledge.ts'
import type { Turn } from './turn.ts'

const SOURCES: Record<SwitchedFunction, KnowledgeSource[]> = {
  knowledge: ['documents', 'fragments'],
  tables: ['tables'],
  webSearch: ['webSearch'],
  calendar: [],
}

/** The turn without the sources of functions that are off. */
export function withoutFunctions(turn: Turn): Turn {
  const closed = turn.agent.settings.functions.off.flatMap((name) => SOURCES[name])
  if (closed.length === 0) return turn
  const { spaceIds, disabledSources } = turn.agent
  const all = spaceIds.map((id) => [id, [...new Set([...(disabledSources[id] ?? []), ...closed])]])
  return { ...turn, agent: { ...turn.agent, disabledSources: Object.fromEntries(all) } }
}
