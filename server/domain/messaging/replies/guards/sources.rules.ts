// Which of its spaces an agent may ask for what, and which sources in them.
import type { Id } from '#shared/ids.ts'
import type { KnowledgeSource } from '#shared/knowledge/knowledge.ts'
import { type SourceMarks, validityAt } from '#shared/knowledge/knowledge-marks.ts'
import type { Turn } from '../../turns/turn.ts'

/** The spaces in which neither the space nor the agent's link to it has switched a source off. */
export function spacesWith(
  { spaceIds, disabledSources }: Pick<Turn['agent'], 'spaceIds' | 'disabledSources'>,
  source: KnowledgeSource,
): Id<'knowledgeSpaces'>[] {
  return spaceIds.filter((id) => !disabledSources[id]?.includes(source))
}

/**
 * Whether an agent may use a source at an instant: it holds then, has one of the tags that the agent is kept to in its space, and is in one of
 * the languages, or in none that is known.
 */
export function mayUse(
  { tags, languages }: Pick<Turn['agent'], 'tags' | 'languages'>,
  source: Pick<SourceMarks, 'tags' | 'validFrom' | 'validUntil' | 'language'> & {
    knowledgeSpaceId: Id<'knowledgeSpaces'>
  },
  now: number,
): boolean {
  const wanted = tags[source.knowledgeSpaceId] ?? []
  const isTagged = wanted.length === 0 || wanted.some((tag) => source.tags.includes(tag))
  const understood = languages[source.knowledgeSpaceId] ?? []
  const isUnderstood = source.language === null || understood.length === 0 || understood.includes(source.language)
  return isTagged && isUnderstood && validityAt(source, now) === 'valid'
}
