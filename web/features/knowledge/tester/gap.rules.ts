// From an unanswered question to the beginning of a note that answers it.
import type { KnowledgeGap } from '#shared/knowledge/knowledge-queries.ts'
import { ALSO_ASKED_AS_MAX, FRAGMENT_NAME_MAX } from '#shared/limits.ts'

/** What the note dialog opens with: the question as its name, the other wordings as "also asked as". */
export function noteFor({ query, wordings }: Pick<KnowledgeGap, 'query' | 'wordings'>) {
  const isLong = query.length > FRAGMENT_NAME_MAX
  const others = wordings.filter((wording) => (isLong || wording !== query) && wording.length <= ALSO_ASKED_AS_MAX)
  return {
    name: isLong ? query.slice(0, FRAGMENT_NAME_MAX).trim() : query,
    alsoAskedAs: others.map((wording) => wording.replaceAll('\n', ' ')),
  }
}
