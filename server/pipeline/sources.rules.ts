// Which of its spaces an agent may ask for what.
import type { Id } from '#shared/ids.ts'
import type { KnowledgeSource } from '#shared/knowledge.ts'
import type { Turn } from './turn.store.ts'

/** The spaces in which neither the space nor the agent's link to it has switched a source off. */
export function spacesWith(
  { spaceIds, disabledSources }: Pick<Turn['agent'], 'spaceIds' | 'disabledSources'>,
  source: KnowledgeSource,
): Id<'knowledgeSpaces'>[] {
  return spaceIds.filter((id) => !disabledSources[id]?.includes(source))
}
